package recorder;

import com.yammer.metrics.core.MetricsRegistry;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.common.runtime.Serializer;
import org.apache.kafka.coordinator.common.runtime.SnapshottableCoordinator;
import org.apache.kafka.coordinator.group.Group;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.GroupCoordinatorShard;
import org.apache.kafka.coordinator.group.ServiceFactory;
import org.apache.kafka.coordinator.group.classic.ClassicGroup;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The real coordinator on a virtual clock, timer, event queue and log, with a view into its memory.
 */
abstract class Coordinator {
    static final int BROKER_ID = 1;
    static final TopicPartition OFFSETS = new TopicPartition("__consumer_offsets", 0);
    final Clock clock = new Clock();
    final VirtualTimer timer = new VirtualTimer(clock);
    final EventQueue queue = new EventQueue();
    final Log log = new Log();
    final Names names = new Names();
    Settings cfg;
    GroupCoordinatorService service;
    private Map<?, ?> contexts;
    int epoch = 0;
    boolean loaded = false;
    boolean loading = false;

    /** Starts a coordinator on the log as it is, with nothing loaded. */
    final void build() {
        GroupCoordinatorConfig config = GroupCoordinatorConfig.fromProps(cfg.properties());
        ShareGroupConfig share = ShareGroupConfig.fromProps(Map.of());
        GroupConfigManager gcm = new GroupConfigManager(config, share);
        GroupCoordinatorMetrics metrics =
                new GroupCoordinatorMetrics(new MetricsRegistry(), new Metrics());
        LogContext lc = new LogContext("[GroupCoordinator id=" + BROKER_ID + "] ");
        CoordinatorRuntimeMetrics rm =
                (CoordinatorRuntimeMetrics)
                        Proxy.newProxyInstance(
                                Coordinator.class.getClassLoader(),
                                new Class<?>[] {CoordinatorRuntimeMetrics.class},
                                (p, m, a) -> null);
        GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
        Serializer<CoordinatorRecord> ser =
                new Serializer<>() {
                    @Override
                    public byte[] serializeKey(CoordinatorRecord r) {
                        wrote(r);
                        return serde.serializeKey(r);
                    }

                    @Override
                    public byte[] serializeValue(CoordinatorRecord r) {
                        return serde.serializeValue(r);
                    }
                };
        CoordinatorRuntime<GroupCoordinatorShard, CoordinatorRecord> runtime =
                new CoordinatorRuntime.Builder<GroupCoordinatorShard, CoordinatorRecord>()
                        .withTime(clock)
                        .withTimer(timer)
                        .withLogPrefix("GroupCoordinator id=" + BROKER_ID)
                        .withLogContext(lc)
                        .withEventProcessor(queue)
                        .withPartitionWriter(log)
                        .withLoader(log)
                        .withCoordinatorShardBuilderSupplier(
                                () ->
                                        new GroupCoordinatorShard.Builder(config, gcm)
                                                .withAuthorizerPlugin(Optional.empty()))
                        .withWriteTimeout(Duration.ofMillis(config.offsetCommitTimeoutMs()))
                        .withCoordinatorRuntimeMetrics(rm)
                        .withCoordinatorMetrics(metrics)
                        .withSerializer(ser)
                        .withCompression(
                                Compression.of(config.offsetTopicCompressionType()).build())
                        .withAppendLingerMs(OptionalInt.empty())
                        .withExecutorService(new Direct())
                        .withCachedBufferMaxBytesSupplier(config::cachedBufferMaxBytes)
                        .build();
        service = ServiceFactory.create(lc, config, runtime, metrics, gcm, timer, clock);
        service.startup(() -> 1);
        try {
            Field f = CoordinatorRuntime.class.getDeclaredField("coordinators");
            f.setAccessible(true);
            contexts = (Map<?, ?>) f.get(runtime);
        } catch (ReflectiveOperationException e) {
            throw new RuntimeException(e);
        }
        queue.drain();
    }

    static final class Direct extends AbstractExecutorService {
        @Override
        public void execute(Runnable r) {
            r.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long t, TimeUnit u) {
            return true;
        }
    }

    private static final Map<String, Field> FIELDS = new HashMap<>();

    /** The value of a private field. */
    static Object get(Object o, String name) {
        try {
            Field f = FIELDS.get(o.getClass().getName() + "#" + name);
            if (f == null) {
                Class<?> c = o.getClass();
                while (f == null) {
                    try {
                        f = c.getDeclaredField(name);
                    } catch (NoSuchFieldException e) {
                        c = c.getSuperclass();
                        if (c == null) throw e;
                    }
                }
                f.setAccessible(true);
                FIELDS.put(o.getClass().getName() + "#" + name, f);
            }
            return f.get(o);
        } catch (ReflectiveOperationException e) {
            throw new RuntimeException(e);
        }
    }

    GroupCoordinatorShard shard() {
        Object ctx = contexts.get(OFFSETS);
        if (ctx == null) return null;
        SnapshottableCoordinator<?, ?> sc =
                (SnapshottableCoordinator<?, ?>) get(ctx, "coordinator");
        if (sc == null) return null;
        return (GroupCoordinatorShard) get(sc, "coordinator");
    }

    @SuppressWarnings("unchecked")
    Map<String, Group> groups() {
        GroupCoordinatorShard s = shard();
        if (s == null || !loaded) return Map.of();
        return (Map<String, Group>) get(get(s, "groupMetadataManager"), "groups");
    }

    ClassicGroup classic(String g) {
        Group x = groups().get(g);
        return x instanceof ClassicGroup c ? c : null;
    }

    String stateOf(String g) {
        if (!loaded) return loading ? "(loading)" : "(unloaded)";
        Group x = groups().get(g);
        if (x == null) return "(none)";
        return x instanceof ClassicGroup c ? c.currentState().toString() : x.stateAsString();
    }

    static boolean hidden(String key) {
        return key == null || key.equals("group-size-counter") || key.endsWith("size-counter");
    }

    /** The write time-out of the event of the hidden gauge timer. */
    static boolean gaugeTimeout(VirtualTimer.Armed a) {
        return a.entry.timerTask.getClass().getSimpleName().equals("OperationTimeout")
                && String.valueOf(get(a.entry.timerTask, "event")).contains("size-counter");
    }

    /**
     * A timer of a shard instance that was unloaded (armed by a failure callback while unloading);
     * it is never cancelled.
     */
    boolean stale(VirtualTimer.Armed a) {
        if (a.key == null) return false;
        Object ctx = contexts.get(OFFSETS);
        return ctx == null || get(a.entry.timerTask, "this$0") != get(ctx, "timer");
    }

    Map<String, Object> timers() {
        Map<String, Object> m = new LinkedHashMap<>();
        for (VirtualTimer.Armed a : timer.live())
            if (!hidden(a.key) && !stale(a)) m.put(names.timerName(a.key), a.deadline);
        return m;
    }

    /** Is told every record that is handed to the log. */
    abstract void wrote(CoordinatorRecord record);
}
