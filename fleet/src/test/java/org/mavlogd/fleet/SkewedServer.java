package org.mavlogd.fleet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy before an S3 server whose clock seems to be one hour fast: it refuses requests that were signed at another
 * time.
 */
final class SkewedServer implements AutoCloseable {
    private static final DateTimeFormatter SIGNED_TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss");
    /** The limit of S3. */
    private static final Duration MAX_SKEW = Duration.ofMinutes(15);

    private static final Pattern SIGNED = Pattern.compile("(?i)x-amz-date: ([0-9]{8}T[0-9]{6})Z");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final int target;
    final AtomicInteger refused = new AtomicInteger();

    SkewedServer(int target) throws IOException {
        this.target = target;
        Thread thread = new Thread(this::accept, "skewed-server");
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                serve(client);
            } catch (IOException e) {
                // the client closed the connection, or the test ended
            }
        }
    }

    private void serve(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            head.write(next);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        ZonedDateTime time = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1);
        Matcher signed = SIGNED.matcher(text);
        boolean isOnTime = signed.find()
                && Duration.between(LocalDateTime.parse(signed.group(1), SIGNED_TIME), time.toLocalDateTime())
                                .abs()
                                .compareTo(MAX_SKEW)
                        < 0;
        if (text.contains("100-continue")) {
            client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        Matcher length = LENGTH.matcher(text);
        byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        if (!isOnTime) {
            refused.incrementAndGet();
            String error = text.startsWith("HEAD")
                    ? ""
                    : "<?xml version=\"1.0\"?><Error><Code>RequestTimeTooSkewed</Code></Error>";
            String answer = "HTTP/1.1 403 Forbidden\r\nDate: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(time)
                    + "\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: " + error.length()
                    + "\r\n\r\n" + error;
            client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            return;
        }
        try (Socket on = new Socket(InetAddress.getLoopbackAddress(), target)) {
            String closing = text.replaceAll("(?i)(connection|expect): [^\r]*\r\n", "")
                    .replaceFirst("\r\n", "\r\nConnection: close\r\n");
            on.getOutputStream().write(closing.getBytes(StandardCharsets.ISO_8859_1));
            on.getOutputStream().write(body);
            on.getInputStream().transferTo(client.getOutputStream());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
