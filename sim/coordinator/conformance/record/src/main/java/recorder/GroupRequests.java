package recorder;

import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The requests about groups: one op each. */
abstract class GroupRequests extends Recording {
    GroupRequests(Settings settings, long idSeed) {
        super(settings, idSeed);
    }

    int join(long t, Join j) {
        int n = ++req;
        names.addPrefix(j.clientId);
        names.addPrefix(j.instanceId);
        names.groups.add(j.group);
        List<Object> ps = new ArrayList<>();
        for (Proto p : j.protos) {
            Map<String, Object> x = Json.obj("name", p.name(), "metadata", Snapshot.hex(p.meta()));
            if (p.topics() != null) x.put("topics", new ArrayList<Object>(p.topics()));
            ps.add(x);
        }
        Map<String, Object> in =
                in(
                        "join",
                        "req", n,
                        "v", j.v,
                        "group", j.group,
                        "memberId", j.memberId,
                        "instanceId", j.instanceId,
                        "clientId", j.clientId,
                        "sessionTimeoutMs", j.session,
                        "rebalanceTimeoutMs", j.rebalance,
                        "protocolType", j.type,
                        "protocols", ps,
                        "reason", j.reason);
        begin(t, in);
        JoinGroupRequestData.JoinGroupRequestProtocolCollection pc =
                new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
        for (Proto p : j.protos)
            pc.add(
                    new JoinGroupRequestData.JoinGroupRequestProtocol()
                            .setName(p.name())
                            .setMetadata(p.meta()));
        JoinGroupRequestData d =
                new JoinGroupRequestData()
                        .setGroupId(j.group)
                        .setMemberId(names.real(j.memberId))
                        .setGroupInstanceId(j.instanceId)
                        .setSessionTimeoutMs(j.session)
                        .setRebalanceTimeoutMs(j.v == 0 ? -1 : j.rebalance)
                        .setProtocolType(j.type)
                        .setProtocols(pc)
                        .setReason(j.reason);
        d = new JoinGroupRequest(d, (short) j.v).data();
        int v = j.v;
        watch(
                "join", n,
                service.joinGroup(
                        ctx(ApiKeys.JOIN_GROUP, v, j.clientId), d, BufferSupplier.NO_CACHING),
                r0 -> {
                    JoinGroupResponseData r = new JoinGroupResponse(r0, (short) v).data();
                    Map<String, Object> e =
                            Json.obj(
                                    "error", err(r.errorCode()),
                                    "memberId", names.id(r.memberId()),
                                    "generation", r.generationId(),
                                    "protocolType", r.protocolType(),
                                    "protocol", r.protocolName(),
                                    "leader", names.id(r.leader()),
                                    "skipAssignment", r.skipAssignment());
                    TreeMap<String, Object> ms = new TreeMap<>(Names::byId);
                    for (JoinGroupResponseData.JoinGroupResponseMember m : r.members()) {
                        Map<String, Object> x = Json.obj("memberId", names.id(m.memberId()));
                        if (m.groupInstanceId() != null) x.put("instanceId", m.groupInstanceId());
                        x.put("metadata", Snapshot.hex(m.metadata()));
                        ms.put(names.id(m.memberId()), x);
                    }
                    e.put("members", new ArrayList<>(ms.values()));
                    return e;
                });
        end();
        return n;
    }

    int sync(
            long t,
            int v,
            String group,
            String memberId,
            String instanceId,
            int generation,
            String type,
            String proto,
            Map<String, String> assignments) {
        int n = ++req;
        names.groups.add(group);
        Map<String, Object> as = new LinkedHashMap<>(assignments);
        begin(
                t,
                in(
                        "sync",
                        "req", n,
                        "v", v,
                        "group", group,
                        "memberId", memberId,
                        "instanceId", instanceId,
                        "generation", generation,
                        "protocolType", type,
                        "protocol", proto,
                        "assignments", as));
        List<SyncGroupRequestData.SyncGroupRequestAssignment> l = new ArrayList<>();
        assignments.forEach(
                (m, h) ->
                        l.add(
                                new SyncGroupRequestData.SyncGroupRequestAssignment()
                                        .setMemberId(names.real(m))
                                        .setAssignment(Snapshot.unhex(h))));
        SyncGroupRequestData d =
                new SyncGroupRequestData()
                        .setGroupId(group)
                        .setMemberId(names.real(memberId))
                        .setGroupInstanceId(instanceId)
                        .setGenerationId(generation)
                        .setProtocolType(type)
                        .setProtocolName(proto)
                        .setAssignments(l);
        watch(
                "sync", n,
                service.syncGroup(ctx(ApiKeys.SYNC_GROUP, v, "c1"), d, BufferSupplier.NO_CACHING),
                r ->
                        Json.obj(
                                "error", err(r.errorCode()),
                                "protocolType", r.protocolType(),
                                "protocol", r.protocolName(),
                                "assignment", Snapshot.hex(r.assignment())));
        end();
        return n;
    }

    int heartbeat(long t, int v, String group, String memberId, String instanceId, int generation) {
        int n = ++req;
        names.groups.add(group);
        begin(
                t,
                in(
                        "heartbeat",
                        "req", n,
                        "v", v,
                        "group", group,
                        "memberId", memberId,
                        "instanceId", instanceId,
                        "generation", generation));
        HeartbeatRequestData d =
                new HeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId(names.real(memberId))
                        .setGroupInstanceId(instanceId)
                        .setGenerationId(generation);
        watch(
                "heartbeat", n,
                service.heartbeat(ctx(ApiKeys.HEARTBEAT, v, "c1"), d),
                r -> Json.obj("error", err(r.errorCode())));
        end();
        return n;
    }

