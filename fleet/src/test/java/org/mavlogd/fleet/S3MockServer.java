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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An independent S3 server as a process. Tests read it by plain HTTP, without the library that writes.
 *
 * <p>{@code -Dmavlogd.s3.port=PORT} uses the server on that loopback port instead of Adobe's S3Mock: {@code
 * scripts/test-radosgw}.
 */
public final class S3MockServer implements AutoCloseable {
    private static final int OTHER_PORT = Integer.getInteger("mavlogd.s3.port", 0);
    /** Whether the server is not S3Mock. Other servers check keys and signatures; S3Mock does not. */
    static final boolean IS_OTHER = OTHER_PORT != 0;

    /** The name contains the process id, since tests in other processes use the other server at the same time. */
    public static final String BUCKET =
            IS_OTHER ? "logs-" + ProcessHandle.current().pid() : "logs";

    private static final Path LIBRARIES =
            Path.of("..", "fleet", "s3mock", "target", "lib").toAbsolutePath().normalize();
    private static final Pattern STARTED = Pattern.compile("Tomcat started on ports? .*?([0-9]+) \\(http\\).*");
    private static final String READABLE = """
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*",
             "Action": ["s3:GetObject", "s3:ListBucket", "s3:ListBucketMultipartUploads"],
             "Resource": ["arn:aws:s3:::%1$s", "arn:aws:s3:::%1$s/*"]}]}""".formatted(BUCKET);
    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    private final HttpClient http = HttpClient.newHttpClient();
    private final @Nullable Process process;
    private final int port;

    /** Starts the server with an empty bucket, whose objects are stored under {@code root}. */
    public S3MockServer(Path root) throws IOException, InterruptedException {
        if (IS_OTHER) {
            process = null;
            port = OTHER_PORT;
            emptyBucket();
            return;
        }
        Process mock = new ProcessBuilder(List.of(
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
        process = mock;
        BlockingQueue<Integer> ports = new ArrayBlockingQueue<>(1);
        Thread reader = new Thread(() -> read(mock.getInputStream(), ports), "s3mock-output");
        reader.setDaemon(true);
        reader.start();
        Integer found = ports.poll(180, TimeUnit.SECONDS);
        if (found == null) {
            mock.destroyForcibly();
            throw new IOException("S3Mock did not start; its libraries are in " + LIBRARIES);
        }
        port = found;
    }

    private S3Client client() {
        return S3Client.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                // Not every server understands checksums behind a body.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(UploadFixture.KEY_ID, UploadFixture.SECRET_KEY)))
                .build();
    }

    /** Makes an empty bucket that can be read without a key. */
    private void emptyBucket() {
        try (S3Client client = client()) {
            client.createBucket(request -> request.bucket(BUCKET));
            client.putBucketPolicy(request -> request.bucket(BUCKET).policy(READABLE));
            client.listObjectsV2Paginator(request -> request.bucket(BUCKET))
                    .contents()
                    .forEach(object -> client.deleteObject(
                            request -> request.bucket(BUCKET).key(object.key())));
        }
        endUploads();
    }

    /** Aborts multipart uploads; S3Mock also deletes the object of the same name. */
    void endUploads() {
        try (S3Client client = client()) {
            client.listMultipartUploads(request -> request.bucket(BUCKET))
                    .uploads()
                    .forEach(upload -> client.abortMultipartUpload(
                            request -> request.bucket(BUCKET).key(upload.key()).uploadId(upload.uploadId())));
        }
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

    /** The names of all objects except manifests. */
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

    /** Stores an object; {@code key} is already encoded for a URL. */
    public void put(String key, byte[] content) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + '/' + BUCKET + '/' + key))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(content));
        int status = http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
            throw new IOException(key + ": " + status);
        }
    }

    void put(String key, byte[] content, Map<String, String> metadata) {
        try (S3Client client = client()) {
            client.putObject(
                    request -> request.bucket(BUCKET).key(key).metadata(metadata), RequestBody.fromBytes(content));
        }
    }

    /** Number of unfinished multipart uploads. */
    int openUploads() throws IOException, InterruptedException {
        return get("?uploads", HttpResponse.BodyHandlers.ofString()).split("<UploadId>", -1).length - 1;
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
