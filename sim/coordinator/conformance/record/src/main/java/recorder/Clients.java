package recorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A population of clients that do what Kafka's clients do, and what they learn from the answers.
 */
abstract class Clients {
    Clients(long seed, Options options) {
        random = new Random(seed * 7919 + options.family.hashCode());
        this.options = options;
    }

    /** Does one of the actions of Options. */
    abstract void act(String action);

    final Random random;
    final Options options;
    Broker broker;
    long t = 0;
    final List<Client> clients = new ArrayList<>();
    final Map<Integer, Client> joinBy = new HashMap<>();
    final Map<Integer, Client> syncBy = new HashMap<>();
    final Map<Integer, Client> othersBy = new HashMap<>();
    final Set<String> seen = new LinkedHashSet<>();
    final List<String> groups = new ArrayList<>();
    long nextOffset = 1;
    int instSeq = 0;
    String commonProto;

    static final String[] NAMES = {"range", "roundrobin", "sticky", "cooperative-sticky"};

    int pick(int[] a) {
        return a[random.nextInt(a.length)];
    }

    <T> T pick(List<T> a) {
        return a.get(random.nextInt(a.size()));
    }

    boolean p(double x) {
        return random.nextDouble() < x;
    }

    List<Proto> protos(String type) {
        List<Proto> l = new ArrayList<>();
        if (type.equals("consumer")) {
            List<String> names = new ArrayList<>(List.of(NAMES));
            names.remove(commonProto);
            Collections.shuffle(names, random);
            int extra = p(0.5) ? 0 : 1 + random.nextInt(2);
            List<String> use = new ArrayList<>(names.subList(0, extra));
            if (!p(0.02)) use.add(random.nextInt(use.size() + 1), commonProto);
            if (use.isEmpty()) use.add(commonProto);
            List<String> topics = topics();
            for (String n : use) l.add(p(0.01) ? Proto.raw(n, "00") : Proto.of(n, topics));
        } else {
            l.add(Proto.raw("default", String.format("%04x", random.nextInt(65536))));
            if (p(0.5))
                l.add(0, Proto.raw("compatible", String.format("%04x", random.nextInt(65536))));
        }
        return l;
    }

    List<String> topics() {
        List<String> ts = new ArrayList<>();
        for (String x : List.of("t1", "t2", "t3")) if (p(0.45)) ts.add(x);
        if (ts.isEmpty()) ts.add("t1");
        return ts;
    }

    Client client() {
        Client c = new Client();
        c.group = pick(groups);
        c.clientId = p(0.02) ? "" : "c" + (1 + random.nextInt(4));
        boolean st = p(options.staticShare);
        c.instanceId = st ? "i" + (++instSeq) : null;
        c.type = options.types[random.nextInt(options.types.length)];
        c.protos = protos(c.type);
        c.session = pick(options.sessions);
        c.rebalance = pick(options.rebalances);
        c.joinVersion =
                st ? (p(0.6) ? 9 : 5 + random.nextInt(5)) : (p(0.45) ? 9 : random.nextInt(10));
        if (st && c.joinVersion < 5) c.joinVersion = 5;
        c.heartbeatVersion = st ? 3 + random.nextInt(2) : random.nextInt(5);
        c.syncVersion = st ? 3 + random.nextInt(3) : random.nextInt(6);
        c.leaveVersion = st ? 3 + random.nextInt(3) : random.nextInt(6);
        return c;
    }

    VirtualTimer.Armed nextTimer() {
        for (VirtualTimer.Armed a : broker.timer.live())
            if (!Coordinator.hidden(a.key) && !"expire-group-metadata".equals(a.key)) return a;
        return null;
    }

    void tick() {
        double x = random.nextDouble();
        if (x < options.jump) {
            VirtualTimer.Armed a = nextTimer();
            if (a != null && a.deadline - t < 400000) {
                long d = a.deadline + random.nextInt(3) - 1;
                if (d > t) t = d;
                return;
            }
        }
        if (x > 1 - options.longJump) {
            t += 10000 + random.nextInt(60000);
            return;
        }
        if (x > 0.86) {
            t += 500 + random.nextInt(4000);
            return;
        }
        if (x > 0.3) {
            t += random.nextInt(400);
            return;
        }
    }

    void tick2() {
        t += p(0.8) ? random.nextInt(200) : random.nextInt(3000);
    }

