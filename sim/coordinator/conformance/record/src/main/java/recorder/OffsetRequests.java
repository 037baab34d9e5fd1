package recorder;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.BufferSupplier;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The requests about offsets: one op each. */
abstract class OffsetRequests extends GroupRequests {
    OffsetRequests(Settings settings, long idSeed) {
        super(settings, idSeed);
    }

    /** The id of a topic that exists; the request layer adds it to a commit by name. */
    abstract Uuid topicId(String name);

    private static List<Object> offIn(List<Off> offs) {
        List<Object> l = new ArrayList<>();
        for (Off o : offs) {
            Map<String, Object> x =
                    Json.obj("topic", o.topic(), "partition", o.partition(), "offset", o.offset());
            if (o.leaderEpoch() != -1) x.put("leaderEpoch", o.leaderEpoch());
            x.put("metadata", o.metadata());
            l.add(x);
        }
        return l;
    }

    /** What a commit answers: the error of each partition, and the errors that there are of all. */
    private static final class PartitionErrors {
        private final List<Object> partitions = new ArrayList<>();
        private final Set<String> errors = new TreeSet<>();

        void add(String topic, int partition, short code) {
            partitions.add(Json.obj("topic", topic, "partition", partition, "error", err(code)));
            errors.add(err(code));
        }

        Map<String, Object> answer() {
            return Json.obj("error", String.join("+", errors), "partitions", partitions);
        }
    }

    int commit(
            long t,
            int v,
            String group,
            String memberId,
            String instanceId,
            int generation,
            long retentionMs,
            List<Off> offs) {
        int n = ++req;
        names.groups.add(group);
        begin(
                t,
                in(
                        "commit",
                        "req", n,
                        "v", v,
                        "group", group,
                        "memberId", memberId,
                        "instanceId", instanceId,
                        "generation", generation,
                        "retentionTimeMs", retentionMs,
                        "offsets", offIn(offs)));
        Map<String, OffsetCommitRequestData.OffsetCommitRequestTopic> ts = new LinkedHashMap<>();
        for (Off o : offs)
            ts.computeIfAbsent(
                            o.topic(),
                            k ->
                                    new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                            .setName(k)
                                            .setTopicId(topicId(k))
                                            .setPartitions(new ArrayList<>()))
                    .partitions()
                    .add(
                            new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                    .setPartitionIndex(o.partition())
                                    .setCommittedOffset(o.offset())
                                    .setCommittedLeaderEpoch(o.leaderEpoch())
                                    .setCommittedMetadata(o.metadata()));
        OffsetCommitRequestData d =
                new OffsetCommitRequestData()
                        .setGroupId(group)
                        .setMemberId(names.real(memberId))
                        .setGroupInstanceId(instanceId)
                        .setGenerationIdOrMemberEpoch(generation)
                        .setRetentionTimeMs(retentionMs)
                        .setTopics(new ArrayList<>(ts.values()));
        watch(
                "commit", n,
                service.commitOffsets(
                        ctx(ApiKeys.OFFSET_COMMIT, v, "c1"), d, BufferSupplier.NO_CACHING),
                r -> {
                    PartitionErrors errors = new PartitionErrors();
                    for (OffsetCommitResponseData.OffsetCommitResponseTopic x : r.topics())
                        for (OffsetCommitResponseData.OffsetCommitResponsePartition p :
                                x.partitions())
                            errors.add(x.name(), p.partitionIndex(), p.errorCode());
                    return errors.answer();
                });
        end();
        return n;
    }

    int txnCommit(
            long t,
            int v,
            String group,
            String memberId,
            String instanceId,
            int generation,
            long pid,
            int pepoch,
            List<Off> offs) {
        int n = ++req;
        names.groups.add(group);
        begin(
                t,
                in(
                        "txn-commit",
                        "req", n,
                        "v", v,
                        "group", group,
                        "memberId", memberId,
                        "instanceId", instanceId,
                        "generation", generation,
                        "producerId", pid,
                        "producerEpoch", pepoch,
                        "offsets", offIn(offs)));
        Map<String, TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic> ts =
                new LinkedHashMap<>();
        for (Off o : offs)
            ts.computeIfAbsent(
                            o.topic(),
                            k ->
                                    new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                                            .setName(k)
                                            .setTopicId(topicId(k))
                                            .setPartitions(new ArrayList<>()))
                    .partitions()
                    .add(
                            new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                    .setPartitionIndex(o.partition())
                                    .setCommittedOffset(o.offset())
                                    .setCommittedLeaderEpoch(o.leaderEpoch())
                                    .setCommittedMetadata(o.metadata()));
        TxnOffsetCommitRequestData d =
                new TxnOffsetCommitRequestData()
                        .setTransactionalId("tx" + pid)
                        .setGroupId(group)
                        .setProducerId(pid)
                        .setProducerEpoch((short) pepoch)
                        .setGenerationIdOrMemberEpoch(generation)
                        .setMemberId(names.real(memberId))
                        .setGroupInstanceId(instanceId)
                        .setTopics(new ArrayList<>(ts.values()));
        watch(
                "txn-commit", n,
                service.commitTransactionalOffsets(
                        ctx(ApiKeys.TXN_OFFSET_COMMIT, v, "c1"), d, BufferSupplier.NO_CACHING),
                r -> {
                    PartitionErrors errors = new PartitionErrors();
                    for (TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic x : r.topics())
                        for (TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition p :
                                x.partitions())
                            errors.add(x.name(), p.partitionIndex(), p.errorCode());
                    return errors.answer();
                });
        end();
        return n;
    }

