package org.apache.kafka.coordinator.group;

import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.Timer;

import java.lang.reflect.Proxy;
import java.util.Optional;

/** Reaches the one constructor that Kafka keeps to this package. */
public final class ServiceFactory {
    private ServiceFactory() {}

    /**
     * A service for groups that have no share groups among them, so that nobody asks for the
     * metadata of partitions.
     */
    public static GroupCoordinatorService create(
            LogContext context,
            GroupCoordinatorConfig config,
            CoordinatorRuntime<GroupCoordinatorShard, CoordinatorRecord> runtime,
            GroupCoordinatorMetrics metrics,
            GroupConfigManager groups,
            Timer timer,
            Time time) {
        PartitionMetadataClient nobody =
                (PartitionMetadataClient)
                        Proxy.newProxyInstance(
                                ServiceFactory.class.getClassLoader(),
                                new Class<?>[] {PartitionMetadataClient.class},
                                (p, m, a) -> null);
        return new GroupCoordinatorService(
                context,
                config,
                runtime,
                metrics,
                groups,
                new NoOpStatePersister(),
                timer,
                nobody,
                Optional.empty(),
                time);
    }
}
