package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PagesTest {
    private final Logger logger = Logger.getLogger(Pages.class.getName());
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
        Pages pages = new Pages(
                List.of(page("/a", () -> Response.text(200, "A")), page("/b", () -> Response.json(503, "{}"))));

        assertThat(pages.respond("/a")).isEqualTo(new Response(200, "text/plain; charset=utf-8", "A\n"));
        assertThat(pages.respond("/b")).isEqualTo(new Response(503, "application/json", "{}"));
    }

    @Test
    void listsThePathsWhenThereIsNoSuchPage() {
        Pages pages = new Pages(
                List.of(page("/status", () -> Response.text(200, "")), page("/metrics", () -> Response.text(200, ""))));

        Response response = pages.respond("/nothing");

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.body()).isEqualTo("Not found. There is:\n/status\n/metrics\n");
    }

    @Test
    void tellsOfAFailingPageOnceAndOfItsRecovery() {
        List<RuntimeException> failures = new ArrayList<>(List.of(
                new IllegalStateException("broken"),
                new IllegalStateException("broken"),
                new IllegalStateException("broken")));
        Pages pages = new Pages(List.of(page("/status", () -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            return Response.text(200, "well");
        })));

        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            statuses.add(pages.respond("/status").status());
        }

        assertThat(statuses).containsExactly(500, 500, 500, 200, 200);
        assertThat(logged)
                .extracting(LogRecord::getMessage)
                .containsExactly(
                        "HTTP page /status failed: java.lang.IllegalStateException: broken",
                        "HTTP page /status works again (after 3 failed attempts)");
    }

    @Test
    void survivesAnErrorInAPage() {
        Pages pages = new Pages(List.of(page("/status", () -> {
            throw new StackOverflowError();
        })));

        assertThat(pages.respond("/status").status()).isEqualTo(500);
    }

    @Test
    void answersForAPageWhoseResponseIsNotHttp() {
        Pages pages = new Pages(List.of(
                page("/status", () -> new Response(99, "text/plain", "")),
                page("/type", () -> new Response(200, "text/plain\r\nX: y", ""))));

        assertThat(pages.respond("/status").status()).isEqualTo(500);
        assertThat(pages.respond("/type").status()).isEqualTo(500);
    }

    @Test
    void refusesPathsThatAreRelativeOrTwice() {
        Endpoint page = page("/a", () -> Response.text(200, ""));

        assertThatThrownBy(() -> new Pages(List.of(page, page))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Pages(List.of(page("a", () -> Response.text(200, "")))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    static Endpoint page(String path, Supplier<Response> response) {
        return new Endpoint() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public Response respond() {
                return response.get();
            }
        };
    }
}
