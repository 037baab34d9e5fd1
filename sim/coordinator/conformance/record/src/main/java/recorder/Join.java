package recorder;

import java.util.List;

/** A JoinGroup request, with what most of them say. */
final class Join {
    int v = 9;
    String group = "g";
    String memberId = "";
    String instanceId;
    String clientId = "c1";
    int session = 10000;
    int rebalance = 60000;
    String type = "consumer";
    List<Proto> protos = List.of(Proto.of("range", List.of("t1")));
    String reason;
}
