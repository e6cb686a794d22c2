package org.mavlogd.fleet.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.Version;

/** A server that gives leave to send and refuses at once, as Ceph does where a quota is reached. */
class S3RefusalTest {
    private static final int BYTES = 2_000_000;
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(120);
    private static final String REASON = "<Error><Code>QuotaExceeded</Code><Message>full</Message></Error>";

    @TempDir
    private Path directory = Path.of(".");

    private static void serve(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread thread = new Thread(() -> talk(client), "talking");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void talk(Socket client) {
        try (client) {
            for (String head = head(client.getInputStream()); !head.isEmpty(); head = head(client.getInputStream())) {
                answer(head, client.getInputStream(), client.getOutputStream());
            }
        } catch (IOException e) {
            // the client went
        }
    }

    private static void answer(String head, InputStream in, OutputStream out) throws IOException {
        if (!head.startsWith("put ")) {
            write(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        write(
                out,
                (head.contains("expect: 100-continue") ? "HTTP/1.1 100 CONTINUE\r\n\r\n" : "")
                        + "HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: "
                        + REASON.length()
                        + "\r\n\r\n" + REASON);
        in.skipNBytes(BYTES);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** In small letters; empty at the end. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (head.length() > 3 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString().toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }

    @Test
    @Timeout(120)
    void theReasonIsHeardAtTheSecondAttemptAndOnlyWhatIsSentCountsForTheLimit() throws IOException {
        AtomicLong passed = new AtomicLong();
        Path log = Files.write(directory.resolve("a.ulg"), new byte[BYTES]);
        String sha256 = Digests.sha256(log, BYTES);
        Shipment shipment =
                new Shipment(log, BYTES, sha256, sha256, "a.ulg", "a.ulg", "application/octet-stream", new Throttle() {
                    @Override
                    public void pass(int bytes) {
                        passed.addAndGet(bytes);
                    }

                    @Override
                    public void check() {}
                });
        Transfer begun = Transfer.of(new Version(BYTES, 1), sha256);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> serve(server), "serving");
            thread.setDaemon(true);
            thread.start();
            S3Target target = new S3Target(
                    S3Settings.of(directory, "http://127.0.0.1:" + server.getLocalPort(), "", 5 << 20),
                    Duration.ofSeconds(10),
                    STALL_NS);
            assertThatThrownBy(() -> target.send(shipment, begun, transfer -> {}))
                    .hasMessageContaining("timed out");
            assertThat(passed.get()).isPositive().isLessThanOrEqualTo(BYTES);
            for (int again = 0; again < 2; again++) {
                assertThatThrownBy(() -> target.send(shipment, begun, transfer -> {}))
                        .hasMessageContaining("status 403, QuotaExceeded: full");
            }
            target.close();
        }
    }
}
