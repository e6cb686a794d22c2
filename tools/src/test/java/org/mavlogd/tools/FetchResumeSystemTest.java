package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.AirVehicles.PERFECT;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.app.AirHub;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.SystemTests;
import org.mavlogd.dataflash.DataFlashBytes;

/** The link is lost, or the command ends, in the middle of a log. */
@Timeout(120)
class FetchResumeSystemTest {
    /** The last bytes of an earlier run, which are compared. */
    private static final int FETCHED_AGAIN_BYTES = 1024;

    private static final long RATE = 350_000;
    /** A note is written every two seconds. At this rate even a late note comes long before the log is complete. */
    private static final long SLOW_RATE = 120_000;

    private static final long PROCESS_S = 60;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path elsewhere;

    private Path printed = Path.of("");
    private final byte[] binLog = DataFlashBytes.make(7, 1_200_000, 40_000);
    private final byte[] ulgLog = SystemTests.roverLog();

    /** A fetch with one autopilot, one way, one kind of link, and one directory. */
    private final class Flight implements AutoCloseable {
        private final boolean isArduPilot;
        private final String way;
        private final byte[] log;
        private final Path folder;
        private final Path target;
        private final AirHub air = new AirHub(0, null);
        private final AirVehicles vehicles = new AirVehicles();
        private final Shell shell = new Shell();
        private final List<String> arguments;

        Flight(boolean isArduPilot, String way, String type) throws IOException {
            this(isArduPilot, way, type, RATE);
        }

        Flight(boolean isArduPilot, String way, String type, long rate) throws IOException {
            this.isArduPilot = isArduPilot;
            this.way = way;
            this.log = isArduPilot ? binLog : ulgLog;
            this.folder = directory.resolve(isArduPilot + way);
            String px4 = "2026-11-20_12-34-56_sys001_log0000" + (way.equals("ftp") ? 1 : 0) + ".ulg";
            this.target = folder.resolve(isArduPilot ? "sys001_log00001.bin" : px4);
            if (isArduPilot) {
                vehicles.parkArduPilot(air.vehicleTarget(), binLog, false, PERFECT, rate);
            } else {
                vehicles.parkPx4(air.vehicleTarget(), ulgLog, false, rate);
            }
            String link = type + ":127.0.0.1:" + (type.equals("udp") ? air.udpPort() : air.tcpPort());
            this.arguments =
                    List.of("fetch", "--link", link, "--by", way, "--wait", "6", "LAST", "-o", folder.toString());
        }

        private int run() {
            return shell.run(arguments.toArray());
        }

        private Path part() {
            return target.resolveSibling(target.getFileName() + ".part");
        }

        private Path note() {
            return target.resolveSibling(target.getFileName() + ".part.note");
        }

