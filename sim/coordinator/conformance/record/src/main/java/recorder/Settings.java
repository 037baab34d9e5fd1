package recorder;

import java.util.Map;

/** The broker settings of a trace. */
final class Settings {
    int initialDelay = 3000;
    int minSession = 6000;
    int maxSession = 1800000;
    int maxSize = Integer.MAX_VALUE;
    int retentionMinutes = 10080;
    long retentionCheckMs = 600000;
    int metadataMax = 4096;

    Settings copy() {
        Settings c = new Settings();
        c.initialDelay = initialDelay;
        c.minSession = minSession;
        c.maxSession = maxSession;
        c.maxSize = maxSize;
        c.retentionMinutes = retentionMinutes;
        c.retentionCheckMs = retentionCheckMs;
        c.metadataMax = metadataMax;
        return c;
    }

    Map<String, Object> properties() {
        return Json.obj(
                "group.initial.rebalance.delay.ms", initialDelay,
                "group.min.session.timeout.ms", minSession,
                "group.max.session.timeout.ms", maxSession,
                "group.max.size", maxSize,
                "offsets.retention.minutes", retentionMinutes,
                "offsets.retention.check.interval.ms", retentionCheckMs,
                "offset.metadata.max.bytes", metadataMax,
                "offsets.commit.timeout.ms", 5000,
                "offsets.topic.num.partitions", 1);
    }
}