    void learn() {
        List<Map<String, Object>> rs = new ArrayList<>(broker.replies);
        broker.replies.clear();
        for (Map<String, Object> m : rs) {
            int n = (Integer) m.get("reply");
            String err = String.valueOf(m.get("error"));
            switch ((String) m.get("api")) {
                case "join":
                    {
                        Client c = joinBy.remove(n);
                        String mid = (String) m.get("memberId");
                        if (mid != null && mid.startsWith("M")) seen.add(mid);
                        if (c == null) break;
                        c.joinOut = false;
                        if (err.equals("NONE")) {
                            c.memberId = mid;
                            c.gen = (Integer) m.get("generation");
                            c.leader = (String) m.get("leader");
                            c.proto = (String) m.get("protocol");
                            List<String> ms = new ArrayList<>();
                            for (Object x : (List<?>) m.get("members"))
                                ms.add((String) ((Map<?, ?>) x).get("memberId"));
                            c.members = ms;
                            c.needSync = true;
                            c.stable = false;
                        } else if (err.equals("MEMBER_ID_REQUIRED")) {
                            c.memberId = mid;
                            c.stable = false;
                        } else if (err.equals("UNKNOWN_MEMBER_ID")) {
                            c.memberId = "";
                            c.stable = false;
                            c.gen = -1;
                        } else if (err.equals("FENCED_INSTANCE_ID")) {
                            c.memberId = "";
                            c.stable = false;
                            c.dead = p(0.7);
                        } else {
                            if (p(0.3)) c.memberId = "";
                            c.stable = false;
                        }
                        break;
                    }
                case "sync":
                    {
                        Client c = syncBy.remove(n);
                        if (c == null) break;
                        c.syncOut = false;
                        if (err.equals("NONE")) {
                            c.needSync = false;
                            c.stable = true;
                        } else lost(c, err);
                        break;
                    }
                case "heartbeat":
                case "commit":
                    {
                        Client c = othersBy.remove(n);
                        if (c == null || err.equals("NONE") || err.contains("OFFSET_METADATA"))
                            break;
                        lost(c, err);
                        break;
                    }
                default:
            }
        }
    }

    void lost(Client c, String err) {
        c.needSync = false;
        c.stable = false;
        if (err.equals("UNKNOWN_MEMBER_ID") || err.equals("ILLEGAL_GENERATION") && p(0.3)) {
            c.memberId = "";
            c.gen = -1;
        }
        if (err.equals("FENCED_INSTANCE_ID")) {
            c.memberId = "";
            c.gen = -1;
            c.dead = p(0.7);
        }
    }

    void join(Client c) {
        if (!c.dead && !c.memberId.isEmpty() && p(0.08))
            c.protos = p(0.5) ? protos(c.type) : retopic(c.protos);
        if (p(0.03)) {
            c.session = pick(options.sessions);
            c.rebalance = pick(options.rebalances);
        }
        Join j = new Join();
        j.v = c.joinVersion;
        j.group = c.group;
        j.memberId = c.memberId;
        j.instanceId = c.instanceId;
        j.clientId = c.clientId;
        j.session = c.session;
        j.rebalance = c.rebalance;
        j.type = c.type;
        j.protos = c.protos;
        if (c.joinVersion >= 8)
            j.reason = p(0.5) ? "rebalance enforced by user" : (p(0.2) ? "" : null);
        int n = broker.nextRequest();
        joinBy.values().removeIf(x -> x == c);
        joinBy.put(n, c);
        c.joinOut = true;
        c.syncOut = false;
        c.needSync = false;
        c.stable = false;
        broker.join(t, j);
        learn();
    }

    List<Proto> retopic(List<Proto> l) {
        List<String> ts = topics();
        List<Proto> x = new ArrayList<>();
        for (Proto q : l) x.add(q.topics() == null ? q : Proto.of(q.name(), ts));
        if (p(0.2)) Collections.reverse(x);
        return x;
    }

    void sync(Client c) {
        Map<String, String> as = new LinkedHashMap<>();
        if (c.memberId.equals(c.leader)) {
            int k = 0;
            for (String m : c.members)
                if (!p(0.03)) as.put(m, p(0.02) ? "" : String.format("%02x%02x", c.gen & 255, ++k));
            if (p(0.03)) as.put("zzz", "ff");
        }
        int n = broker.nextRequest();
        syncBy.values().removeIf(x -> x == c);
        syncBy.put(n, c);
        c.syncOut = true;
        String ty = c.syncVersion >= 5 ? c.type : null;
        String pn = c.syncVersion >= 5 ? c.proto : null;
        broker.sync(t, c.syncVersion, c.group, c.memberId, c.instanceId, c.gen, ty, pn, as);
        learn();
    }

