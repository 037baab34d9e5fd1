package recorder;

import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A timer that fires only when it is asked what is due, by deadline and then in the order of
 * arming.
 */
final class VirtualTimer implements Timer {
    final Clock clock;
    long seq = 0;
    final PriorityQueue<Armed> queue =
            new PriorityQueue<>(
                    (a, b) ->
                            a.deadline != b.deadline
                                    ? Long.compare(a.deadline, b.deadline)
                                    : Long.compare(a.seq, b.seq));

    VirtualTimer(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void add(TimerTask task) {
        long deadline = clock.now + task.delayMs;
        queue.add(new Armed(new TimerTaskEntry(task, deadline), deadline, seq++, keyOf(task)));
    }

    /** Next live timer due at or before t, removed from the queue; null if none. */
    Armed pollDue(long t) {
        while (!queue.isEmpty()) {
            Armed a = queue.peek();
            if (a.entry.cancelled()) {
                queue.poll();
                continue;
            }
            if (a.deadline > t) return null;
            return queue.poll();
        }
        return null;
    }

    List<Armed> live() {
        List<Armed> l = new ArrayList<>();
        for (Armed a : queue) if (!a.entry.cancelled()) l.add(a);
        l.sort(
                (a, b) ->
                        a.deadline != b.deadline
                                ? Long.compare(a.deadline, b.deadline)
                                : Long.compare(a.seq, b.seq));
        return l;
    }

    @Override
    public boolean advanceClock(long timeoutMs) {
        return false;
    }

    @Override
    public int size() {
        return live().size();
    }

    @Override
    public void close() {}

    static final class Armed {
        final TimerTaskEntry entry;
        final long deadline;
        final long seq;
        final String key;

        Armed(TimerTaskEntry entry, long deadline, long seq, String key) {
            this.entry = entry;
            this.deadline = deadline;
            this.seq = seq;
            this.key = key;
        }
    }

    private static Field keyField;

    /** The coordinator's name for a timer; null for one of the runtime below it. */
    private static String keyOf(TimerTask t) {
        if (!t.getClass().getName().contains("CoordinatorTimerImpl$")) return null;
        try {
            if (keyField == null) {
                keyField = t.getClass().getDeclaredField("val$key");
                keyField.setAccessible(true);
            }
            return (String) keyField.get(t);
        } catch (ReflectiveOperationException e) {
            throw new RuntimeException(e);
        }
    }
}