        /** How many bytes are in the file, by the note. On a busy machine frames are lost, and it has several ranges. */
        private long notedBytes() throws IOException {
            if (!Files.exists(note())) {
                return 0;
            }
            return log.length
                    - Pattern.compile("^(\\d+) (\\d+)$", Pattern.MULTILINE)
                            .matcher(Files.readString(note()))
                            .results()
                            .mapToLong(range -> Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)))
                            .sum();
        }

        private long size() throws IOException {
            return Files.exists(part()) ? Files.size(part()) : 0;
        }

        private void assertComplete() {
            assertThat(folder.toFile().list())
                    .as(this.toString())
                    .containsExactly(String.valueOf(target.getFileName()));
            assertThat(target).hasBinaryContent(log);
        }

        @Override
        public String toString() {
            return (isArduPilot ? "ArduPilot by " : "PX4 by ") + way + ": " + shell.out() + shell.err();
        }

        @Override
        public void close() {
            try (air) {
                vehicles.close();
            }
        }
    }

    @Test
    void goesOnAfterAnOutageAndInALaterRunAfterALongOne() throws Exception {
        List<CompletableFuture<Void>> flights = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        flights.add(CompletableFuture.runAsync(() -> isCutTwice(true, "ftp", "udp"), threads));
        flights.add(CompletableFuture.runAsync(() -> isCutTwice(true, "messages", "tcp"), threads));
        flights.add(CompletableFuture.runAsync(() -> isCutTwice(false, "ftp", "tcp"), threads));
        flights.add(CompletableFuture.runAsync(() -> isCutTwice(false, "messages", "udp"), threads));
        CompletableFuture.allOf(flights.toArray(CompletableFuture[]::new)).get(PROCESS_S, TimeUnit.SECONDS);
        threads.shutdown();
    }

    private void isCutTwice(boolean isArduPilot, String way, String type) {
        try (Flight flight = new Flight(isArduPilot, way, type)) {
            CompletableFuture<Integer> first = new CompletableFuture<>();
            new Thread(() -> first.complete(flight.run())).start();
            await("some of it is there", () -> flight.size() > 150_000);
            flight.air.cut(true);
            TimeUnit.MILLISECONDS.sleep(1500); // an outage must last some time; there is no event to wait for
            long before = flight.size();
            assertThat(before).isLessThan(flight.log.length / 2);
            long told = flight.air.toldBytes();
            flight.air.cut(false);
            // On a busy machine much of what the vehicle told may still wait in buffers, and is lost with the next cut.
            await(
                    "goes on in the same run",
                    () -> flight.air.toldBytes() > told + 200_000 && flight.size() > before + 150_000);
            flight.air.cut(true);

            assertThat(first.get(PROCESS_S, TimeUnit.SECONDS))
                    .as(flight.toString())
                    .isEqualTo(3);

            assertThat(flight.shell.err().lines()).hasSize(2);
            Matcher kept = Pattern.compile("nothing came from the vehicle for 6 s; (\\d+) of " + flight.log.length
                            + " bytes are kept for the next run")
                    .matcher(flight.shell.err());
            assertThat(kept.find()).as(flight.toString()).isTrue();
            assertThat(Long.parseLong(kept.group(1))).isBetween(150_000 + 100_000L, flight.log.length - 1L);
            assertThat(flight.shell.out()).doesNotContain("continues");
            assertThat(flight.target).doesNotExist();
            flight.air.cut(false);

            assertThat(flight.run()).as(flight.toString()).isZero();

            long known = Long.parseLong(kept.group(1)) - FETCHED_AGAIN_BYTES;
            assertThat(flight.shell.out()).contains("continues with " + known + " of " + flight.log.length + " bytes");
            flight.assertComplete();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,messages", "false,ftp"})
    @Execution(ExecutionMode.CONCURRENT)
    void goesOnAfterItWasKilled(boolean isArduPilot, String way) throws Exception {
        try (Flight flight = new Flight(isArduPilot, way, "udp", SLOW_RATE)) {
            Process first = process(flight);
            await("more of it is noted than is fetched again", () -> {
                assertRuns(first);
                return flight.notedBytes() > 2 * FETCHED_AGAIN_BYTES;
            });
            first.destroyForcibly().waitFor();
            assertThat(flight.target).doesNotExist();

            assertThat(flight.run()).as(flight.toString()).isZero();

            assertThat(flight.shell.out()).contains("continues with ");
            flight.assertComplete();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aSignalEndsItProperly() throws Exception {
        try (Flight flight = new Flight(true, "messages", "udp")) {
            Process process = process(flight);
            await("some of it is there", () -> {
                assertRuns(process);
                return flight.size() > 100_000;
            });
            process.destroy();

            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(Files.readString(printed, StandardCharsets.UTF_8))
                    .contains("stopped; ")
                    .contains("bytes are kept for the next run");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aFullDiskIsToldAndTheRestComesWhenThereIsRoom() throws Exception {
        try (Flight flight = new Flight(true, "ftp", "udp")) {
            Files.createDirectories(flight.folder);
            assumeTrue(
                    did("mount", "-t", "tmpfs", "-o", "size=500k", "mavlogd-test", flight.folder.toString()),
                    "may mount");
            try {
                assertThat(flight.run()).as(flight.toString()).isEqualTo(3);
                assertThat(flight.shell.err())
                        .contains("no space left on device")
                        .hasLineCount(1);
                assertThat(flight.target).doesNotExist();
                assertThat(did("mount", "-o", "remount,size=4m", flight.folder.toString()))
                        .isTrue();

                assertThat(flight.run()).as(flight.toString()).isZero();

                assertThat(flight.shell.out()).contains("continues with ");
                flight.assertComplete();
            } finally {
                assertThat(did("umount", flight.folder.toString())).isTrue();
            }
        }
    }

    private static boolean did(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor(50, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private void assertRuns(Process process) throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("ended with " + process.exitValue() + ": " + Files.readString(printed));
        }
    }

    private Process process(Flight flight) throws IOException {
        printed = elsewhere.resolve("printed.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.mavlogd.tools.Main"));
        command.addAll(flight.arguments);
        // Several programs that start at once take seconds on a busy machine until they listen.
        command.set(command.indexOf("--wait") + 1, "40");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        process.onExit().orTimeout(PROCESS_S, TimeUnit.SECONDS).exceptionally(late -> process.destroyForcibly());
        return process;
    }
}
