package recorder;

import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.Group;
import org.apache.kafka.coordinator.group.classic.ClassicGroup;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Turns inputs and everything that they cause into the lines of a trace. */
abstract class Recording extends Coordinator {
    private final Settings first;
    final List<String> lines = new ArrayList<>();
    private List<Object> before;
    private List<Object> out = new ArrayList<>();
    Map<String, Object> input;
    int req;
    private final Map<String, String> lastState = new TreeMap<>();

    private String lastTimers = "{}";

    List<Map<String, Object>> replies = new ArrayList<>();
    private final Map<String, Map<String, Object>> lastDump = new HashMap<>();
    private Map<String, Object> openRecords = null;
    private boolean staleRun = false;

    Recording(Settings settings, long idSeed) {
        cfg = settings;
        first = settings;
        FixedRandom.seed(idSeed);
        LogCapture.sink = this::onLog;
        build();
    }

    private void emit(Map<String, Object> e) {
        out.add(names.normDeep(e));
    }

    private void onLog(String logger, String level, String message) {
        if (!logger.startsWith("org.apache.kafka.coordinator")) return;
        if (level.equals("INFO")
                && (logger.endsWith(".CoordinatorRuntime")
                        || logger.endsWith(".GroupCoordinatorService"))) return;
        if (message.startsWith("[GroupCoordinator id=" + BROKER_ID))
            message = message.substring(message.indexOf("] ") + 2);
        if (message.contains("group-size-counter")) return;
        Map<String, Object> e = new LinkedHashMap<>();
        e.put("t", clock.now);
        e.put("log", Names.sortIds(names.norm(message)));
        if (!level.equals("INFO")) e.put("level", level);
        if (staleRun) e.put("stale", true);
        emit(e);
    }

    @Override
    @SuppressWarnings("unchecked")
    void wrote(CoordinatorRecord r) {
        Map<String, Object> d = Snapshot.record(names, r);
        Object last = out.isEmpty() ? null : out.get(out.size() - 1);
        if (last != null && last == openRecords) {
            ((List<Object>) openRecords.get("records")).add(names.normDeep(d));
        } else {
            Map<String, Object> e = new LinkedHashMap<>();
            e.put("t", clock.now);
            List<Object> l = new ArrayList<>();
            l.add(names.normDeep(d));
            e.put("records", l);
            out.add(e);
            openRecords = e;
        }
    }

    /** Fires what is due at t, by deadline. What a firing arms joins the queue. */
    private void fireDue(long t) {
        for (int fired = 0; fired < 3000; fired++) {
            VirtualTimer.Armed a = timer.pollDue(t);
            if (a == null) return;
            clock.now = Math.max(clock.now, a.deadline);
            openRecords = null;
            fire(a);
        }
        throw new IllegalStateException("timer loop");
    }

    private void fire(VirtualTimer.Armed a) {
        if (stale(a)) {
            if (!hidden(a.key))
                emit(Json.obj("t", clock.now, "timer", names.timerName(a.key), "stale", true));
            staleRun = true;
            run(a);
            staleRun = false;
            return;
        }
        if (a.key == null ? gaugeTimeout(a) : hidden(a.key)) {
            run(a);
            return;
        }
        emit(
                Json.obj(
                        "t", clock.now,
                        "timer", a.key == null ? "write-timeout" : names.timerName(a.key)));
        int at = out.size();
        run(a);
        canon(out.subList(at, out.size()));
        Map<String, Object> changed = new LinkedHashMap<>();
        changed.put("t", clock.now);
        changes(changed);
        if (changed.size() > 1) out.add(changed);
    }

    private void run(VirtualTimer.Armed a) {
        a.entry.timerTask.run();
        queue.drain();
    }

    /** Begins an op at time t: fires what is due, then the input is handled. */
    void begin(long t, Map<String, Object> in) {
        if (t < clock.now) throw new IllegalStateException("time goes back");
        out = new ArrayList<>();
        names.fresh = new LinkedHashMap<>();
        openRecords = null;
        fireDue(t);
        clock.now = t;
        input = in;
        openRecords = null;
        before = out;
        out = new ArrayList<>();
    }

    /** Ends an op: what it caused runs to the end, and its line is complete. */
    void end() {
        queue.drain();
        fireDue(clock.now);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("t", clock.now);
        for (Map.Entry<String, Object> e : input.entrySet())
            if (e.getValue() != null) line.put(e.getKey(), names.normDeep(e.getValue()));
        canon(out);
        if (!before.isEmpty()) line.put("before", before);
        line.put("out", out);
        changes(line);
        if (!names.fresh.isEmpty()) line.put("ids", names.fresh);
        lines.add(Json.write(line));
    }

