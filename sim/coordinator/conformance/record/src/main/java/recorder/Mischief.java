package recorder;

import org.apache.kafka.coordinator.group.classic.ClassicGroup;
import org.apache.kafka.coordinator.group.classic.ClassicGroupMember;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests that are wrong on purpose. */
abstract class Mischief extends Clients {
    Mischief(long seed, Options options) {
        super(seed, options);
    }

    void hostile(String g) {
        String id = anyId();
        switch (random.nextInt(13)) {
            case 0:
                broker.heartbeat(
                        t, 3, p(0.05) ? "" : p(0.05) ? "nogroup" : g, id, anyInst(id), anyGen(g));
                break;
            case 1:
                {
                    Map<String, String> as = new LinkedHashMap<>();
                    if (p(0.5))
                        for (String m : List.of(id, anyId(), anyId()))
                            if (!m.isEmpty()) as.put(m, "ee");
                    int v = 3 + random.nextInt(3);
                    ClassicGroup cg = broker.classic(g);
                    String ty =
                            v >= 5
                                    ? p(0.8)
                                            ? cg == null
                                                    ? "consumer"
                                                    : cg.protocolType().orElse("consumer")
                                            : "other"
                                    : null;
                    String pn =
                            v >= 5
                                    ? p(0.8)
                                            ? cg == null
                                                    ? "range"
                                                    : cg.protocolName().orElse("range")
                                            : "other"
                                    : null;
                    broker.sync(
                            t,
                            v,
                            p(0.05) ? "" : p(0.05) ? "nogroup" : g,
                            id,
                            anyInst(id),
                            anyGen(g),
                            ty,
                            pn,
                            as);
                    break;
                }
            case 2:
            case 3:
            case 4:
                {
                    Join j = base(g);
                    j.v = 5 + random.nextInt(5);
                    j.memberId = id;
                    j.instanceId = anyInst(id);
                    Client c = ownerOf(id);
                    if (c != null && p(0.6)) {
                        j.protos = c.protos;
                        j.type = c.type;
                        j.session = c.session;
                        j.rebalance = c.rebalance;
                    }
                    broker.join(t, j);
                    break;
                }
            case 5:
                {
                    Join j = base(g);
                    j.session = p(0.5) ? 999 : p(0.5) ? 300001 : p(0.5) ? 1000 : 300000;
                    j.memberId = p(0.3) ? id : "";
                    broker.join(t, j);
                    break;
                }
            case 6:
                {
                    Join j = base(g);
                    j.protos = p(0.5) ? List.of() : List.of(Proto.raw("exotic", "01"));
                    j.memberId = p(0.5) ? id : "";
                    if (p(0.3)) j.instanceId = anyInst(j.memberId);
                    j.v = 9;
                    broker.join(t, j);
                    break;
                }
            case 7:
                {
                    Join j = base(g);
                    j.type = p(0.4) ? "" : "connect";
                    j.memberId = p(0.5) ? id : "";
                    broker.join(t, j);
                    break;
                }
            case 8:
                {
                    Join j = base(p(0.3) ? "" : "nogroup");
                    j.memberId = p(0.6) ? id : "";
                    broker.join(t, j);
                    break;
                }
            case 9:
                broker.leave(
                        t,
                        random.nextInt(3),
                        p(0.1) ? "nogroup" : g,
                        List.of(new Leaver(id, null, null)));
                break;
            case 10:
                {
                    String in = anyInst(id);
                    broker.leave(
                            t,
                            3 + random.nextInt(3),
                            p(0.06) ? "nogroup" : p(0.06) ? "" : g,
                            List.of(new Leaver(p(0.3) ? "" : id, in, null)));
                    break;
                }
            case 11:
                {
                    Join j = base(g);
                    j.memberId = "";
                    j.v = p(0.5) ? 9 : random.nextInt(10);
                    if (j.v >= 5 && options.staticShare > 0 && p(0.3))
                        j.instanceId = "i" + (1 + random.nextInt(Math.max(1, instSeq)));
                    broker.join(t, j);
                    break;
                }
            default:
                {
                    ClassicGroup cg = broker.classic(g);
                    if (cg != null && cg.numMembers() > 0) {
                        Map<String, String> as = new LinkedHashMap<>();
                        as.put(id, "dd");
                        broker.sync(
                                t,
                                4,
                                g,
                                id,
                                instOf(id),
                                cg.generationId(),
                                null,
                                null,
                                p(0.5) ? as : Map.of());
                    } else broker.heartbeat(t, 4, g, id, null, anyGen(g));
                }
        }
        learn();
    }

