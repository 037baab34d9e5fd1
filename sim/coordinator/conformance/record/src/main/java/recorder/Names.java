package recorder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names for what differs from run to run: members are M1, M2, … and timers have the names of their
 * groups and members.
 */
final class Names {
    final Map<String, String> ids = new LinkedHashMap<>(); // real -> M1

    final Map<String, String> reals = new HashMap<>(); // M1 -> real

    Map<String, Object> fresh = new LinkedHashMap<>();
    final Set<String> prefixes =
            new TreeSet<>(
                    (a, b) -> a.length() != b.length() ? b.length() - a.length() : a.compareTo(b));
    final Set<String> groups =
            new TreeSet<>(
                    (a, b) -> a.length() != b.length() ? b.length() - a.length() : a.compareTo(b));

    static final String UUID_RE = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

    private Pattern idPattern;

    Names() {
        addPrefix("");
    }

    /** Makes known what broker-made ids may begin with: a client id or an instance id. */
    void addPrefix(String p) {
        if (p == null || !prefixes.add(p)) return;
        StringBuilder sb = new StringBuilder("(?:");
        for (String s : prefixes) sb.append(Pattern.quote(s)).append('|');
        sb.setLength(sb.length() - 1);
        idPattern = Pattern.compile(sb + ")-" + UUID_RE);
    }

    /** Names a broker-made id in the order of first appearance: M1, M2, … Any other text stays. */
    String id(String real) {
        if (real == null) return null;
        String m = ids.get(real);
        if (m != null) return m;
        if (!idPattern.matcher(real).matches()) return real;
        m = "M" + (ids.size() + 1);
        ids.put(real, m);
        reals.put(m, real);
        fresh.put(m, real);
        return m;
    }

    /** The id that a name stands for. */
    String real(String m) {
        return m == null ? null : reals.getOrDefault(m, m);
    }

    /** Replaces every broker-made id in a text. */
    String norm(String s) {
        if (s.length() < 37) return s;
        Matcher m = idPattern.matcher(s);
        StringBuilder sb = null;
        int last = 0;
        while (m.find()) {
            if (sb == null) sb = new StringBuilder();
            sb.append(s, last, m.start()).append(id(m.group()));
            last = m.end();
        }
        return sb == null ? s : sb.append(s.substring(last)).toString();
    }

    @SuppressWarnings("unchecked")
    Object normDeep(Object o) {
        if (o instanceof String s) return norm(s);
        if (o instanceof Map<?, ?> m) {
            Map<String, Object> r = new LinkedHashMap<>();
            for (Map.Entry<?, ?> e : m.entrySet())
                r.put(norm((String) e.getKey()), normDeep(e.getValue()));
            return r;
        }
        if (o instanceof List<?> l) {
            List<Object> r = new ArrayList<>(l.size());
            for (Object x : l) r.add(normDeep(x));
            return r;
        }
        return o;
    }

    List<Object> sorted(Collection<String> c) {
        TreeSet<String> s = new TreeSet<>(Names::byId);
        for (String x : c) s.add(id(x));
        return new ArrayList<>(s);
    }

    /** M2 before M10; other names as text. */
    static int byId(String a, String b) {
        if (a.matches("M\\d+") && b.matches("M\\d+"))
            return Integer.compare(
                    Integer.parseInt(a.substring(1)), Integer.parseInt(b.substring(1)));
        return a.compareTo(b);
    }

    private static final Pattern ARRAY = Pattern.compile("\\[B@[0-9a-f]+");

    private static final Pattern ID_MAP =
            Pattern.compile("\\{(M\\d+=\\[B@\\?(?:, M\\d+=\\[B@\\?)+)\\}");

    private static final Pattern ID_LIST = Pattern.compile("\\[(M\\d+(?:, M\\d+)+)\\]");

    /** Sorts the ids that a log line lists in hash order. */
    static String sortIds(String s) {
        if (s.contains("[B@")) {
            s = ARRAY.matcher(s).replaceAll("[B@?");
            Matcher q = ID_MAP.matcher(s);
            if (q.find()) {
                String[] p = q.group(1).split(", ");
                Arrays.sort(
                        p,
                        (a, b) ->
                                byId(
                                        a.substring(0, a.indexOf('=')),
                                        b.substring(0, b.indexOf('='))));
                s =
                        s.substring(0, q.start())
                                + "{"
                                + String.join(", ", p)
                                + "}"
                                + s.substring(q.end());
            }
        }
        Matcher m = ID_LIST.matcher(s);
        StringBuilder sb = new StringBuilder();
        int last = 0;
        while (m.find()) {
            String[] p = m.group(1).split(", ");
            Arrays.sort(p, Names::byId);
            sb.append(s, last, m.start()).append('[').append(String.join(", ", p)).append(']');
            last = m.end();
        }
        return sb.append(s.substring(last)).toString();
    }

    /**
     * How recordings name a timer: heartbeat/group/member, join/group, sync/group, expire-offsets.
     */
    String timerName(String key) {
        if (key.equals("expire-group-metadata")) return "expire-offsets";
        for (String g : groups) {
            if (key.startsWith("heartbeat-" + g + "-"))
                return "heartbeat/" + g + "/" + id(key.substring(11 + g.length()));
            if (key.equals("join-" + g)) return "join/" + g;
            if (key.equals("sync-" + g)) return "sync/" + g;
        }
        return key;
    }
}