    void heartbeat(Client c) {
        othersBy.put(broker.nextRequest(), c);
        broker.heartbeat(t, c.heartbeatVersion, c.group, c.memberId, c.instanceId, c.gen);
        learn();
    }

    List<Off> offsets() {
        List<Off> l = new ArrayList<>();
        int n = 1 + (p(0.3) ? random.nextInt(3) : 0);
        for (int i = 0; i < n; i++) {
            String md =
                    p(0.75)
                            ? ""
                            : p(0.75)
                                    ? "m" + random.nextInt(100)
                                    : p(0.2) ? null : "a metadata string over the limit";
            l.add(
                    new Off(
                            "t" + (1 + random.nextInt(3)),
                            random.nextInt(2),
                            nextOffset++,
                            p(0.2) ? random.nextInt(5) : -1,
                            md));
        }
        return l;
    }

    int commitVersion() {
        return p(0.5) ? 9 : 2 + random.nextInt(8);
    }

    void commit(Client c) {
        othersBy.put(broker.nextRequest(), c);
        int v = c.instanceId == null ? commitVersion() : 7 + random.nextInt(3);
        long ret = v <= 4 && p(0.5) ? 1000L * (1 + random.nextInt(600)) : -1;
        broker.commit(t, v, c.group, c.memberId, c.instanceId, c.gen, ret, offsets());
        learn();
    }

    Map<String, List<Integer>> partitions() {
        Map<String, List<Integer>> m = new LinkedHashMap<>();
        for (String x : List.of("t1", "t2", "t3"))
            if (p(0.5)) m.put(x, p(0.5) ? List.of(0) : List.of(0, 1));
        if (m.isEmpty()) m.put("t1", List.of(0));
        return m;
    }

    void proper(Client c) {
        if (c.dead) {
            if (p(0.3)) {
                c.dead = false;
                c.memberId = "";
            } else {
                act("hostile");
                return;
            }
        }
        if (c.joinOut) {
            if (p(0.12) && c.memberId.startsWith("M")) heartbeat(c);
            else otherThan(c);
            return;
        }
        if (c.syncOut) {
            if (p(0.5)) heartbeat(c);
            else otherThan(c);
            return;
        }
        if (c.needSync) {
            if (p(0.9)) sync(c);
            else heartbeat(c);
            return;
        }
        if (!c.stable) {
            join(c);
            return;
        }
        double x = random.nextDouble();
        if (x < 0.62) heartbeat(c);
        else if (x < 0.80) commit(c);
        else if (x < 0.85) {
            broker.fetch(t, 8, c.group, "", -1, p(0.5), p(0.5) ? null : partitions());
            learn();
        } else if (x < 0.93) join(c);
        else if (x < 0.97) sync(c);
        else leave(c);
    }

    void next(Client c) {
        if (c.needSync) sync(c);
        else if (!c.stable) join(c);
        else heartbeat(c);
    }

    void otherThan(Client c) {
        for (int i = 0; i < 4; i++) {
            Client d = pick(clients);
            if (d != c && !d.joinOut && !d.syncOut && !d.dead) {
                proper(d);
                return;
            }
        }
        VirtualTimer.Armed a = nextTimer();
        if (a != null && a.deadline - t < 70000 && a.deadline >= t) {
            t = a.deadline;
            broker.advance(t);
            learn();
        } else act("hostile");
    }

    void leave(Client c) {
        if (c.memberId.isEmpty() && c.instanceId == null) {
            join(c);
            return;
        }
        String reason =
                c.leaveVersion >= 5
                        ? (p(0.5) ? "the consumer is being closed" : p(0.3) ? "" : null)
                        : null;
        if (c.leaveVersion <= 2)
            broker.leave(t, c.leaveVersion, c.group, List.of(new Leaver(c.memberId, null, null)));
        else
            broker.leave(
                    t,
                    c.leaveVersion,
                    c.group,
                    List.of(
                            new Leaver(
                                    c.instanceId != null && p(0.3) ? "" : c.memberId,
                                    c.instanceId,
                                    reason)));
        c.memberId = "";
        c.gen = -1;
        c.stable = false;
        c.needSync = false;
        c.joinOut = false;
        c.syncOut = false;
        joinBy.values().removeIf(x -> x == c);
        syncBy.values().removeIf(x -> x == c);
        learn();
    }
}
