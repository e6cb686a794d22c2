package org.mavlogd.lake.spark;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Spark's own cluster on loopback: a master and workers with one core each, as child processes. */
final class StandaloneCluster implements Closeable {
    private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final Pattern REGISTERED = Pattern.compile("Successfully registered with master");
    private static final long DEADLINE_S = 120;

    private final Path module;
    private final Path directory;
    private final List<Process> workers = new ArrayList<>();
    private final Process master;
    private final String address;

    /**
     * Starts the cluster.
     *
     * @param module directory of this module, which must be built
     * @param directory for all files that the cluster writes
     */
    StandaloneCluster(Path module, Path directory, int workers) throws IOException, InterruptedException {
        this.module = module;
        this.directory = Files.createDirectories(directory);
        // Spark looks for its libraries there.
        Files.createSymbolicLink(directory.resolve("jars"), module.resolve("target/spark"));
        master = start(
                "master",
                "org.apache.spark.deploy.master.Master",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--webui-port",
                "0");
        address = await("master", MASTER);
        for (int i = 0; i < workers; i++) {
            String name = "worker" + i;
            this.workers.add(start(
                    name,
                    "org.apache.spark.deploy.worker.Worker",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    "0",
                    "--webui-port",
                    "0",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    directory.resolve(name).toString(),
                    address));
        }
        for (int i = 0; i < workers; i++) {
            await("worker" + i, REGISTERED);
        }
    }

    private Process start(String name, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        command.addAll(
                Arrays.asList(System.getProperty("spark.java-options", "").split(" ")));
        command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-cp", module.resolve("target/spark") + "/*", main));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SPARK_HOME", directory.toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_DIRS", directory.toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
    }

    private String await(String name, Pattern pattern) throws IOException, InterruptedException {
        Path log = directory.resolve(name + ".log");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        for (; ; ) {
            Matcher found = pattern.matcher(Files.readString(log));
            if (found.find()) {
                return found.groupCount() > 0 ? found.group(1) : "";
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(log + ": no line with " + pattern);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Submits the job like spark-submit. */
    Process submit(String name, String... arguments) throws IOException {
        String jars;
        try (Stream<Path> all = Files.list(module.resolve("target/jars"))) {
            jars = all.map(Path::toString).sorted().collect(Collectors.joining(","));
        }
        List<String> submit = new ArrayList<>(List.of(
                "--master",
                address,
                "--executor-memory",
                "512m",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.driver.host=127.0.0.1",
                "--jars",
                jars,
                "--class",
                "org.mavlogd.lake.spark.LakeJob"));
        submit.add(job().toString());
        submit.addAll(Arrays.asList(arguments));
        return start(name, "org.apache.spark.deploy.SparkSubmit", submit.toArray(String[]::new));
    }

    /** The jar of the job, whatever its version. */
    private Path job() throws IOException {
        try (Stream<Path> files = Files.list(module.resolve("target"))) {
            return files.filter(file ->
                            file.getFileName().toString().matches("mavlogd-lake-spark-[0-9][0-9.]*(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of the job in " + module.resolve("target")));
        }
    }

    /** Waits for a job. */
    String result(String name, Process job) throws IOException, InterruptedException {
        int code = job.waitFor();
        List<String> lines = Files.readAllLines(directory.resolve(name + ".log"));
        if (code != 0) {
            throw new IOException(name + " ended with " + code + ": "
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())));
        }
        return lines.stream()
                .filter(line -> line.contains(" unchanged, "))
                .findFirst()
                .orElse("");
    }

    /** Kills a worker and its executor, as a power cut does. */
    void killWorker(int index) throws InterruptedException {
        Process worker = workers.get(index);
        List<ProcessHandle> executors = worker.descendants().toList();
        worker.destroyForcibly().waitFor();
        executors.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>();
        for (Process worker : workers) {
            worker.descendants().forEach(all::add);
            all.add(worker.toHandle());
        }
        all.add(master.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
    }
}
