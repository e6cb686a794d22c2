package org.mavlogd.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures the uploader as a process that sends logs to an S3 server on loopback at 1 MB/s, and the recorder beside it:
 * {@code UploadBench ROOT [--quick]}. It works in a temporary directory that it deletes at the end.
 */
final class UploadBench {
    private static final String LOG = "simulator/src/demo/11_rover_ackermann.ulg.gz";
    private static final Pattern STARTED = Pattern.compile(".*Tomcat started on ports? .*?([0-9]+) \\(http\\).*");
    private static final Pattern SENT = Pattern.compile("\"sent_bytes\":([0-9]+)");
    private static final long BYTES_PER_MB = 1_000_000;
    private static final int KB_PER_S = 1000;
    private static final double GOAL_PERCENT = 2;
    private static final double GOAL_MB = 64;
    private static final int LOGS = 3;
    private static final int START_S = 120;

    private final Path root;
    private final Path directory;
    private final int logMb;
    private final int measuredS;
    private final int pairs;
    private int uploads;

    private UploadBench(Path root, Path directory, boolean isQuick) {
        this.root = root;
        this.directory = directory;
        this.logMb = isQuick ? 30 : 100;
        this.measuredS = isQuick ? 20 : 60;
        this.pairs = isQuick ? 2 : 7;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals("idle")) {
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
            return;
        }
        List<String> options = Arrays.asList(arguments).subList(1, arguments.length);
        Path directory = Files.createTempDirectory("upload-bench");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        new UploadBench(Path.of(arguments[0]).toAbsolutePath(), directory, options.contains("--quick")).run();
    }

    private void run() throws IOException, InterruptedException {
        String load = Machine.load();
        Path logs = Files.createDirectories(directory.resolve("logs"));
        for (int i = 1; i <= LOGS; i++) {
            String name = String.format(Locale.ROOT, "2026-11-21_14-03-5%d_sys001_%06d.ulg", i, i);
            LongLog.make(root.resolve(LOG), logs.resolve(name), logMb * BYTES_PER_MB);
        }
        double floorMb = floorMb();
        List<Figure> figures = new ArrayList<>();
        List<Process> servers = new ArrayList<>();
        try {
            int port = server(servers);
            Upload upload = upload(port);
            try {
                figures.addAll(measure(upload, floorMb));
            } finally {
                upload.close();
            }
            RecorderPairs recorder = new RecorderPairs(root, pairs, measuredS);
            figures.addAll(recorder.measure("the uploader", ignored -> upload(port)));
        } finally {
            servers.forEach(Process::destroyForcibly);
        }
        Figure.print(figures, load);
    }

    /** Memory of an idle JVM with the same options. */
    private double floorMb() throws IOException, InterruptedException {
        Process idle = new ProcessBuilder(
                        java(),
                        "@" + root.resolve("config/jvm.options"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        UploadBench.class.getName(),
                        "idle")
                .start();
        try {
            Thread.sleep(TimeUnit.SECONDS.toMillis(3));
            return new ProcessStats(idle.pid()).statusMb("VmRSS");
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** It has only the processor time that is left: it would run on another computer. */
    private int server(List<Process> servers) throws IOException {
        Process server = new ProcessBuilder(
                        "chrt",
                        "--idle",
                        "0",
                        java(),
                        "-Xmx256m",
                        "-Dcom.adobe.testing.s3mock.httpPort=0",
                        "-Dserver.port=0",
                        "-Dcom.adobe.testing.s3mock.store.initialBuckets=logs",
                        "-Dcom.adobe.testing.s3mock.store.root="
                                + Files.createDirectories(directory.resolve("objects")),
                        "-cp",
                        root.resolve("fleet/s3mock/target/lib") + "/*",
                        "com.adobe.testing.s3mock.S3MockApplication")
                .redirectErrorStream(true)
                .start();
        servers.add(server);
        BufferedReader output =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher started = STARTED.matcher(line);
            if (started.matches()) {
                return Integer.parseInt(started.group(1));
            }
        }
        throw new IOException("S3Mock does not start: build the module fleet/s3mock");
    }

    /** An uploader that has begun to send all logs. */
    private static final class Upload implements RecorderPairs.Running {
        private final Process process;
        private final Path status;

        Upload(Process process, Path status) {
            this.process = process;
            this.status = status;
        }

        ProcessStats stats() {
            return new ProcessStats(process.pid());
        }

        void awaitStart() throws IOException, InterruptedException {
            long startNs = System.nanoTime();
            while (sentBytes() < BYTES_PER_MB) {
                if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(START_S)) {
                    throw new IOException("nothing was sent within " + START_S + " s");
                }
                Thread.sleep(200);
            }
        }

        long sentBytes() throws IOException {
            if (!Files.exists(status)) {
                return 0;
            }
            Matcher sent = SENT.matcher(Files.readString(status));
            return sent.find() ? Long.parseLong(sent.group(1)) : 0;
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    /** Starts an uploader with a state and keys of its own, so that it sends all logs. */
    private Upload upload(int port) throws IOException, InterruptedException {
        String name = "upload-" + ++uploads;
        Path state = directory.resolve(name);
        Path config = Files.writeString(
                directory.resolve(name + ".toml"),
                "[log]\ndirectory = \"" + directory.resolve("logs") + "\"\n[http]\nlisten = \"\"\n[upload]\nmax_kb_s = "
                        + KB_PER_S + "\nstate_directory = \"" + state
                        + "\"\n[[target]]\nname = \"s3\"\ntype = \"s3\"\nbucket = \"logs\"\nkey = \"" + name
                        + "/{name}\"\nurl = \"http://127.0.0.1:" + port + "\"\n");
        ProcessBuilder builder = new ProcessBuilder(
                        "chrt", "--idle", "0", Bench.launcher(root).toString(), "upload", "--config", config.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("AWS_ACCESS_KEY_ID", "a");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "b");
        Upload upload = new Upload(builder.start(), state.resolve("status.json"));
        try {
            upload.awaitStart();
        } catch (IOException e) {
            upload.close();
            throw e;
        }
        return upload;
    }

    private List<Figure> measure(Upload upload, double floorMb) throws IOException, InterruptedException {
        ProcessStats stats = upload.stats();
        double startMs = stats.cpu().totalMs();
        Thread.sleep(TimeUnit.SECONDS.toMillis(15));
        ProcessStats.Cpu before = stats.cpu();
        long bytesBefore = upload.sentBytes();
        long beforeNs = System.nanoTime();
        double mostMb = 0;
        for (int s = 0; s < measuredS; s++) {
            Thread.sleep(TimeUnit.SECONDS.toMillis(1));
            mostMb = Math.max(mostMb, stats.statusMb("VmRSS"));
        }
        double ms = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - beforeNs) / 1000.0;
        double percent = 100 * stats.cpu().since(before).totalMs() / ms;
        double mbPerS = (upload.sentBytes() - bytesBefore) / 1000.0 / ms;
        String sent = LOGS + " logs of " + logMb + " MB to S3Mock on loopback, limit 1 MB/s";
        String memory = String.format(Locale.ROOT, "resident %.0f MB, floor %.0f MB", mostMb, floorMb);
        return List.of(
                Figure.plain("speed, MB/s", mbPerS, "%.2f", sent),
                Figure.atMost("CPU while sending, % of a core", percent, "%.1f", GOAL_PERCENT, ""),
                Figure.atMost("memory above Java's floor, MB", mostMb - floorMb, "%.0f", GOAL_MB, memory),
                Figure.plain("start and reading all logs, s of CPU", startMs / 1000, "%.1f", ""));
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            System.err.println(directory + " could not be deleted: " + e.getMessage());
        }
    }
}
