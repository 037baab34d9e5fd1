package recorder;

import java.util.List;

/** The families of walks: what each one stresses. */
final class Families {
    private Families() {}

    static final List<String> ALL =
            List.of("dynamic", "static", "timing", "appends", "offsets", "queries", "gaps");
    static final int INF = Integer.MAX_VALUE;

    static Options of(String f) {
        Options o = new Options();
        o.family = f;
        switch (f) {
            case "dynamic":
                o.maxClients = 8;
                o.sizes = new int[] {INF, INF, INF, 4, 2, 1};
                o.delays = new int[] {3000, 3000, 0};
                o.sessions = new int[] {10000, 10000, 6000, 30000};
                o.rebalances = new int[] {60000, 30000, 15000, 5000};
                o.w("syncBad", 1, "wrongGen", 2);
                o.w(
                        "proper", 40,
                        "round", 8,
                        "settle", 6,
                        "hostile", 14,
                        "dupJoin", 2,
                        "leave", 2,
                        "leaveBatch", 2,
                        "newClient", 2,
                        "silence", 1,
                        "jump", 3,
                        "describe", 2,
                        "list", 1,
                        "heartbeats", 4);
                break;
            case "static":
                o.staticShare = 0.75;
                o.sizes = new int[] {INF, INF, INF, 3};
                o.delays = new int[] {3000, 0};
                o.sessions = new int[] {10000, 30000, 20000};
                o.rebalances = new int[] {60000, 20000, 10000, 5000};
                o.w("fence", 6, "syncBad", 1, "wrongGen", 1);
                o.w(
                        "proper", 34,
                        "round", 7,
                        "settle", 7,
                        "hostile", 10,
                        "restartStatic", 12,
                        "leave", 1,
                        "leaveBatch", 4,
                        "newClient", 1,
                        "silence", 1,
                        "jump", 3,
                        "describe", 1,
                        "heartbeats", 4,
                        "failing", 2);
                break;
            case "timing":
                o.maxClients = 5;
                o.staticShare = 0.25;
                o.delays = new int[] {0, 1000, 3000, 5000, 10000};
                o.sessions = new int[] {6000, 3000, 10000, 45000};
                o.rebalances = new int[] {2000, 5000, 10000, 60000, 0, 300000};
                o.jump = 0.22;
                o.longJump = 0.03;
                o.w("fence", 1);
                o.w(
                        "proper", 34,
                        "round", 4,
                        "settle", 2,
                        "hostile", 3,
                        "newClient", 6,
                        "silence", 3,
                        "jump", 14,
                        "restartStatic", 2,
                        "leave", 2,
                        "leaveBatch", 1,
                        "heartbeats", 3,
                        "join", 5);
                break;
            case "appends":
                o.staticShare = 0.35;
                o.maxClients = 5;
                o.delays = new int[] {0, 3000};
                o.sessions = new int[] {10000, 30000};
                o.rebalances = new int[] {60000, 20000, 8000};
                o.sizes = new int[] {INF, INF, 3};
                o.w("fence", 1, "overCapacity", 1, "wrongGen", 1);
                o.w(
                        "proper", 26,
                        "round", 6,
                        "settle", 7,
                        "hostile", 3,
                        "failing", 14,
                        "hold", 1,
                        "holdCommit", 2,
                        "unload", 4,
                        "restartStatic", 4,
                        "leave", 1,
                        "leaveBatch", 1,
                        "newClient", 2,
                        "commit", 2,
                        "simpleCommit", 1,
                        "fetch", 2,
                        "heartbeats", 3,
                        "jump", 3,
                        "deleteGroup", 1);
                break;
            case "offsets":
                o.groups = 2;
                o.maxClients = 3;
                o.staticShare = 0.2;
                o.delays = new int[] {0, 3000};
                o.sessions = new int[] {10000, 60000};
                o.rebalances = new int[] {60000, 10000};
                o.types = new String[] {"consumer", "consumer", "consumer", "consumer", "connect"};
                o.retentionMinutes = 1;
                o.checkMs = 30000;
                o.longJump = 0.03;
                o.w("fence", 2, "txnMember", 4, "wrongGen", 1);
                o.w(
                        "proper", 14,
                        "round", 4,
                        "settle", 5,
                        "hostile", 1,
                        "commit", 8,
                        "simpleCommit", 6,
                        "badCommit", 7,
                        "fetch", 9,
                        "deleteOffsets", 4,
                        "deleteGroup", 3,
                        "txn", 8,
                        "jump", 2,
                        "leave", 3,
                        "describe", 1,
                        "heartbeats", 5,
                        "failing", 2,
                        "deleteTopic", 1);
                break;
            case "queries":
                o.groups = 3;
                o.maxClients = 4;
                o.staticShare = 0.3;
                o.delays = new int[] {3000, 0};
                o.maxOps = 60;
                o.types = new String[] {"consumer", "consumer", "connect"};
                o.w(
                        "proper", 20,
                        "round", 5,
                        "settle", 4,
                        "describe", 12,
                        "list", 12,
                        "simpleCommit", 2,
                        "leave", 2,
                        "deleteGroup", 2,
                        "unload", 1,
                        "jump", 2);
                break;
            case "gaps":
                o.groups = 2;
                o.staticShare = 0.5;
                o.maxClients = 6;
                o.delays = new int[] {0, 3000};
                o.sessions = new int[] {10000, 30000};
                o.rebalances = new int[] {60000, 8000};
                o.minOps = 30;
                o.maxOps = 80;
                o.w(
                        "proper", 24,
                        "round", 6,
                        "settle", 8,
                        "restartStatic", 5,
                        "holdMix", 12,
                        "restartHold", 2,
                        "unload", 3,
                        "commit", 3,
                        "simpleCommit", 3,
                        "fetch", 3,
                        "leave", 1,
                        "leaveBatch", 1,
                        "newClient", 2,
                        "heartbeats", 2,
                        "jump", 2,
                        "deleteGroup", 1,
                        "deleteOffsets", 1,
                        "txn", 1,
                        "describe", 1,
                        "list", 1);
                break;
            default:
                throw new IllegalArgumentException("no family " + f);
        }
        return o;
    }
}
