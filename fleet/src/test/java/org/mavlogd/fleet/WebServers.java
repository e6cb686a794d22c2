package org.mavlogd.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Test servers as strict as real ones: one that accepts PUT, one for tus 1.0.0, and Flight Review's form. Each cuts the
 * connection where a test demands it.
 */
final class WebServers implements AutoCloseable {
    /** {@code ULog.HEADER_BYTES} of pyulog, by which Flight Review recognizes a log. */
    private static final byte[] ULOG = {'U', 'L', 'o', 'g', 1, 0x12, 0x35};

    static final String AGAIN = " again";

    private final String scheme;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** Received files, by name; without PUT, a further file of the same name has {@link #AGAIN} after its name. */
    final Map<String, byte[]> files = new TreeMap<>();

    /** Flight Review's fields, by name of the log. */
    final Map<String, Map<String, String>> forms = new LinkedHashMap<>();
    /** Flight Review's pages, by name of the log. */
    final Map<String, String> links = new LinkedHashMap<>();
    /** Of WebDAV, which must be there before a file; empty without WebDAV. */
    volatile Set<String> collections = Set.of();

    private final Map<String, Upload> uploads = new TreeMap<>();
    private final AtomicInteger bodies = new AtomicInteger();
    volatile IntPredicate cutInside = number -> false;
    volatile IntPredicate cutBeforeAnswer = number -> false;
    volatile String authorization = "";
    volatile String location = "";
    volatile int status;
    /** Bytes that tus expects in addition to the length of an upload. */
    volatile int moreLength;
    /** Flight Review's status after it has received the log; 0 for its usual answer. */
    volatile int lateStatus;

    /** One upload with tus. */
    private record Upload(String name, int length, ByteArrayOutputStream content) {}

    WebServers() throws IOException {
        this(Optional.empty());
    }

    /** @param tls empty for plain HTTP */
    WebServers(Optional<SSLContext> tls) throws IOException {
        scheme = tls.isPresent() ? "https" : "http";
        server = TestCertificate.server(tls);
        server.setExecutor(threads);
        server.createContext("/put/", exchange -> handle(exchange, this::put));
        server.createContext("/tus", exchange -> handle(exchange, this::tus));
        server.createContext("/upload", exchange -> handle(exchange, this::review));
        server.start();
    }

    String url(String path) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** The URL for a target of this type. */
    String targetUrl(String type) {
        return url(type.equals("flight_review") ? "" : '/' + type);
    }

    /** Received files that are not manifests, by name without directories. */
    Map<String, byte[]> logs() {
        return files.entrySet().stream()
                .filter(file -> !file.getKey().contains(".manifest"))
                .collect(Collectors.toMap(file -> file.getKey().replaceAll(".*/", ""), Map.Entry::getValue));
    }

    /** Handles the requests of one kind of server. */
    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    private synchronized void handle(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            String given = exchange.getRequestHeaders().getFirst("Authorization");
            if (!authorization.isEmpty() && !authorization.equals(given)) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(401, -1);
            } else if (status != 0) {
                exchange.getRequestBody().readAllBytes();
                if (!location.isEmpty()) {
                    exchange.getResponseHeaders().set("Location", location);
                }
                exchange.sendResponseHeaders(status, -1);
            } else {
                handler.handle(exchange);
            }
        }
    }

    /** The body, or half of it if the connection is to be cut. */
    private byte[] body(HttpExchange exchange, int number) throws IOException {
        InputStream in = exchange.getRequestBody();
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        int all = length == null ? 0 : Integer.parseInt(length);
        return cutInside.test(number) ? in.readNBytes(all / 2) : in.readAllBytes();
    }

    private void put(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/put/".length());
        if (exchange.getRequestMethod().equals("HEAD")) {
            byte[] file = files.get(name);
            if (file != null) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(file.length));
            }
            exchange.sendResponseHeaders(file == null ? 404 : 200, -1);
            return;
        }
        if (exchange.getRequestMethod().equals("MKCOL")) {
            exchange.sendResponseHeaders(make(name), -1);
            return;
        }
        int number = bodies.incrementAndGet();
        byte[] body = body(exchange, number);
        if (cutInside.test(number)) {
            return;
        }
        String md5 = Base64.getEncoder().encodeToString(md5(body));
        if (!md5.equals(exchange.getRequestHeaders().getFirst("Content-MD5"))) {
            exchange.sendResponseHeaders(400, -1);
            return;
        }
        if (!isThere(name.substring(0, name.lastIndexOf('/') + 1))) {
            exchange.sendResponseHeaders(409, -1);
            return;
        }
        files.put(name, body);
        if (!cutBeforeAnswer.test(number)) {
            exchange.sendResponseHeaders(201, -1);
        }
    }

    /** RFC 4918, 9.3.1. */
    private int make(String collection) {
        if (collections.isEmpty() || collections.contains(collection)) {
            return 405;
        }
        if (!collection.endsWith("/")
                || !isThere(collection.substring(0, collection.lastIndexOf('/', collection.length() - 2) + 1))) {
            return 409;
        }
        collections.add(collection);
        return 201;
    }

    private boolean isThere(String collection) {
        return collections.isEmpty() || collections.contains(collection);
    }

    private static byte[] md5(byte[] body) {
        try {
            return MessageDigest.getInstance("MD5").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(String name, byte[] content) {
        String free = name;
        while (files.putIfAbsent(free, content) != null) {
            free += AGAIN;
        }
    }

    private void tus(HttpExchange exchange) throws IOException {
        if (!"1.0.0".equals(exchange.getRequestHeaders().getFirst("Tus-Resumable"))) {
            exchange.sendResponseHeaders(412, -1);
            return;
        }
        String path = exchange.getRequestURI().getPath();
        Upload upload = uploads.get(path);
        switch (exchange.getRequestMethod()) {
            case "POST" -> create(exchange);
            case "HEAD" -> {
                if (upload != null) {
                    exchange.getResponseHeaders()
                            .set(
                                    "Upload-Offset",
                                    Integer.toString(upload.content().size()));
                    exchange.getResponseHeaders().set("Upload-Length", Integer.toString(upload.length()));
                }
                exchange.sendResponseHeaders(upload == null ? 404 : 200, -1);
            }
            case "PATCH" -> patch(exchange, upload);
            default -> exchange.sendResponseHeaders(405, -1);
        }
    }

    private void create(HttpExchange exchange) throws IOException {
        String metadata = exchange.getRequestHeaders().getFirst("Upload-Metadata");
        String name = new String(
                Base64.getDecoder().decode(metadata.split(",", -1)[0].split(" ", -1)[1]), StandardCharsets.UTF_8);
        String path = "/tus/" + UUID.randomUUID();
        int length = Integer.parseInt(exchange.getRequestHeaders().getFirst("Upload-Length")) + moreLength;
        uploads.put(path, new Upload(name, length, new ByteArrayOutputStream()));
        exchange.getResponseHeaders().set("Location", location.isEmpty() ? path : location);
        exchange.sendResponseHeaders(201, -1);
    }

    private void patch(HttpExchange exchange, @Nullable Upload upload) throws IOException {
        int number = bodies.incrementAndGet();
        if (upload == null
                || !"application/offset+octet-stream"
                        .equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            exchange.sendResponseHeaders(upload == null ? 404 : 415, -1);
            return;
        }
        if (!Integer.toString(upload.content().size())
                .equals(exchange.getRequestHeaders().getFirst("Upload-Offset"))) {
            exchange.sendResponseHeaders(409, -1);
            return;
        }
        upload.content().write(body(exchange, number));
        if (upload.content().size() == upload.length()) {
            add(upload.name(), upload.content().toByteArray());
        }
        if (!cutInside.test(number) && !cutBeforeAnswer.test(number)) {
            exchange.getResponseHeaders()
                    .set("Upload-Offset", Integer.toString(upload.content().size()));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    /**
     * Checks a form like app/tornado_handlers/upload.py: parts by the first line, two required fields, a file that is a
     * ULog.
     */
    private void review(HttpExchange exchange) throws IOException {
        int number = bodies.incrementAndGet();
        byte[] body = body(exchange, number);
        if (cutInside.test(number)) {
            return;
        }
        Map<String, String> fields = new TreeMap<>();
        String text = new String(body, StandardCharsets.ISO_8859_1);
        String delimiter = text.substring(0, text.indexOf("\r\n"));
        String fileName = "";
        byte[] file = {};
        for (String part : text.substring(delimiter.length() + 2).split("\r\n" + delimiter + "(\r\n|--\r\n)", -1)) {
            int split = part.indexOf("\r\n\r\n");
            if (split < 0) {
                continue;
            }
            String name = between(part.substring(0, split), " name=\"");
            String value = part.substring(split + 4);
            if (name.equals("filearg")) {
                fileName = between(part.substring(0, split), "filename=\"");
                file = value.getBytes(StandardCharsets.ISO_8859_1);
            } else {
                fields.put(name, value);
            }
        }
        boolean isGood = exchange.getRequestURI().getPath().equals("/upload")
                && fields.containsKey("description")
                && fields.containsKey("email")
                && fileName.endsWith(".ulg");
        if (!isGood) {
            exchange.sendResponseHeaders(500, -1);
            return;
        }
        if (!Arrays.equals(Arrays.copyOf(file, ULOG.length), ULOG)) {
            exchange.sendResponseHeaders(400, -1);
            return;
        }
        String link = "/plot_app?log=" + UUID.randomUUID();
        add(fileName, file);
        forms.put(fileName, fields);
        links.put(fileName, url(link));
        if (cutBeforeAnswer.test(number)) {
            return;
        }
        if (lateStatus != 0) {
            exchange.sendResponseHeaders(lateStatus, -1);
            return;
        }
        boolean isRedirected = fields.getOrDefault("redirect", "true").equals("true");
        byte[] answer = isRedirected ? new byte[0] : ("{\"url\": \"" + link + "\"}").getBytes(StandardCharsets.UTF_8);
        if (isRedirected) {
            exchange.getResponseHeaders().set("Location", link);
        }
        exchange.sendResponseHeaders(isRedirected ? 302 : 200, answer.length == 0 ? -1 : answer.length);
        if (answer.length > 0) {
            exchange.getResponseBody().write(answer);
        }
    }

    private static String between(String text, String start) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf('"', from));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