    /**
     * Adds the groups whose state differs from the last one printed, and the armed timers if they
     * differ.
     */
    private void changes(Map<String, Object> line) {
        List<Object> states = new ArrayList<>();
        Map<String, String> now = new TreeMap<>();
        for (Map.Entry<String, Group> e : new TreeMap<>(groups()).entrySet()) {
            Map<String, Object> d = Snapshot.group(names, (ClassicGroup) e.getValue());
            String js = Json.write(d);
            now.put(e.getKey(), js);
            if (!js.equals(lastState.get(e.getKey()))) {
                List<Object> arb = Snapshot.arbitrary(e.getValue(), lastDump.get(e.getKey()), d);
                lastDump.put(e.getKey(), d);
                if (!arb.isEmpty()) {
                    d = new LinkedHashMap<>(d);
                    d.put("arbitrary", arb);
                }
                states.add(d);
            }
        }
        for (String g : lastState.keySet())
            if (!now.containsKey(g)) {
                states.add(Json.obj("group", g, "state", null));
                lastDump.remove(g);
            }
        lastState.clear();
        lastState.putAll(now);
        if (!states.isEmpty()) line.put("state", states);
        Map<String, Object> tm = timers();
        String tj = Json.write(tm);
        if (!tj.equals(lastTimers)) line.put("timers", tm);
        lastTimers = tj;
    }

    /** Orders replies of one instant by request number; the real order is hash order. */
    @SuppressWarnings("unchecked")
    private void canon(List<Object> l) {
        int i = 0;
        while (i < l.size()) {
            int j = i;
            while (j < l.size() && ((Map<String, Object>) l.get(j)).containsKey("reply")) j++;
            if (j - i > 1) {
                List<Object> sub = l.subList(i, j);
                sub.sort(
                        (a, b) -> {
                            Map<String, Object> x = (Map<String, Object>) a,
                                    y = (Map<String, Object>) b;
                            int c = Long.compare((Long) x.get("t"), (Long) y.get("t"));
                            return c != 0
                                    ? c
                                    : Integer.compare(
                                            (Integer) x.get("reply"), (Integer) y.get("reply"));
                        });
            }
            i = Math.max(j, i + 1);
        }
    }

    /** The input of an op; fields that are null are left out. */
    Map<String, Object> in(String op, Object... kv) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("op", op);
        for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
        return m;
    }

    /** The context of a request from 127.0.0.1. */
    RequestContext ctx(ApiKeys k, int version, String clientId) {
        try {
            return new RequestContext(
                    new RequestHeader(k, (short) version, clientId, 0),
                    "1", InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                    KafkaPrincipal.ANONYMOUS,
                    ListenerName.forSecurityProtocol(SecurityProtocol.PLAINTEXT),
                    SecurityProtocol.PLAINTEXT,
                    ClientInformation.EMPTY,
                    false);
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    /** Records the answer to request n when it comes. */
    <T> void watch(
            String api, int n, CompletableFuture<T> f, Function<T, Map<String, Object>> fields) {
        f.whenComplete(
                (v, ex) -> {
                    Map<String, Object> e = new LinkedHashMap<>();
                    e.put("t", clock.now);
                    e.put("reply", n);
                    e.put("api", api);
                    if (ex != null) {
                        Throwable c =
                                ex instanceof CompletionException && ex.getCause() != null
                                        ? ex.getCause()
                                        : ex;
                        e.put("error", Errors.forException(c).name());
                        e.put("exception", c.getClass().getSimpleName());
                    } else {
                        e.putAll(fields.apply(v));
                    }
                    replies.add(e);
                    emit(e);
                });
    }

    /** The number that the next request gets. */
    int nextRequest() {
        return req + 1;
    }

    static String err(short c) {
        return Errors.forCode(c).name();
    }

    /** The whole trace: its header and a line for each op. */
    List<String> trace(String family, long seed) {
        List<String> all = new ArrayList<>();
        all.add(
                Json.write(
                        Json.obj(
                                "trace", 1,
                                "kafka", AppInfoParser.getVersion(),
                                "family", family,
                                "seed", seed,
                                "title", family + " " + seed,
                                "tags", List.of("random"),
                                "configs", first.properties())));
        all.addAll(lines);
        return all;
    }
}
