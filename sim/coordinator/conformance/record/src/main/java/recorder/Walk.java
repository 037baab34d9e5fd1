package recorder;

import org.apache.kafka.coordinator.group.classic.ClassicGroup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A random walk over the classic protocol: proper, sloppy and hostile clients of one broker. */
final class Walk extends Outages {
    private final long seed;
    private final List<String> actions = new ArrayList<>();

    Walk(long seed, Options options) {
        super(seed, options);
        this.seed = seed;
    }

    /** Records one walk. */
    Broker run() {
        Settings c = new Settings();
        c.initialDelay = pick(options.delays);
        c.maxSize = pick(options.sizes);
        c.minSession = 1000;
        c.maxSession = 300000;
        c.metadataMax = 16;
        c.retentionMinutes = options.retentionMinutes;
        c.retentionCheckMs = options.checkMs;
        commonProto = NAMES[random.nextInt(NAMES.length)];
        boolean zero = false;
        for (int x : options.rebalances) if (x == 0) zero = true;
        if (zero) {
            // a group of static members with rebalance timeout 0 re-arms its join timer without end
            //
            if (p(0.4)) options.staticShare = 0;
            else
                options.rebalances = Arrays.stream(options.rebalances).filter(x -> x > 0).toArray();
        }
        for (int i = 0; i < options.groups; i++) groups.add(i == 0 ? "g" : "g" + (i + 1));
        broker = new Broker(c, seed);
        broker.names.groups.addAll(groups);
        for (Map.Entry<String, Integer> x : options.w.entrySet())
            for (int i = 0; i < x.getValue(); i++) actions.add(x.getKey());
        int n = 1 + random.nextInt(options.maxClients);
        for (int i = 0; i < n; i++) clients.add(client());
        int ops = options.minOps + random.nextInt(options.maxOps - options.minOps + 1);
        if (options.w.containsKey("unload") && p(0.2)) {
            act("hostile");
        }
        broker.load(t, false);
        while (broker.lines.size() < ops) {
            tick();
            act(actions.get(random.nextInt(actions.size())));
        }
        // let everything run out now and then, so that expiry of a whole group is seen
        if (p(0.35)) {
            if (broker.queue.holdFlush) broker.appendOk(t);
            if (broker.log.holdCommit) broker.commitOk(t);
            for (int i = 0; i < 6; i++) {
                VirtualTimer.Armed a = nextTimer();
                if (a == null || a.deadline - t > 700000) break;
                t = Math.max(t, a.deadline);
                broker.advance(t);
                learn();
            }
        }
        return broker;
    }

    @Override
    void act(String action) {
        String g = pick(groups);
        switch (action) {
            case "proper" -> {
                proper(pick(clients));
            }
            case "round" -> round(g);
            case "settle" -> settle(g);
            case "heartbeats" -> {
                for (Client c : clients)
                    if (c.stable && !c.dead) {
                        t += random.nextInt(5);
                        heartbeat(c);
                    }
            }
            case "join" -> {
                Client c = pick(clients);
                if (!c.joinOut || p(0.3)) join(c);
                else proper(c);
            }
            case "dupJoin" -> {
                Client c = pick(clients);
                if (!c.memberId.isEmpty()) join(c);
                else proper(c);
            }
            case "leave" -> {
                leave(pick(clients));
            }
            case "leaveBatch" -> leaveBatch(g);
            case "hostile" -> hostile(g);
            case "restartStatic" -> restartStatic();
            case "newClient" -> {
                if (clients.size() < options.maxClients + 4) {
                    Client c = client();
                    clients.add(c);
                    join(c);
                } else proper(pick(clients));
            }
            case "silence" -> {
                Client c = pick(clients);
                c.dead = true;
                tick();
                proper(pick(clients));
            }
            case "jump" -> jump();
            case "commit" -> {
                commit(pick(clients));
            }
            case "simpleCommit" -> simpleCommit(g);
            case "badCommit" -> badCommit(g);
            case "fetch" -> fetch(g);
            case "deleteOffsets" -> {
                broker.deleteOffsets(t, p(0.05) ? "nogroup" : g, partitions());
                learn();
            }
            case "deleteGroup" -> deleteGroup(g);
            case "describe" -> describe(g);
            case "list" -> list();
            case "txn" -> txn(g);
            case "deleteTopic" -> deleteTopic();
            case "failing" -> failing();
            case "fence" -> fence();
            case "syncBad" -> syncBad(g);
            case "wrongGen" -> wrongGen(g);
            case "txnMember" -> txnMember(g);
            case "overCapacity" -> overCapacity(g);
            case "syncAny" -> {
                String id = anyId();
                broker.sync(t, 4, g, id, null, random.nextInt(4), null, null, Map.of());
                learn();
            }
            case "syncLeader" -> syncLeader();
            case "hold" -> {
                if (!broker.queue.holdFlush && !broker.log.holdCommit) broker.hold(t);
                else finish();
            }
            case "holdCommit" -> {
                if (!broker.queue.holdFlush && !broker.log.holdCommit) broker.holdCommit(t);
                else finish();
            }
            case "holdMix" -> holdMix();
            case "restartHold" -> restartHold();
            case "unload" -> unload();
            default -> throw new IllegalArgumentException(action);
        }
    }

