package recorder;

import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.Group;
import org.apache.kafka.coordinator.group.classic.ClassicGroup;
import org.apache.kafka.coordinator.group.classic.ClassicGroupMember;
import org.apache.kafka.coordinator.group.generated.GroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.GroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.OffsetCommitKey;
import org.apache.kafka.coordinator.group.generated.OffsetCommitValue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What groups and records look like in a recording. */
final class Snapshot {
    private Snapshot() {}

    /** The memory of a group. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> group(Names names, ClassicGroup g) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("group", g.groupId());
        m.put("state", g.currentState().toString());
        m.put("prev", g.previousState().toString());
        m.put("since", ((Optional<Long>) Coordinator.get(g, "currentStateTimestamp")).orElse(null));
        m.put("generation", g.generationId());
        m.put("protocolType", g.protocolType().orElse(null));
        m.put("protocol", g.protocolName().orElse(null));
        m.put("leader", names.id(g.leaderOrNull()));
        TreeMap<String, Object> ms = new TreeMap<>(Names::byId);
        List<Object> order = new ArrayList<>();
        for (ClassicGroupMember x : g.allMembers()) {
            Map<String, Object> e = new LinkedHashMap<>();
            e.put("id", names.id(x.memberId()));
            x.groupInstanceId().ifPresent(i -> e.put("instanceId", i));
            e.put("session", x.sessionTimeoutMs());
            e.put("rebalance", x.rebalanceTimeoutMs());
            List<Object> ps = new ArrayList<>();
            x.supportedProtocols().forEach(p -> ps.add(p.name()));
            e.put("protocols", ps);
            if (x.assignment().length > 0) e.put("assignment", hex(x.assignment()));
            if (x.isAwaitingJoin()) e.put("awaitingJoin", true);
            if (x.isAwaitingSync()) e.put("awaitingSync", true);
            if (x.isNew()) e.put("new", true);
            ms.put(names.id(x.memberId()), e);
            order.add(names.id(x.memberId()));
        }
        m.put("members", new ArrayList<>(ms.values()));
        if (!order.equals(new ArrayList<>(ms.keySet()))) m.put("order", order);
        Set<String> pj = (Set<String>) Coordinator.get(g, "pendingJoinMembers");
        if (!pj.isEmpty()) m.put("pendingJoin", names.sorted(pj));
        if (!g.allPendingSyncMembers().isEmpty())
            m.put("pendingSync", names.sorted(g.allPendingSyncMembers()));
        if (g.newMemberAdded()) m.put("newMemberAdded", true);
        m.put(
                "topics", g.subscribedTopics()
                        .map(t -> (Object) new ArrayList<>(new TreeSet<>(t)))
                        .orElse(null));
        return m;
    }

    /** The fields of a record. */
    static Map<String, Object> record(Names names, CoordinatorRecord r) {
        Map<String, Object> m = new LinkedHashMap<>();
        ApiMessage k = r.key();
        if (k instanceof GroupMetadataKey gk) {
            m.put("type", "group");
            m.put("group", gk.group());
            if (r.value() == null) {
                m.put("value", null);
                return m;
            }
            GroupMetadataValue v = (GroupMetadataValue) r.value().message();
            Map<String, Object> x = new LinkedHashMap<>();
            x.put("version", r.value().version());
            x.put("protocolType", v.protocolType());
            x.put("generation", v.generation());
            x.put("protocol", v.protocol());
            x.put("leader", names.id(v.leader()));
            x.put("currentStateTimestamp", v.currentStateTimestamp());
            TreeMap<String, Object> ms = new TreeMap<>(Names::byId);
            for (GroupMetadataValue.MemberMetadata mm : v.members()) {
                Map<String, Object> e = new LinkedHashMap<>();
                e.put("memberId", names.id(mm.memberId()));
                e.put("instanceId", mm.groupInstanceId());
                e.put("clientId", mm.clientId());
                e.put("clientHost", mm.clientHost());
                e.put("rebalanceTimeout", mm.rebalanceTimeout());
                e.put("sessionTimeout", mm.sessionTimeout());
                e.put("subscription", hex(mm.subscription()));
                e.put("assignment", hex(mm.assignment()));
                ms.put(names.id(mm.memberId()), e);
            }
            x.put("members", new ArrayList<>(ms.values()));
            m.put("value", x);
        } else if (k instanceof OffsetCommitKey ok) {
            m.put("type", "offset");
            m.put("group", ok.group());
            m.put("topic", ok.topic());
            m.put("partition", ok.partition());
            if (r.value() == null) {
                m.put("value", null);
                return m;
            }
            OffsetCommitValue v = (OffsetCommitValue) r.value().message();
            Map<String, Object> x = new LinkedHashMap<>();
            x.put("version", r.value().version());
            x.put("offset", v.offset());
            x.put("leaderEpoch", v.leaderEpoch());
            x.put("metadata", v.metadata());
            x.put("commitTimestamp", v.commitTimestamp());
            x.put("expireTimestamp", v.expireTimestamp());
            m.put("value", x);
        } else {
            throw new IllegalStateException("a record of another protocol: " + r);
        }
        return m;
    }

    /**
     * Choices that depend on hash order: a new leader out of several candidates, a tied protocol
     * vote.
     */
    static List<Object> arbitrary(Group g, Map<String, Object> a, Map<String, Object> b) {
        List<Object> l = new ArrayList<>();
        if (a == null || !(g instanceof ClassicGroup c)) return l;
        Object la = a.get("leader"), lb = b.get("leader");
        if (la != null && lb != null && !la.equals(lb) && ((List<?>) b.get("members")).size() > 1) {
            boolean known = false;
            for (Object m : (List<?>) a.get("members"))
                if (((Map<?, ?>) m).get("id").equals(lb)) known = true;
            if (known) l.add("leader");
        }
        if (!Objects.equals(a.get("generation"), b.get("generation"))
                && c.numMembers() > 1
                && c.protocolName().isPresent()) {
            Set<String> cand = new HashSet<>();
            c.supportedProtocols()
                    .forEach(
                            (k, v) -> {
                                if (v == c.numMembers()) cand.add(k);
                            });
            Map<String, Integer> votes = new HashMap<>();
            for (ClassicGroupMember m : c.allMembers()) {
                for (JoinGroupRequestData.JoinGroupRequestProtocol p : m.supportedProtocols()) {
                    if (cand.contains(p.name())) {
                        votes.merge(p.name(), 1, Integer::sum);
                        break;
                    }
                }
            }
            int max = votes.values().stream().mapToInt(x -> x).max().orElse(0);
            if (votes.values().stream().filter(x -> x == max).count() > 1) l.add("protocol");
        }
        return l;
    }

    static String hex(byte[] b) {
        StringBuilder sb = new StringBuilder();
        for (byte x : b) sb.append(String.format("%02x", x));
        return sb.toString();
    }

    static byte[] unhex(String s) {
        byte[] b = new byte[s.length() / 2];
        for (int i = 0; i < b.length; i++)
            b[i] = (byte) Integer.parseInt(s.substring(2 * i, 2 * i + 2), 16);
        return b;
    }

    static byte[] subscription(List<String> topics) {
        ByteBuffer bb =
                ConsumerProtocol.serializeSubscription(
                        new ConsumerPartitionAssignor.Subscription(topics), (short) 0);
        byte[] b = new byte[bb.remaining()];
        bb.get(b);
        return b;
    }
}
