package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SystemdNotifierSystemTest {
    private static final long PID = 4711;

    @TempDir
    private Path directory;

    @BeforeAll
    static void load() {
        Epoll.ensureAvailability();
    }

    @Test
    void sendsNoticesToAPath() throws IOException {
        String path = directory.resolve("notify").toString();

        try (Receiver systemd = new Receiver(path);
                SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PID)) {
            notifier.status("starting");
            notifier.ready();
            notifier.watchdog();
            notifier.stopping();

            assertThat(systemd.next()).isEqualTo("STATUS=starting");
            assertThat(systemd.next()).isEqualTo("READY=1");
            assertThat(systemd.next()).isEqualTo("WATCHDOG=1");
            assertThat(systemd.next()).isEqualTo("STOPPING=1");
        }
    }

    @Test
    void sendsNoticesToAnAbstractAddress() throws IOException {
        String name = "mavlogd-test/" + UUID.randomUUID();

        try (Receiver systemd = new Receiver('\0' + name);
                SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", '@' + name), PID)) {
            notifier.ready();

            assertThat(systemd.next()).isEqualTo("READY=1");
        }
    }

    @Test
    void keepsAStatusOnOneLineAndShort() throws IOException {
        String path = directory.resolve("notify").toString();

        try (Receiver systemd = new Receiver(path);
                SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PID)) {
            notifier.status("recording\nREADY=1\r\u0000x");
            notifier.status("\u20ac".repeat(5_000));

            assertThat(systemd.next()).isEqualTo("STATUS=recording READY=1  x");
            assertThat(systemd.next()).startsWith("STATUS=\u20ac\u20ac").hasSizeLessThan(300);
        }
    }

    @Test
    void goesOnWhenNobodyListens() throws IOException {
        String path = directory.resolve("notify").toString();

        try (SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PID)) {
            notifier.ready();
            try (Receiver systemd = new Receiver(path)) {
                notifier.watchdog();

                assertThat(systemd.next()).isEqualTo("WATCHDOG=1");
            }
        }
    }

    @Test
    void neverWaitsForAReceiverThatDoesNotRead() throws IOException {
        String path = directory.resolve("notify").toString();

        try (Receiver systemd = new Receiver(path);
                SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PID)) {
            for (int i = 0; i < 20_000; i++) {
                notifier.watchdog();
            }

            assertThat(systemd.next()).isEqualTo("WATCHDOG=1");
        }
    }

    @Test
    void runsACommandForEachNoticeWhereTheNativeLibraryDoesNotLoad() throws IOException {
        Path notifications = directory.resolve("told");
        Path command = Files.writeString(
                directory.resolve("systemd-notify"), "#!/bin/sh\necho \"$#:$1\" >>" + notifications + "\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("NOTIFY_SOCKET", "/run/notify", "WATCHDOG_USEC", "3000000");

        try (SystemdNotifier notifier = SystemdNotifier.of(environment, PID, command.toString())) {
            assertThat(notifier.watchdogIntervalNs()).isEqualTo(1_500_000_000L);
            notifier.ready();
            await().atMost(Duration.ofSeconds(50))
                    .until(() -> Files.exists(notifications) && Files.size(notifications) == 10);
            notifier.watchdog();
            await().atMost(Duration.ofSeconds(50)).until(() -> Files.size(notifications) > 20);
        }

        assertThat(notifications).hasContent("1:READY=1\n1:WATCHDOG=1\n");
        try (SystemdNotifier notifier = SystemdNotifier.of(environment, PID, "/nonexistent/systemd-notify")) {
            notifier.ready();
        }
    }

    @Test
    void doesNothingWithoutAUsableAddress() {
        String tooLong = "/" + "x".repeat(107);
        for (String path : new String[] {"", "@", "/", "vsock:2:1234", "relative", tooLong}) {
            try (SystemdNotifier notifier = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PID)) {
                notifier.ready();
                notifier.status("x");
                notifier.watchdog();
                notifier.stopping();
            }
        }
        try (SystemdNotifier notifier = SystemdNotifier.of(Map.of(), PID)) {
            notifier.ready();

            assertThat(notifier.watchdogIntervalNs()).isZero();
        }
    }

    @Test
    void wantsASignOfLifeAtHalfTheTimeThatSystemdWaits() {
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "3000000"))).isEqualTo(1_500_000_000L);
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "3000000", "WATCHDOG_PID", "4711")))
                .isEqualTo(1_500_000_000L);
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "3000000", "WATCHDOG_PID", "4712")))
                .isZero();
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "soon"))).isZero();
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "-5"))).isZero();
        assertThat(intervalNs(Map.of("WATCHDOG_USEC", "9223372036854775807"))).isPositive();
    }

    private long intervalNs(Map<String, String> watchdog) {
        Map<String, String> environment = new java.util.HashMap<>(watchdog);
        environment.put("NOTIFY_SOCKET", directory.resolve("notify").toString());
        try (SystemdNotifier notifier = SystemdNotifier.of(environment, PID)) {
            return notifier.watchdogIntervalNs();
        }
    }

    /** The systemd end: a bound Unix datagram socket. */
    private static final class Receiver implements AutoCloseable {
        private static final int MAX_LENGTH = 4096;

        private final Socket socket = Socket.newSocketDomainDgram();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_LENGTH);

        Receiver(String path) throws IOException {
            socket.bind(new DomainSocketAddress(path));
        }

        String next() {
            return await().atMost(Duration.ofSeconds(50))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(this::poll, text -> !text.isEmpty());
        }

        private String poll() throws IOException {
            int length = socket.recv(buffer.clear(), 0, MAX_LENGTH);
            byte[] bytes = new byte[Math.max(length, 0)];
            buffer.get(0, bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