    Join base(String g) {
        Join j = new Join();
        j.group = g;
        j.v = 9;
        j.session = pick(options.sessions);
        j.rebalance = pick(options.rebalances);
        j.type = options.types[0];
        j.protos = protos(j.type);
        return j;
    }

    String anyId() {
        double x = random.nextDouble();
        List<String> cur = new ArrayList<>();
        for (String g : groups) {
            ClassicGroup cg = broker.classic(g);
            if (cg != null)
                for (ClassicGroupMember m : cg.allMembers()) cur.add(broker.names.id(m.memberId()));
        }
        if (x < 0.55 && !cur.isEmpty()) return pick(cur);
        if (x < 0.9 && !seen.isEmpty()) return pick(new ArrayList<>(seen));
        return x < 0.97 ? "zzz" : "";
    }

    String instOf(String id) {
        for (String g : groups) {
            ClassicGroup cg = broker.classic(g);
            if (cg != null && cg.hasMember(broker.names.real(id)))
                return cg.member(broker.names.real(id)).groupInstanceId().orElse(null);
        }
        return null;
    }

    String anyInst(String id) {
        double x = random.nextDouble();
        if (x < 0.6) return instOf(id);
        if (x < 0.75) return null;
        if (x < 0.92 && instSeq > 0) return "i" + (1 + random.nextInt(instSeq));
        return p(0.5) ? null : "i99";
    }

    int anyGen(String g) {
        ClassicGroup cg = broker.classic(g);
        int cur = cg == null ? random.nextInt(3) : cg.generationId();
        double x = random.nextDouble();
        return x < 0.6 ? cur : x < 0.75 ? cur - 1 : x < 0.85 ? cur + 1 : x < 0.95 ? -1 : 0;
    }

    Client ownerOf(String id) {
        for (Client c : clients) if (c.memberId.equals(id) && !id.isEmpty()) return c;
        return null;
    }

    void fence() {
        // the instance id of a current static member together with another member id, or a wrong
        // pair
        List<String[]> st = new ArrayList<>();
        for (String gg : groups) {
            ClassicGroup cg = broker.classic(gg);
            if (cg != null)
                for (ClassicGroupMember m : cg.allMembers())
                    if (m.isStaticMember())
                        st.add(
                                new String[] {
                                    gg, broker.names.id(m.memberId()), m.groupInstanceId().get()
                                });
        }
        if (st.isEmpty()) {
            proper(pick(clients));
            return;
        }
        String[] s = pick(st);
        ClassicGroup cg = broker.classic(s[0]);
        List<String> others = new ArrayList<>(seen);
        for (ClassicGroupMember m : cg.allMembers()) others.add(broker.names.id(m.memberId()));
        others.remove(s[1]);
        String other = others.isEmpty() || p(0.15) ? "zzz" : pick(others);
        int gen = p(0.8) ? cg.generationId() : anyGen(s[0]);
        switch (random.nextInt(6)) {
            case 0:
                broker.heartbeat(t, 3, s[0], other, s[2], gen);
                break;
            case 1:
                broker.sync(t, 4, s[0], other, s[2], gen, null, null, Map.of());
                break;
            case 2:
                {
                    Join j = base(s[0]);
                    j.v = 5 + random.nextInt(5);
                    j.memberId = other;
                    j.instanceId = s[2];
                    j.protos =
                            List.of(Proto.of(cg.protocolName().orElse(commonProto), List.of("t1")));
                    j.type = cg.protocolType().orElse("consumer");
                    broker.join(t, j);
                    break;
                }
            case 3:
                broker.leave(
                        t, 3 + random.nextInt(3), s[0], List.of(new Leaver(other, s[2], null)));
                break;
            case 4:
                broker.commit(t, 7 + random.nextInt(3), s[0], other, s[2], gen, -1, offsets());
                break;
            default:
                broker.txnCommit(
                        t, 3 + random.nextInt(2), s[0], other, s[2], gen, 100, 0, offsets());
        }
        learn();
    }

