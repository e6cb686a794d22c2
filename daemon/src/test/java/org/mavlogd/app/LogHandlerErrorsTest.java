package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.local.events.EventHandler;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/** An error of a log handler must not reach the caller, which may be a recording thread. */
class LogHandlerErrorsTest {
    @TempDir
    private Path directory;

    /** A log record whose message throws. */
    @SuppressWarnings("serial") // never written
    private static final class BadLine extends LogRecord {
        private final transient Supplier<Throwable> error;

        BadLine(Supplier<Throwable> error) {
            super(Level.SEVERE, "bad");
            this.error = error;
            setLoggerName("org.mavlogd.record.Px4Recording");
        }

        @Override
        public String getMessage() {
            throw Thrown.<RuntimeException>sneak(error.get());
        }
    }

    @Test
    void theHandlerOfEventsContainsWhatItThrows() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            ContainedPart part = ContainedPart.unlisted("log.events", Recovery.CONTINUES);
            EventHandler handler = new EventHandler(TagMap.of(Map.of()), LogLevel.INFO, () -> 1, () -> {}, part);

            assertThat(UncaughtErrors.of(() -> handler.publish(new BadLine(error))))
                    .isEmpty();

            assertThat(part.errors()).isOne();
        }
    }

    @Test
    void theHandlerOfLastLinesContainsWhatItThrows() {
        LastLogLines words = LastLogLines.begin(directory);
        try {
            Thrown.CONTAINABLE.forEach(error -> assertThat(UncaughtErrors.of(() -> words.publish(new BadLine(error))))
                    .isEmpty());

            assertThat(words.errors().errors()).isEqualTo(Thrown.CONTAINABLE.size());
        } finally {
            words.close();
        }
    }
}
