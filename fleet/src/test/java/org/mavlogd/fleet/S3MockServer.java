package org.mavlogd.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of S3 that is not ours, as a process; read here by plain HTTP, without the library that writes. */
public final class S3MockServer implements AutoCloseable {
    public static final String BUCKET = "logs";

    private static final Path LIBRARIES =
            Path.of("..", "fleet", "s3mock", "target", "lib").toAbsolutePath().normalize();
    private static final Pattern STARTED = Pattern.compile("Tomcat started on ports? .*?([0-9]+) \\(http\\).*");
    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    /** Starts it with an empty bucket, whose objects are below a directory. */
    public S3MockServer(Path root) throws IOException, InterruptedException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dcom.adobe.testing.s3mock.httpPort=0",
                        "-Dserver.port=0",
                        "-Dcom.adobe.testing.s3mock.store.initialBuckets=" + BUCKET,
                        "-Dcom.adobe.testing.s3mock.store.root=" + Files.createDirectories(root),
                        "-cp",
                        LIBRARIES + "/*",
                        "com.adobe.testing.s3mock.S3MockApplication"))
                .redirectErrorStream(true)
                .start();
        BlockingQueue<Integer> ports = new ArrayBlockingQueue<>(1);
        Thread reader = new Thread(() -> read(process.getInputStream(), ports), "s3mock-output");
        reader.setDaemon(true);
        reader.start();
        Integer found = ports.poll(60, TimeUnit.SECONDS);
        if (found == null) {
            process.destroyForcibly();
            throw new IOException("S3Mock did not start; its libraries are in " + LIBRARIES);
        }
        port = found;
    }

    private static void read(InputStream output, BlockingQueue<Integer> ports) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher started = STARTED.matcher(line.replaceAll(".*Tomcat", "Tomcat"));
                if (started.matches()) {
                    ports.add(Integer.parseInt(started.group(1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    private <T> T get(String path, HttpResponse.BodyHandler<T> handler) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + '/' + BUCKET + path))
                .build();
        HttpResponse<T> answer = http.send(request, handler);
        if (answer.statusCode() != 200) {
            throw new IOException(path + ": " + answer.statusCode());
        }
        return answer.body();
    }

    /** The names of all objects but manifests. */
    Set<String> logs() throws IOException, InterruptedException {
        Set<String> keys = keys();
        keys.removeIf(key -> key.endsWith(".manifest.json"));
        return keys;
    }

    Set<String> keys() throws IOException, InterruptedException {
        Set<String> keys = new TreeSet<>();
        Matcher matcher = KEY.matcher(get("?list-type=2&max-keys=1000", HttpResponse.BodyHandlers.ofString()));
        while (matcher.find()) {
            keys.add(URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8));
        }
        return keys;
    }

    byte[] object(String key) throws IOException, InterruptedException {
        return get('/' + key, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Places an object, whose name is encoded for an address already. */
    public void put(String key, byte[] content) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + '/' + BUCKET + '/' + key))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(content))
                .build();
        int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 200) {
            throw new IOException(key + ": " + status);
        }
    }

    /** How many uploads in parts were begun and not ended. */
    int openUploads() throws IOException, InterruptedException {
        return get("?uploads", HttpResponse.BodyHandlers.ofString()).split("<UploadId>", -1).length - 1;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
