package recorder;

import java.util.List;

/** What a client is, and what it knows of itself. */
final class Client {
    String group;
    String clientId;
    String instanceId;
    String type;
    List<Proto> protos;
    int session;
    int rebalance;
    int joinVersion;
    int syncVersion;
    int heartbeatVersion;
    int leaveVersion;

    String memberId = "";
    int gen = -1;
    String proto;
    String leader = "";
    List<String> members = List.of();
    boolean joinOut;
    boolean syncOut;
    boolean needSync;
    boolean stable;
    boolean dead;
}
