package recorder;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Hands what Kafka logs at INFO and above to the recording. */
final class LogCapture extends Handler {
    interface Sink {
        void log(String logger, String level, String message);
    }

    static Sink sink = (logger, level, message) -> {};

    static void install() {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(new LogCapture());
    }

    @Override
    public void publish(LogRecord r) {
        sink.log(r.getLoggerName(), level(r.getLevel()), r.getMessage());
    }

    private static String level(Level level) {
        if (level == Level.SEVERE) return "ERROR";
        return level == Level.WARNING ? "WARN" : level.getName();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
