package recorder;

import org.apache.kafka.common.utils.Time;

/** Virtual time in milliseconds. It moves only when the recording says so. */
final class Clock implements Time {
    long now = 0;

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return now * 1_000_000L;
    }

    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException();
    }
}