    int txnEnd(long t, long pid, int pepoch, boolean commit) {
        int n = ++req;
        begin(
                t,
                in(
                        "txn-end",
                        "req", n,
                        "producerId", pid,
                        "producerEpoch", pepoch,
                        "result", commit ? "COMMIT" : "ABORT"));
        watch(
                "txn-end", n,
                service.completeTransaction(
                        OFFSETS,
                        pid,
                        (short) pepoch,
                        0,
                        commit ? TransactionResult.COMMIT : TransactionResult.ABORT,
                        (short) 1),
                r -> Json.obj("error", "NONE"));
        end();
        return n;
    }

    int fetch(
            long t,
            int v,
            String group,
            String memberId,
            int memberEpoch,
            boolean stable,
            Map<String, List<Integer>> topics0) {
        int n = ++req;
        Map<String, List<Integer>> topics = topics0 == null ? null : new TreeMap<>(topics0);
        names.groups.add(group);
        Map<String, Object> ti = topics == null ? null : new LinkedHashMap<>();
        if (topics != null) topics.forEach((k, p) -> ti.put(k, new ArrayList<Object>(p)));
        begin(
                t,
                in(
                        "fetch",
                        "req", n,
                        "v", v,
                        "group", group,
                        "memberId", memberId,
                        "memberEpoch", memberEpoch,
                        "requireStable", stable,
                        "topics", ti));
        OffsetFetchRequestData.OffsetFetchRequestGroup g =
                new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setMemberId(names.real(memberId))
                        .setMemberEpoch(memberEpoch);
        if (topics == null) {
            g.setTopics(null);
        } else {
            List<OffsetFetchRequestData.OffsetFetchRequestTopics> l = new ArrayList<>();
            topics.forEach(
                    (k, p) ->
                            l.add(
                                    new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                            .setName(k)
                                            .setPartitionIndexes(p)));
            g.setTopics(l);
        }
        watch(
                "fetch", n,
                service.fetchOffsets(ctx(ApiKeys.OFFSET_FETCH, v, "c1"), g, stable),
                r -> {
                    TreeMap<String, Object> l = new TreeMap<>();
                    for (OffsetFetchResponseData.OffsetFetchResponseTopics x : r.topics())
                        for (OffsetFetchResponseData.OffsetFetchResponsePartitions p :
                                x.partitions()) {
                            l.put(
                                    x.name() + String.format("/%05d", p.partitionIndex()),
                                    Json.obj(
                                            "topic", x.name(),
                                            "partition", p.partitionIndex(),
                                            "offset", p.committedOffset(),
                                            "leaderEpoch", p.committedLeaderEpoch(),
                                            "metadata", p.metadata(),
                                            "error", err(p.errorCode())));
                        }
                    return Json.obj(
                            "error", err(r.errorCode()), "partitions", new ArrayList<>(l.values()));
                });
        end();
        return n;
    }

    int deleteOffsets(long t, String group, Map<String, List<Integer>> topics0) {
        int n = ++req;
        Map<String, List<Integer>> topics = new TreeMap<>(topics0);
        names.groups.add(group);
        Map<String, Object> ti = new LinkedHashMap<>();
        topics.forEach((k, p) -> ti.put(k, new ArrayList<Object>(p)));
        begin(t, in("delete-offsets", "req", n, "group", group, "topics", ti));
        OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection c =
                new OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection();
        topics.forEach(
                (k, ps) -> {
                    List<OffsetDeleteRequestData.OffsetDeleteRequestPartition> l =
                            new ArrayList<>();
                    for (int p : ps)
                        l.add(
                                new OffsetDeleteRequestData.OffsetDeleteRequestPartition()
                                        .setPartitionIndex(p));
                    c.add(
                            new OffsetDeleteRequestData.OffsetDeleteRequestTopic()
                                    .setName(k)
                                    .setPartitions(l));
                });
        OffsetDeleteRequestData d = new OffsetDeleteRequestData().setGroupId(group).setTopics(c);
        watch(
                "delete-offsets", n,
                service.deleteOffsets(
                        ctx(ApiKeys.OFFSET_DELETE, 0, "c1"), d, BufferSupplier.NO_CACHING),
                r -> {
                    TreeMap<String, Object> l = new TreeMap<>();
                    for (OffsetDeleteResponseData.OffsetDeleteResponseTopic x : r.topics())
                        for (OffsetDeleteResponseData.OffsetDeleteResponsePartition p :
                                x.partitions()) {
                            l.put(
                                    x.name() + String.format("/%05d", p.partitionIndex()),
                                    Json.obj(
                                            "topic", x.name(),
                                            "partition", p.partitionIndex(),
                                            "error", err(p.errorCode())));
                        }
                    return Json.obj(
                            "error", err(r.errorCode()), "partitions", new ArrayList<>(l.values()));
                });
        end();
        return n;
    }
}