    private void round(String g) {
        // everyone who can makes one proper step, so that groups reach Stable
        for (Client c : new ArrayList<>(clients)) {
            if (c.dead) continue;
            if (c.joinOut || c.syncOut) continue;
            if (c.group.equals(g)) {
                t += random.nextInt(20);
                next(c);
            }
        }
    }

    private void settle(String g) {
        for (int k = 0; k < 4; k++) {
            act("round");
            ClassicGroup cg = broker.classic(g);
            if (cg == null) break;
            VirtualTimer.Armed n = nextTimer();
            if (cg.currentState().toString().equals("PreparingRebalance")
                    && n != null
                    && n.deadline - t < 20000) {
                t = Math.max(t, n.deadline);
                broker.advance(t);
                learn();
            }
        }
    }

    private void leaveBatch(String g) {
        List<Leaver> l = new ArrayList<>();
        int n = 1 + random.nextInt(4);
        for (int i = 0; i < n; i++) {
            String id = anyId();
            String in = anyInst(id);
            if (in != null && p(0.3)) id = "";
            l.add(new Leaver(id, in, p(0.4) ? "admin removed" : null));
            Client c = ownerOf(id);
            if (c != null && p(0.8)) {
                c.memberId = "";
                c.stable = false;
                c.needSync = false;
                c.joinOut = false;
                c.syncOut = false;
            }
        }
        broker.leave(t, p(0.6) ? 5 : 3 + random.nextInt(2), g, l.stream().map(x -> x).toList());
        learn();
    }

    private void restartStatic() {
        List<Client> l = new ArrayList<>();
        for (Client c : clients) if (c.instanceId != null) l.add(c);
        if (l.isEmpty()) {
            proper(pick(clients));
            return;
        }
        Client c = pick(l);
        c.memberId = "";
        c.dead = false;
        if (p(0.2)) c.protos = p(0.5) ? protos(c.type) : retopic(c.protos);
        if (p(0.25)) c.joinVersion = 5 + random.nextInt(5);
        join(c);
    }

    private void jump() {
        VirtualTimer.Armed n = nextTimer();
        if (n != null && n.deadline - t < 400000) {
            t = Math.max(t, n.deadline + (p(0.6) ? 0 : random.nextInt(200)));
            broker.advance(t);
            learn();
        } else {
            t += random.nextInt(20000);
            broker.advance(t);
            learn();
        }
    }

    private void simpleCommit(String g) {
        boolean named = p(0.2);
        broker.commit(
                t,
                commitVersion(),
                g,
                named ? anyId() : "",
                null,
                -1,
                p(0.1) ? 60000 : -1,
                offsets());
        learn();
    }

    private void fetch(String g) {
        boolean st = p(0.5);
        broker.fetch(
                t,
                st || p(0.5) ? 7 + random.nextInt(3) : 1 + random.nextInt(8),
                p(0.07) ? "nogroup" : g,
                "",
                -1,
                st,
                p(0.5) ? null : partitions());
        learn();
    }

    private void deleteGroup(String g) {
        List<String> l = new ArrayList<>();
        l.add(p(0.08) ? "nogroup" : g);
        if (p(0.25)) {
            String h = pick(groups);
            if (!l.contains(h)) l.add(h);
        }
        broker.deleteGroups(t, l);
        learn();
    }

    private void describe(String g) {
        List<String> l = new ArrayList<>(List.of(g));
        if (p(0.15)) l.add("nogroup");
        broker.describe(t, p(0.4) ? 6 : random.nextInt(7), l);
        learn();
    }

    private void list() {
        List<String> st = new ArrayList<>();
        if (p(0.6))
            for (String s :
                    List.of(
                            "Stable",
                            "Empty",
                            "PreparingRebalance",
                            "CompletingRebalance",
                            "Dead",
                            "stable", " empty ",
                            "preparingrebalance",
                            "Assigning", "nonsense")) if (p(0.22)) st.add(s);
        List<String> ty = new ArrayList<>();
        if (p(0.2))
            for (String s : List.of("classic", "Classic", "consumer", "nonsense"))
                if (p(0.4)) ty.add(s);
        broker.list(
                t,
                ty.isEmpty() ? st.isEmpty() ? random.nextInt(6) : 4 + random.nextInt(2) : 5,
                st,
                ty);
        learn();
    }

    private void deleteTopic() {
        if (broker.queue.holdFlush || broker.log.holdCommit) {
            finish();
            return;
        }
        broker.deleteTopics(t, List.of("t" + (1 + random.nextInt(3))));
        learn();
    }

    private void syncLeader() {
        for (Client c : clients)
            if (c.needSync && !c.syncOut && c.memberId.equals(c.leader)) {
                sync(c);
                return;
            }
        proper(pick(clients));
    }
}
