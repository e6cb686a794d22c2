package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.config.Settings;
import org.mavlogd.control.SystemdNotifier;
import org.mavlogd.control.Watchdog;
import org.mavlogd.wiring.Daemon;

/** The watchdog messages that systemd gets, from real threads over a real socket. */
@Timeout(120)
class WatchdogSystemTest {
    private static final long PID = 4711;
    private static final String TIMEOUT_US = "600000";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Socket systemd;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1024);

    @BeforeEach
    void listen() throws IOException {
        Epoll.ensureAvailability();
        systemd = Socket.newSocketDomainDgram();
        systemd.bind(new DomainSocketAddress(path()));
    }

    @AfterEach
    void close() throws IOException {
        systemd.close();
    }

    @Test
    void aDaemonThatWaitsForAVehicleGivesSignsOfLife() throws Exception {
        Path config = directory.resolve("mavlogd.toml");
        Files.writeString(config, """
                [log]
                directory = "%s"
                [http]
                listen = ""
                [[link]]
                name = "udp"
                type = "udp"
                listen = "127.0.0.1:%d"
                [[link]]
                name = "serial"
                type = "serial"
                device = "%s"
                baud = 57600
                """.formatted(directory.resolve("logs"), FreePorts.udp(), directory.resolve("none")));
        try (Daemon daemon = new Daemon(Settings.load(config))) {
            daemon.start();
            // Shortest possible limits: the links, too, must answer between two checks.
            WatchdogFeeder feeder = feeder(daemon.vitals(0, TimeUnit.SECONDS.toNanos(30), 0));
            Thread thread = start(feeder);

            AtomicInteger signs = new AtomicInteger();
            await("signs of life", () -> signs.addAndGet(received()) >= 10);

            feeder.end();
            thread.join();
        }
    }

    @Test
    void aThreadThatHangsEndsTheSignsAndOneThatGoesOnBringsThemBack() throws Exception {
        AtomicLong rounds = new AtomicLong();
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Thread worker = start(() -> {
            try {
                while (!hang.await(1, TimeUnit.MILLISECONDS)) {
                    rounds.incrementAndGet();
                }
                resumed.await();
                while (!never.await(1, TimeUnit.MILLISECONDS)) {
                    rounds.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        AtomicInteger looks = new AtomicInteger();
        WatchdogFeeder feeder = feeder(List.of(new Watchdog.Vital(
                "the worker",
                () -> {
                    looks.incrementAndGet();
                    return rounds.get();
                },
                0)));
        Thread thread = start(feeder);
        await("the first sign", () -> received() > 0);

        hang.countDown();
        int before = looks.get();
        await("looks at the hanging thread", () -> looks.get() >= before + 2);
        received();
        int hanging = looks.get();
        await("more looks", () -> looks.get() >= hanging + 3);
        assertThat(received()).isZero();
        assertThat(complaint).hasValue("the worker makes no progress");

        resumed.countDown();
        await("a sign again", () -> received() > 0);
        assertThat(complaint).hasValue("");
        feeder.end();
        thread.join();
        worker.interrupt();
        worker.join();
    }

    private final AtomicReference<String> complaint = new AtomicReference<>("not asked");

    private WatchdogFeeder feeder(List<Watchdog.Vital> vitals) {
        SystemdNotifier notifier =
                SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path(), "WATCHDOG_USEC", TIMEOUT_US), PID);
        Watchdog watchdog = new Watchdog(vitals, SystemNanoClock.INSTANCE.nanoTime());
        return new WatchdogFeeder(
                notifier, notifier.watchdogIntervalNs(), watchdog, SystemNanoClock.INSTANCE, complaint::set);
    }

    private String path() {
        return directory.resolve("notify").toString();
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Watchdog messages since the last call. */
    private int received() {
        int count = 0;
        try {
            for (int length = receive(); length > 0; length = receive()) {
                byte[] bytes = new byte[length];
                buffer.get(0, bytes);
                assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("WATCHDOG=1");
                count++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return count;
    }

    private int receive() throws IOException {
        return systemd.recv(buffer.clear(), 0, buffer.capacity());
    }
}
