package recorder;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The log of one offsets partition. Its appends can be refused, its commits and loads held back.
 */
final class Log implements PartitionWriter, CoordinatorLoader<CoordinatorRecord> {
    private static final class Entry {
        long offset;
        long producerId;
        short producerEpoch;
        CoordinatorRecord record;
        TransactionResult marker;
    }

    final List<Entry> entries = new ArrayList<>();
    final List<Listener> listeners = new ArrayList<>();
    final LogConfig config = new LogConfig(Map.of("max.message.bytes", 1048588));
    long end = 0;
    long highWatermark = 0;
    boolean holdCommit = false;
    boolean holdLoad = false;
    Errors failNext = null;
    CompletableFuture<LoadSummary> pendingLoad;
    Runnable onFail = () -> {};
    final GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
    TopicPartition tp;

    @Override
    public void registerListener(TopicPartition tp, Listener listener) {
        this.tp = tp;
        listeners.add(listener);
    }

    @Override
    public void deregisterListener(TopicPartition tp, Listener listener) {
        listeners.remove(listener);
    }

    @Override
    public LogConfig config(TopicPartition tp) {
        return config;
    }

    @Override
    public long append(
            TopicPartition tp, VerificationGuard g, MemoryRecords records, short version) {
        if (failNext != null) {
            Errors e = failNext;
            failNext = null;
            onFail.run();
            throw e.exception();
        }
        for (MutableRecordBatch batch : records.batches())
            if (batch.sizeInBytes() > config.maxMessageSize())
                throw Errors.MESSAGE_TOO_LARGE.exception();
        for (MutableRecordBatch batch : records.batches()) {
            for (Record r : batch) {
                Entry e = new Entry();
                e.offset = end++;
                e.producerId = batch.producerId();
                e.producerEpoch = batch.producerEpoch();
                if (batch.isControlBatch()) {
                    EndTransactionMarker m = EndTransactionMarker.deserialize(r);
                    e.marker =
                            m.controlType() == ControlRecordType.COMMIT
                                    ? TransactionResult.COMMIT
                                    : TransactionResult.ABORT;
                } else {
                    e.record = serde.deserialize(r.key(), r.value());
                }
                entries.add(e);
            }
        }
        if (!holdCommit) commit();
        return end;
    }

    void commit() {
        if (highWatermark == end) return;
        highWatermark = end;
        for (Listener l : listeners) l.onHighWatermarkUpdated(tp, end);
    }

    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition tp,
            String transactionalId,
            long producerId,
            short producerEpoch,
            int apiVersion) {
        return CompletableFuture.completedFuture(new VerificationGuard());
    }

    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition tp, long before) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<LoadSummary> load(
            TopicPartition tp, CoordinatorPlayback<CoordinatorRecord> playback) {
        highWatermark = end;
        for (Entry e : entries) {
            if (e.marker != null)
                playback.replayEndTransactionMarker(e.producerId, e.producerEpoch, e.marker);
            else playback.replay(e.offset, e.producerId, e.producerEpoch, e.record);
        }
        if (end > 0) {
            playback.updateLastWrittenOffset(end);
            playback.updateLastCommittedOffset(end);
        }
        LoadSummary s = new LoadSummary(0, 0, 0, entries.size(), 0);
        if (holdLoad) {
            pendingLoad = new CompletableFuture<>();
            CompletableFuture<LoadSummary> f = new CompletableFuture<>();
            pendingLoad.thenAccept(x -> f.complete(s));
            return f;
        }
        return CompletableFuture.completedFuture(s);
    }

    @Override
    public void close() {}
}
