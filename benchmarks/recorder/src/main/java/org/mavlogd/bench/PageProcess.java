package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@code mavlogd page} process, started as users start it and with the priority of the service, and a client for it.
 */
final class PageProcess implements AutoCloseable {
    private static final double NS_PER_MS = 1e6;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long STOP_S = 15;

    private final Process process;
    private final URI address;
    private final HttpClient client = HttpClient.newHttpClient();

    /** Duration and size of an answer: bytes as sent, compressed as for a browser. */
    record Answer(double ms, int bytes) {}

    /** @param cache directory of what the page keeps across starts */
    PageProcess(Path script, Path cache, List<Path> directories) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("chrt", "--idle", "0", script.toString(), "page", "--listen", "127.0.0.1:0"));
        directories.forEach(directory -> command.addAll(List.of("--directory", directory.toString())));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("CACHE_DIRECTORY", cache.toString());
        process = builder.start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the page does not start: exit code " + process.waitFor());
        }
        address = URI.create(line);
        get("healthz");
    }

    /** {@code chrt} and the start script replace themselves, so the process id does not change. */
    ProcessStats stats() {
        return new ProcessStats(process.pid());
    }

    Answer get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(PATIENCE)
                .header("Accept-Encoding", "gzip")
                .build();
        long start = System.nanoTime();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        double ms = (System.nanoTime() - start) / NS_PER_MS;
        check(path, response.statusCode());
        return new Answer(ms, response.body().length);
    }

    String text(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve(path)).timeout(PATIENCE).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        check(path, response.statusCode());
        return response.body();
    }

    private static void check(String path, int status) throws IOException {
        if (status != 200) {
            throw new IOException(path + ": status " + status);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the page did not stop");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
