package org.mavlogd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standard error that is not read delays no thread. */
@Timeout(120)
class PatientHandlerTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch reader = new CountDownLatch(1);

    private final Handler target = new Handler() {
        @Override
        public void publish(LogRecord line) {
            begun.countDown();
            try {
                reader.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    void linesWaitForTheirReaderAndNobodyElseDoes() throws InterruptedException {
        PatientHandler handler = new PatientHandler(target);
        handler.publish(new LogRecord(Level.INFO, "first"));
        begun.await();
        int more = PatientHandler.QUEUED_LINES + 500;
        for (int i = 0; i < more; i++) {
            handler.publish(new LogRecord(Level.INFO, "line " + i));
        }
        handler.flush(); // returns
        assertThat(lines).isEmpty();

        reader.countDown();
        Awaitility.await().atMost(Duration.ofSeconds(50)).until(() -> lines.size() == PatientHandler.QUEUED_LINES + 2);
        assertThat(lines.subList(0, 3)).containsExactly("first", "line 0", "line 1");
        assertThat(lines.get(lines.size() - 1))
                .isEqualTo("standard error was not read: 500 log lines lost before this one");

        handler.publish(new LogRecord(Level.INFO, "again"));
        handler.flush();
        assertThat(lines).endsWith("again");
    }

    @Test
    void levelsAndFiltersStay() {
        target.setLevel(Level.WARNING);
        target.setFilter(line -> !line.getMessage().contains("library"));
        reader.countDown();
        PatientHandler handler = new PatientHandler(target);

        handler.publish(new LogRecord(Level.INFO, "detail"));
        handler.publish(new LogRecord(Level.SEVERE, "of a library"));
        handler.publish(new LogRecord(Level.WARNING, "ours"));
        handler.flush();

        assertThat(lines).containsExactly("ours");
    }
}
