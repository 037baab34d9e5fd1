package recorder;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a family of walks varies: settings, kinds of clients, and the weights w of the actions; an
 * absent action never happens.
 */
final class Options {
    String family;
    int maxClients = 6;
    double staticShare = 0;
    Map<String, Integer> w = new LinkedHashMap<>();
    int groups = 1;
    int[] delays = {3000};
    int[] sessions = {10000};
    int[] rebalances = {60000};
    int[] sizes = {Integer.MAX_VALUE};
    int minOps = 20;
    int maxOps = 110;
    String[] types = {"consumer"};
    double jump = 0.06;
    double longJump = 0.01;
    int retentionMinutes = 10080;
    long checkMs = 600000;

    Options w(Object... kv) {
        for (int i = 0; i < kv.length; i += 2) w.put((String) kv[i], (Integer) kv[i + 1]);
        return this;
    }
}