    int leave(long t, int v, String group, List<Leaver> ls) {
        int n = ++req;
        names.groups.add(group);
        List<Object> ms = new ArrayList<>();
        for (Leaver l : ls) {
            Map<String, Object> x =
                    Json.obj("memberId", l.memberId(), "instanceId", l.instanceId());
            if (l.reason() != null) x.put("reason", l.reason());
            ms.add(x);
        }
        begin(t, in("leave", "req", n, "v", v, "group", group, "members", ms));
        LeaveGroupRequestData d = new LeaveGroupRequestData().setGroupId(group);
        if (v <= 2) {
            d.setMemberId(names.real(ls.get(0).memberId()));
        } else {
            List<LeaveGroupRequestData.MemberIdentity> l = new ArrayList<>();
            for (Leaver x : ls)
                l.add(
                        new LeaveGroupRequestData.MemberIdentity()
                                .setMemberId(names.real(x.memberId()))
                                .setGroupInstanceId(x.instanceId())
                                .setReason(x.reason()));
            d.setMembers(l);
        }
        LeaveGroupRequestData nd = normalizedLeave(d, (short) v);
        watch(
                "leave", n,
                service.leaveGroup(ctx(ApiKeys.LEAVE_GROUP, v, "c1"), nd),
                r0 -> {
                    LeaveGroupResponseData r = new LeaveGroupResponse(r0, (short) v).data();
                    Map<String, Object> e = Json.obj("error", err(r.errorCode()));
                    List<Object> l = new ArrayList<>();
                    for (LeaveGroupResponseData.MemberResponse m : r.members())
                        l.add(
                                Json.obj(
                                        "memberId", names.id(m.memberId()),
                                        "instanceId", m.groupInstanceId(),
                                        "error", err(m.errorCode())));
                    e.put("members", l);
                    return e;
                });
        end();
        return n;
    }

    private static LeaveGroupRequestData normalizedLeave(LeaveGroupRequestData d, short v) {
        if (v >= 3) return d;
        return new LeaveGroupRequestData()
                .setGroupId(d.groupId())
                .setMembers(
                        List.of(
                                new LeaveGroupRequestData.MemberIdentity()
                                        .setMemberId(d.memberId())));
    }

    int describe(long t, int v, List<String> gs) {
        int n = ++req;
        names.groups.addAll(gs);
        begin(t, in("describe", "req", n, "v", v, "groups", new ArrayList<Object>(gs)));
        watch(
                "describe", n,
                service.describeGroups(ctx(ApiKeys.DESCRIBE_GROUPS, v, "c1"), gs),
                r -> {
                    TreeMap<String, Object> l = new TreeMap<>();
                    for (DescribeGroupsResponseData.DescribedGroup g : r) {
                        Map<String, Object> e =
                                Json.obj("group", g.groupId(), "error", err(g.errorCode()));
                        if (g.errorMessage() != null) e.put("message", g.errorMessage());
                        e.put("state", g.groupState());
                        e.put("protocolType", g.protocolType());
                        e.put("protocol", g.protocolData());
                        TreeMap<String, Object> ms = new TreeMap<>(Names::byId);
                        for (DescribeGroupsResponseData.DescribedGroupMember m : g.members()) {
                            ms.put(
                                    names.id(m.memberId()),
                                    Json.obj(
                                            "memberId", names.id(m.memberId()),
                                            "instanceId", m.groupInstanceId(),
                                            "clientId", m.clientId(),
                                            "clientHost", m.clientHost(),
                                            "metadata", Snapshot.hex(m.memberMetadata()),
                                            "assignment", Snapshot.hex(m.memberAssignment())));
                        }
                        e.put("members", new ArrayList<>(ms.values()));
                        l.put(g.groupId(), e);
                    }
                    return Json.obj("error", "NONE", "groups", new ArrayList<>(l.values()));
                });
        end();
        return n;
    }

    int list(long t, int v, List<String> states, List<String> types) {
        int n = ++req;
        begin(
                t,
                in(
                        "list",
                        "req", n,
                        "v", v,
                        "states", new ArrayList<Object>(states),
                        "types", new ArrayList<Object>(types)));
        ListGroupsRequestData d =
                new ListGroupsRequestData().setStatesFilter(states).setTypesFilter(types);
        watch(
                "list", n,
                service.listGroups(ctx(ApiKeys.LIST_GROUPS, v, "c1"), d),
                r -> {
                    TreeMap<String, Object> l = new TreeMap<>();
                    for (ListGroupsResponseData.ListedGroup g : r.groups())
                        l.put(
                                g.groupId(),
                                Json.obj(
                                        "group", g.groupId(),
                                        "protocolType", g.protocolType(),
                                        "state", g.groupState(),
                                        "type", g.groupType()));
                    return Json.obj(
                            "error", err(r.errorCode()), "groups", new ArrayList<>(l.values()));
                });
        end();
        return n;
    }

    int deleteGroups(long t, List<String> gs) {
        int n = ++req;
        names.groups.addAll(gs);
        Map<String, Object> in = in("delete-group", "req", n, "groups", new ArrayList<Object>(gs));
        begin(t, in);
        watch(
                "delete-group", n,
                service.deleteGroups(
                        ctx(ApiKeys.DELETE_GROUPS, 2, "c1"), gs, BufferSupplier.NO_CACHING),
                r -> {
                    TreeMap<String, Object> l = new TreeMap<>();
                    for (DeleteGroupsResponseData.DeletableGroupResult x : r) {
                        l.put(
                                x.groupId(),
                                Json.obj("group", x.groupId(), "error", err(x.errorCode())));
                    }
                    return Json.obj("error", "NONE", "groups", new ArrayList<>(l.values()));
                });
        end();
        return n;
    }
}
