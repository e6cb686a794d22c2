package org.mavlogd.fleet.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.config.UploadSecret;
import org.mavlogd.config.UploadTarget;

/** Tests servers that do not complete their answers. */
class HttpSenderTest {
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /** Writes a server's answer after it has read a request. */
    private interface Writing {
        void write(Socket client, OutputStream out) throws IOException;
    }

    private static HttpSender.Answer ask(Writing writing) throws IOException, InterruptedException {
        return ask(writing, STALL_NS);
    }

    private static HttpSender.Answer ask(Writing writing, long stallNs) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> serve(server, writing), "answering");
            thread.setDaemon(true);
            thread.start();
            return ask("http://127.0.0.1:" + server.getLocalPort() + "/x", stallNs);
        }
    }

    private static HttpSender.Answer ask(String address) throws IOException, InterruptedException {
        return ask(address, PATIENCE_NS);
    }

    private static HttpSender.Answer ask(String address, long stallNs) throws IOException, InterruptedException {
        HttpSender sender = new HttpSender(target(), stallNs);
        return sender.send(sender.request(URI.create(address)), "GET");
    }

    private static UploadTarget target() {
        return new UploadTarget(
                "web",
                UploadTarget.Type.PUT,
                URI.create("http://127.0.0.1/x"),
                new UploadSecret(""),
                "",
                "{name}",
                Set.of(".ulg"),
                false,
                true,
                new UploadTarget.Bucket("", "", true, 1),
                new UploadTarget.Form("", "", false),
                new UploadTarget.Command(java.util.List.of(), 1));
    }

    private static void serve(ServerSocket server, Writing writing) {
        try (Socket client = server.accept()) {
            int ends = 0;
            for (int next = client.getInputStream().read(); next >= 0 && ends < 4; ) {
                ends = next == '\r' || next == '\n' ? ends + 1 : 0;
                next = ends < 4 ? client.getInputStream().read() : next;
            }
            writing.write(client, client.getOutputStream());
        } catch (IOException e) {
            // the client closed the connection
        }
    }

    /** Whether the client closes the connection within {@code withinMs} milliseconds. */
    private static boolean isClosed(Socket client, int withinMs) throws IOException {
        client.setSoTimeout(withinMs);
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static void head(OutputStream out, String length) throws IOException {
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Test
    @Timeout(120)
    void aHostThatCannotBeReachedIsNamedWithTheReason() throws IOException {
        int closed;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            closed = server.getLocalPort();
        }
        assertThatThrownBy(() -> ask("http://127.0.0.1:" + closed + "/x"))
                .hasMessage("no connection to 127.0.0.1: it is not reachable, or refuses");
        assertThatThrownBy(() -> ask("http://unknown.invalid/x"))
                .hasMessage("no connection to unknown.invalid: its name is not known");
    }

    @Test
    @Timeout(120)
    void anAnswerThatStopsInTheMiddleEndsTheRequest() {
        assertThatThrownBy(() -> ask((client, out) -> {
                    head(out, "100");
                    out.write('x');
                    out.flush();
                    isClosed(client, 100_000);
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no data was transferred");
    }

    @Test
    @Timeout(120)
    void anAnswerThatDripsEndsTheRequest() {
        assertThatThrownBy(() -> ask((client, out) -> {
                    head(out, "100000");
                    for (int i = 0; i < 1000 && !isClosed(client, 100); i++) {
                        out.write('x');
                        out.flush();
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no data was transferred");
    }

    @Test
    @Timeout(120)
    void ofALongAnswerTheStartIsKept() throws IOException, InterruptedException {
        HttpSender.Answer answer = ask(
                (client, out) -> {
                    head(out, "1000000000");
                    byte[] some = new byte[10_000];
                    for (int i = 0; i < 1000; i++) {
                        out.write(some);
                    }
                },
                PATIENCE_NS);

        assertThat(answer.isGood()).isTrue();
        assertThat(answer.body()).hasSize(64 << 10);
    }
}
