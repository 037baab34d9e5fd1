package recorder;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** One recorded broker: the requests, and what happens to the broker itself. */
final class Broker extends OffsetRequests {
    private final Map<String, Uuid> topics = new HashMap<>();
    private MetadataImage image = MetadataImage.EMPTY;
    private long imageVersion;
    private long topicSeq;

    Broker(Settings settings, long idSeed) {
        super(settings, idSeed);
    }

    void advance(long t) {
        begin(t, in("advance"));
        end();
    }

    void hold(long t) {
        begin(t, in("hold"));
        queue.holdFlush = true;
        end();
    }

    void appendOk(long t) {
        begin(t, in("append-ok"));
        queue.releaseFlush();
        end();
    }

    void appendFail(long t, Errors e) {
        begin(t, in("append-fail", "error", e.name()));
        AtomicBoolean hit = new AtomicBoolean();
        log.failNext = e;
        log.onFail = () -> hit.set(true);
        queue.releaseFlush();
        queue.drain();
        log.failNext = null;
        input.put("hit", hit.get());
        end();
    }

    void holdCommit(long t) {
        begin(t, in("hold-commit"));
        log.holdCommit = true;
        end();
    }

    void commitOk(long t) {
        begin(t, in("commit-ok"));
        log.holdCommit = false;
        log.commit();
        end();
    }

    void load(long t, boolean hold) {
        Map<String, Object> in = in("load", "epoch", ++epoch);
        if (hold) in.put("hold", true);
        begin(t, in);
        log.holdLoad = hold;
        loading = true;
        service.onElection(0, epoch);
        queue.drain();
        if (!hold) {
            loading = false;
            loaded = true;
        }
        end();
    }

    void loadFinish(long t) {
        begin(t, in("load-finish"));
        log.holdLoad = false;
        loading = false;
        loaded = true;
        log.pendingLoad.complete(null);
        queue.drain();
        end();
    }

    void unload(long t) {
        begin(t, in("unload", "epoch", ++epoch));
        loaded = false;
        loading = false;
        service.onResignation(0, OptionalInt.of(epoch));
        queue.drain();
        queue.parked.clear();
        queue.holdFlush = false;
        log.holdCommit = false;
        if (log.highWatermark < log.end) log.highWatermark = log.end;
        end();
    }

    /**
     * Replaces the coordinator by a new broker process with another configuration; the log is kept.
     */
    void restart(long t, Settings c) {
        begin(t, in("restart", "configs", c.properties()));
        loaded = false;
        loading = false;
        timer.queue.clear();
        queue.queue.clear();
        queue.parked.clear();
        queue.holdFlush = false;
        log.holdCommit = false;
        log.highWatermark = log.end;
        log.listeners.clear();
        cfg = c;
        build();
        end();
    }

    /** Deletes topics. A topic that does not exist is created first. */
    void deleteTopics(long t, List<String> names) {
        for (String name : names) {
            if (!topics.containsKey(name)) createTopic(t, name);
        }
        MetadataDelta delta = delta();
        for (String name : names)
            delta.replay(new RemoveTopicRecord().setTopicId(topics.remove(name)));
        metadata(t, in("metadata", "delete", new ArrayList<Object>(names)), delta);
    }

    private void createTopic(long t, String name) {
        Uuid id = new Uuid(7, ++topicSeq);
        topics.put(name, id);
        MetadataDelta delta = delta();
        delta.replay(new TopicRecord().setName(name).setTopicId(id));
        for (int p = 0; p < 2; p++) {
            delta.replay(
                    new PartitionRecord()
                            .setTopicId(id)
                            .setPartitionId(p)
                            .setReplicas(List.of(1))
                            .setIsr(List.of(1))
                            .setLeader(1)
                            .setLeaderEpoch(0)
                            .setPartitionEpoch(0));
        }
        metadata(t, in("metadata", "create", Json.obj(name, 2)), delta);
    }

    private MetadataDelta delta() {
        return new MetadataDelta.Builder().setImage(image).build();
    }

    private void metadata(long t, Map<String, Object> in, MetadataDelta delta) {
        begin(t, in);
        image = delta.apply(new MetadataProvenance(++imageVersion, 1, 0, true));
        queue.immediate = true;
        try {
            service.onMetadataUpdate(delta, image);
        } finally {
            queue.immediate = false;
        }
        end();
    }

    @Override
    Uuid topicId(String name) {
        return topics.getOrDefault(name, Uuid.ZERO_UUID);
    }
}