    void syncBad(String g) {
        ClassicGroup cg = broker.classic(g);
        if (cg == null || cg.numMembers() == 0) {
            proper(pick(clients));
            return;
        }
        List<ClassicGroupMember> ms = new ArrayList<>(cg.allMembers());
        ClassicGroupMember m = pick(ms);
        String id = broker.names.id(m.memberId());
        boolean bt = p(0.5);
        broker.sync(
                t,
                5,
                g,
                id,
                m.groupInstanceId().orElse(null),
                cg.generationId(),
                bt ? "other" : cg.protocolType().orElse("consumer"),
                bt && p(0.5) ? cg.protocolName().orElse("range") : "other",
                p(0.5) ? Map.of(id, "bb") : Map.of());
        learn();
    }

    void wrongGen(String g) {
        ClassicGroup cg = broker.classic(g);
        if (cg == null || cg.numMembers() == 0) {
            proper(pick(clients));
            return;
        }
        ClassicGroupMember m = pick(new ArrayList<>(cg.allMembers()));
        String id = broker.names.id(m.memberId());
        String in = m.groupInstanceId().orElse(null);
        int gen = cg.generationId() + (p(0.5) ? 1 : -1);
        switch (random.nextInt(4)) {
            case 0:
                broker.heartbeat(t, 4, g, id, in, gen);
                break;
            case 1:
                broker.sync(t, 4, g, id, in, gen, null, null, Map.of());
                break;
            case 2:
                broker.commit(t, 9, g, id, in, gen, -1, offsets());
                break;
            default:
                broker.txnCommit(t, 3, g, id, in, gen, 100, 0, offsets());
        }
        learn();
    }

    void badCommit(String g) {
        String id = anyId();
        int v = p(0.5) ? 9 : 7 + random.nextInt(3);
        broker.commit(t, v, p(0.1) ? "nogroup" : g, id, anyInst(id), anyGen(g), -1, offsets());
        learn();
    }

    void txnMember(String g) {
        ClassicGroup cg = broker.classic(g);
        if (cg == null || cg.numMembers() == 0) {
            act("txn");
            return;
        }
        ClassicGroupMember m = pick(new ArrayList<>(cg.allMembers()));
        broker.txnCommit(
                t,
                3 + random.nextInt(3),
                g,
                broker.names.id(m.memberId()),
                m.groupInstanceId().orElse(null),
                cg.generationId(),
                100 + random.nextInt(2),
                0,
                offsets());
        learn();
        if (p(0.5)) {
            broker.fetch(t, 8, g, "", -1, true, partitions());
            learn();
        }
    }

    void txn(String g) {
        long pid = 100 + random.nextInt(2);
        double x = random.nextDouble();
        if (x < 0.6) {
            String id = p(0.5) ? "" : anyId();
            boolean plain = id.isEmpty();
            broker.txnCommit(
                    t,
                    plain ? p(0.5) ? random.nextInt(3) : 3 : 3 + random.nextInt(2),
                    p(0.05) ? "nogroup" : g,
                    id,
                    plain ? null : anyInst(id),
                    plain ? -1 : anyGen(g),
                    pid,
                    0,
                    offsets());
        } else {
            broker.txnEnd(t, pid, 0, p(0.65));
        }
        learn();
    }
}
