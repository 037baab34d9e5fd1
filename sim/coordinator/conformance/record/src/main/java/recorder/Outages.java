package recorder;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.classic.ClassicGroup;

import java.util.List;

/** Writes that are held or refused, and brokers that go and come back. */
abstract class Outages extends Mischief {
    Outages(long seed, Options options) {
        super(seed, options);
    }

    static final Errors[] FAILS = {
        Errors.NOT_ENOUGH_REPLICAS,
        Errors.NOT_LEADER_OR_FOLLOWER,
        Errors.MESSAGE_TOO_LARGE,
        Errors.RECORD_LIST_TOO_LARGE,
        Errors.KAFKA_STORAGE_ERROR,
        Errors.UNKNOWN_TOPIC_OR_PARTITION,
        Errors.REQUEST_TIMED_OUT,
        Errors.NETWORK_EXCEPTION,
        Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        Errors.INVALID_FETCH_SIZE,
        Errors.UNKNOWN_SERVER_ERROR,
        Errors.NOT_ENOUGH_REPLICAS,
        Errors.NOT_LEADER_OR_FOLLOWER
    };

    void finish() {
        if (broker.log.holdCommit) {
            broker.commitOk(t);
            learn();
        }
        if (broker.queue.holdFlush) {
            if (p(0.3)) broker.appendOk(t);
            else broker.appendFail(t, FAILS[random.nextInt(FAILS.length)]);
            learn();
        }
    }

    void failing() {
        if (broker.queue.holdFlush || broker.log.holdCommit) {
            finish();
            return;
        }
        broker.hold(t);
        int n = 1 + random.nextInt(4);
        for (int i = 0; i < n || i < 9 && broker.queue.parked.isEmpty(); i++) {
            tick2();
            act(
                    pick(
                            actions(
                                    "proper proper proper round round restartStatic restartStatic"
                                        + " commit leave newClient hostile heartbeats syncLeader"
                                        + " syncLeader simpleCommit")));
            if (!broker.queue.holdFlush) break;
        }
        tick2();
        finish();
    }

    void overCapacity(String g) {
        ClassicGroup cg = broker.classic(g);
        if (!broker.loaded
                || cg == null
                || cg.numMembers() < 2
                || !cg.currentState().toString().equals("Stable")) {
            act("settle");
            return;
        }
        broker.unload(t);
        learn();
        Settings c = broker.cfg.copy();
        c.maxSize = 1 + random.nextInt(cg.numMembers() - 1 > 0 ? cg.numMembers() - 1 : 1);
        broker.restart(t, c);
        forgetRequests();
        t += random.nextInt(500);
        broker.load(t, false);
        learn();
        act("heartbeats");
        act("round");
    }

    void holdMix() {
        // both kinds of hold, also at the same time
        boolean b = broker.queue.holdFlush, c = broker.log.holdCommit;
        double x = random.nextDouble();
        if (!broker.loaded) return;
        if (b && x < 0.35) {
            if (p(0.5)) broker.appendOk(t);
            else broker.appendFail(t, FAILS[random.nextInt(FAILS.length)]);
        } else if (c && x < 0.6) broker.commitOk(t);
        else if (!b) broker.hold(t);
        else if (!c) broker.holdCommit(t);
        learn();
    }

    void restartHold() {
        if (!broker.loaded) return;
        broker.restart(t, broker.cfg);
        forgetRequests();
        t += random.nextInt(500);
        broker.load(t, false);
        learn();
    }

    void unload() {
        if (!broker.loaded && !broker.loading) {
            broker.load(t, p(0.2));
            return;
        }
        broker.unload(t);
        learn();
        int n = random.nextInt(4);
        for (int i = 0; i < n; i++) {
            t += random.nextInt(300);
            act(pick(actions("proper hostile heartbeats describe list fetch commit")));
        }
        if (p(0.3)) {
            Settings c = broker.cfg.copy();
            c.maxSize = p(0.7) ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
            if (p(0.3)) c.initialDelay = pick(options.delays);
            broker.restart(t, c);
            forgetRequests();
        }
        t += random.nextInt(2000);
        boolean h = p(0.25);
        broker.load(t, h);
        if (h) {
            n = random.nextInt(4);
            for (int i = 0; i < n; i++) {
                t += random.nextInt(300);
                act(
                        pick(
                                actions(
                                        "proper hostile heartbeats describe list fetch commit leave"
                                            + " syncAny")));
            }
            if (p(0.9)) broker.loadFinish(t);
            else {
                broker.unload(t);
                broker.load(t, false);
            }
        }
        learn();
    }

    private static List<String> actions(String names) {
        return List.of(names.split(" "));
    }

    /** A process that stops answers nothing more. */
    private void forgetRequests() {
        joinBy.clear();
        syncBy.clear();
        othersBy.clear();
        for (Client c : clients) {
            if (!c.joinOut && !c.syncOut) continue;
            c.joinOut = false;
            c.syncOut = false;
            c.needSync = false;
        }
    }
}
