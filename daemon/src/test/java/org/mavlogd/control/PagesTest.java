package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

class PagesTest {
    private final Logger logger = Logger.getLogger(ContainedPart.class.getName());
    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord event) {
            logged.add(event);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(listener);
        logger.setUseParentHandlers(true);
    }

    @Test
    void answersWithThePageOfThePath() {
        Pages pages = new Pages(List.of(
                page("/a", () -> Endpoint.Response.text(200, "A")),
                page("/b", () -> Endpoint.Response.json(503, "{}"))));

        assertThat(pages.respond("/a")).isEqualTo(new Endpoint.Response(200, "text/plain; charset=utf-8", "A\n"));
        assertThat(pages.respond("/b")).isEqualTo(new Endpoint.Response(503, "application/json", "{}"));
    }

    @Test
    void listsThePathsWhenThereIsNoSuchPage() {
        Pages pages = new Pages(List.of(
                page("/status", () -> Endpoint.Response.text(200, "")),
                page("/metrics", () -> Endpoint.Response.text(200, ""))));

        Endpoint.Response response = pages.respond("/nothing");

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.body()).isEqualTo("Not found. There is:\n/status\n/metrics\n");
    }

    @Test
    void reportsAFailingPageOnce() {
        List<RuntimeException> failures = new ArrayList<>(List.of(
                new IllegalStateException("broken"),
                new IllegalStateException("broken"),
                new IllegalStateException("broken")));
        Pages pages = new Pages(List.of(page("/status", () -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            return Endpoint.Response.text(200, "well");
        })));

        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            statuses.add(pages.respond("/status").status());
        }

        assertThat(statuses).containsExactly(500, 500, 500, 200, 200);
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0).getMessage()).startsWith("http/status: internal error");
    }

    @Test
    void containsWhatAPageThrows() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            Pages pages = new Pages(List.of(page("/status", () -> {
                throw Thrown.<RuntimeException>sneak(error.get());
            })));

            assertThat(pages.respond("/status").status()).isEqualTo(500);
        }
    }

    @Test
    void containsWhatJacksonThrowsInABadState() {
        Metrics metrics = new Metrics();
        Pages pages = new Pages(
                List.of(page("/status", () -> {
                    StringWriter text = new StringWriter();
                    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
                        json.writeFieldName("a name outside of any object");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return Endpoint.Response.json(200, text.toString());
                })),
                metrics);

        assertThat(pages.respond("/status").status()).isEqualTo(500);
        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"http/status\"} 1.0");
    }

    @Test
    void endsTheProcessWhenMemoryIsOut() {
        Pages pages = new Pages(List.of(page("/status", () -> {
            throw new OutOfMemoryError("test");
        })));

        assertThat(UncaughtErrors.of(() -> pages.respond("/status")))
                .singleElement()
                .isInstanceOf(OutOfMemoryError.class);
    }

    /** The handler of a connection receives an error of Netty: only this connection ends. */
    @Test
    void containsWhatNettyThrows() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            ContainedPart part = ContainedPart.unlisted("http", Recovery.CONTINUES);
            EmbeddedChannel channel = new EmbeddedChannel(new HttpConnection(
                    new Pages(List.of()),
                    new RequestCheck(
                            new RequestCheck.HostCheck("127.0.0.1"),
                            StatusServer.Tokens.NONE,
                            StatusServer.Counters.register(new Metrics())),
                    new HttpConnection.ExchangeDeadline(1000, new Counter()),
                    part,
                    MemoryShare.unlimited()));

            channel.pipeline().fireExceptionCaught(error.get());

            assertThat(part.errors()).isOne();
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void answersForAPageWhoseResponseIsNotHttp() {
        Pages pages = new Pages(List.of(
                page("/status", () -> new Endpoint.Response(99, "text/plain", "")),
                page("/type", () -> new Endpoint.Response(200, "text/plain\r\nX: y", ""))));

        assertThat(pages.respond("/status").status()).isEqualTo(500);
        assertThat(pages.respond("/type").status()).isEqualTo(500);
    }

    @Test
    void refusesPathsThatAreRelativeOrTwice() {
        Endpoint page = page("/a", () -> Endpoint.Response.text(200, ""));

        assertThatThrownBy(() -> new Pages(List.of(page, page))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Pages(List.of(page("a", () -> Endpoint.Response.text(200, "")))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    static Endpoint page(String path, Supplier<Endpoint.Response> response) {
        return new Endpoint() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public Endpoint.Response respond() {
                return response.get();
            }
        };
    }
}
