package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.control.StatusServer;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;

/**
 * Whatever the making of the server throws, the rest of the recorder starts and stops as if no pages were configured.
 */
class PagesStartTest {
    @Test
    void aServerThatCannotBeMadeIsReportedAndLeftOut() {
        StatusServer.Settings settings = new StatusServer.Settings(
                Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", 0)), StatusServer.Tokens.NONE);
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            Metrics metrics = new Metrics();
            ContainedPart part = metrics.part("http.start", Recovery.PAUSES);
            SharedParts shared = new SharedParts(metrics, MemoryBudget.ofHeap(), System::nanoTime);
            Pages pages = new Pages(settings, shared, part, () -> {
                throw Thrown.<RuntimeException>sneak(error.get());
            });

            pages.start();

            assertThat(part.errors()).isEqualTo(1);
            assertThat(pages.address()).isEmpty();
            pages.close();
        }
    }
}
