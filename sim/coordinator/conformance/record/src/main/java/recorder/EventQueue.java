package recorder;

import org.apache.kafka.coordinator.common.runtime.CoordinatorEvent;
import org.apache.kafka.coordinator.common.runtime.CoordinatorEventProcessor;

import java.util.ArrayDeque;

/**
 * The events of the runtime, run one after the other by the recording. While holdFlush is set the
 * open batch is not written.
 */
final class EventQueue implements CoordinatorEventProcessor {
    final ArrayDeque<CoordinatorEvent> queue = new ArrayDeque<>();
    final ArrayDeque<CoordinatorEvent> parked = new ArrayDeque<>();
    boolean holdFlush = false;

    /** While set, an event runs as soon as it is enqueued (the caller blocks on its outcome). */
    boolean immediate = false;

    private boolean draining = false;

    @Override
    public void enqueueLast(CoordinatorEvent e) {
        queue.addLast(e);
        if (immediate && !draining) drain();
    }

    @Override
    public void enqueueFirst(CoordinatorEvent e) {
        queue.addFirst(e);
        if (immediate && !draining) drain();
    }

    void drain() {
        draining = true;
        try {
            loop();
        } finally {
            draining = false;
        }
    }

    private void loop() {
        while (!queue.isEmpty()) {
            CoordinatorEvent e = queue.pollFirst();
            if (holdFlush && e.toString().contains("FlushBatch")) {
                parked.addLast(e);
                continue;
            }
            run(e);
        }
    }

    private void run(CoordinatorEvent e) {
        try {
            e.run();
        } catch (Throwable t) {
            e.complete(t);
        }
    }

    void releaseFlush() {
        holdFlush = false;
        while (!parked.isEmpty()) queue.addLast(parked.pollFirst());
    }

    @Override
    public void close() {}
}
