package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.recovery.HostileLog;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.whole.LogContent;

/** One siege of one recorder: attackers start in an order and at moments that depend on the seed. */
final class Siege implements AutoCloseable {
    private static final int RATE = 500_000;
    private static final int WARM_UP_BYTES = 500_000;
    // More than three times the size of the definitions, which take longest under siege.
    private static final int LEAST_SENT_BYTES = 1_000_000;
    private static final int FORGED_PER_SECOND = 3_500;
    private static final int FLOOD_PER_SECOND = Integer.getInteger("mavlogd.siege.flood", 5_000);
    private static final int LINES_PER_SECOND = 300;
    private static final int OLD_LOGS = 2;
    // The known vehicle's logs take at most three quarters of the limit, so that only forged vehicles exceed their
    // share; on a slow computer the siege, but not its log, may take much longer.
    private static final int LIMIT_MIB = 10;
    private static final int MOST_SENT_BYTES = 4_500_000;
    private static final int MAX_STEP_MS = 500;
    private static final int GENUINE = 1;
    private static final int HOSTILE = 90;
    private static final Duration LENGTH = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long ACK_LIMIT_MS = 50;
    private static final long UNFORCED_LIMIT_MS = 1_000;
    // force_interval_ms is kept on disks that force a file in this time (docs/configuration.md).
    private static final long FORCE_BUDGET_MS = 125;
    private static final Pattern UNFORCED =
            Pattern.compile("\"system_id\"\\s*:\\s*1,[^}]*\"longest_unforced_ms\"\\s*:\\s*(\\d+)");
    private static final Pattern REFUSED = Pattern.compile("\"refused\"\\s*:\\s*(\\d+)");
    private static final Pattern USED_KIB = Pattern.compile("(?:def new generation|tenured generation) .*used (\\d+)K");
    private static final Pattern OF_FORGED = Pattern.compile("vehicle 1[0-9]{2}\\b|_sys1[0-9]{2}_");
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Random random;
    private final Path home = Host.newDirectory();
    private final Path logs = Files.createDirectory(home.resolve("logs"));
    private final Path socket = home.resolve("publish.sock");
    private final List<Integer> ports;
    private final List<Path> oldLogs = new ArrayList<>();
    private final List<Attacker> attackers = new ArrayList<>();
    private final RecorderProcess recorder;
    private final TimedWire wire;
    private final FlyingVehicle vehicle;
    private long unforcedMs;
    private long slowestForceMs;
    private long refusals;
    private long heapKib;

    /** The measured figures; the worst of several sieges. */
    record Result(
            long ackMs,
            long slowestAckMs,
            long lateMs,
            long unforcedMs,
            long slowestForceMs,
            long heapKib,
            long sentBytes,
            long forged,
            long kernelDrops,
            long lostBytes,
            long repeats) {
        static final Result NONE = new Result(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        Result worst(Result other) {
            return new Result(
                    Math.max(ackMs, other.ackMs),
                    Math.max(slowestAckMs, other.slowestAckMs),
                    Math.max(lateMs, other.lateMs),
                    Math.max(unforcedMs, other.unforcedMs),
                    Math.max(slowestForceMs, other.slowestForceMs),
                    Math.max(heapKib, other.heapKib),
                    sentBytes + other.sentBytes,
                    forged + other.forged,
                    kernelDrops + other.kernelDrops,
                    lostBytes + other.lostBytes,
                    repeats + other.repeats);
        }

        @Override
        public String toString() {
            return sentBytes / 1_000_000 + " MB sent by the vehicle, " + lostBytes + " bytes of them lost; " + forged
                    + " forged packets and lines; " + kernelDrops
                    + " datagrams dropped by the kernel; 99 % acknowledged after at most "
                    + ackMs + " ms, the slowest after " + slowestAckMs + " ms, " + repeats
                    + " chunks repeated; a thread that only slept was late by at most " + lateMs
                    + " ms in 99 % of the time; unforced for at most " + unforcedMs + " ms, the slowest force took "
                    + slowestForceMs + " ms; at most " + heapKib / 1024
                    + " MiB of heap used; no old log deleted";
        }
    }

    /** @param other the port of a link that only attackers use */
    Siege(long seed, int port, int other) throws IOException {
        random = new Random(seed);
        ports = List.of(port, other);
        writeOldLogs();
        List<HostileLog> hostile = List.of(HostileLog.FORMATS, HostileLog.COLUMNS);
        String bootId = Files.readString(BOOT_ID).strip();
        hostile.get(random.nextInt(hostile.size())).write(logs, HOSTILE, OLD_LOGS + 1, bootId);
        recorder = new RecorderProcess.Setup(home, logs, port)
                .log("mode = \"armed\"\nlead_out_s = 0\nmax_total_mib = " + LIMIT_MIB + "\nkeep_free_mib = 0")
                .alsoListen("ground", other)
                .publish(socket)
                .startedBy("nice", "-n", "-5") // like the service; without the right to it, nice only warns
                .start();
        wire = new TimedWire(VehicleWire.udpTo(port));
        vehicle = fly(wire, fastVehicle().rateBytesPerSecond(RATE).loops(true));
        warmUp();
    }

    /** Flies once before the siege, so that the warm-up of the program does not count. */
    private void warmUp() {
        vehicle.order(Px4Vehicle::arm);
        await("data", PATIENCE, () -> sentBytes() >= WARM_UP_BYTES);
        stopStream();
        wire.forget();
        vehicle.disarmsAfter(MOST_SENT_BYTES);
    }

    private void stopStream() {
        vehicle.order(Px4Vehicle::disarm);
        await("the stream's end", PATIENCE, () -> !vehicle.isStreaming());
    }

    private void writeOldLogs() throws IOException {
        byte[] log = roverLog();
        log[8] ^= 1; // its start time: the vehicle streams a log with the same messages
        for (int i = 1; i <= OLD_LOGS; i++) {
            String name = "2026-11-2%d_10-00-00_sys%03d_%06d.ulg".formatted(i % 2, GENUINE, i);
            oldLogs.add(Files.write(logs.resolve(name), log));
        }
    }

    private interface Step {
        void go() throws IOException;
    }

    Result run(boolean isBusy) throws Exception {
        try (Sleeper sleeper = new Sleeper()) {
            fight();
            return judge(isBusy, sleeper);
        }
    }

    private void fight() throws Exception {
        long endNs = System.nanoTime() + LENGTH.toNanos();
        List<Step> steps = new ArrayList<>(List.of(
                () -> vehicle.order(Px4Vehicle::arm),
                () -> forge(Heartbeat.AUTOPILOT_ARDUPILOT, 101, 48, 10),
                () -> forge(Heartbeat.AUTOPILOT_PX4, 151, 24, 20),
                () -> attack(new Floods.Packets(30, ports, FLOOD_PER_SECOND, random.nextLong())),
                () -> attack(new Floods.Topics(socket, LINES_PER_SECOND)),
                () -> attack(new Floods.SlowReaders(recorder.httpPort()))));
        Collections.shuffle(steps, random);
        for (Step step : steps) {
            step.go();
            recorder.continueFor(Duration.ofMillis(random.nextInt(MAX_STEP_MS)));
        }
        await(
                "data of the vehicle",
                PATIENCE,
                () -> {
                    recorder.continueFor(Duration.ofMillis(200));
                    look();
                    return System.nanoTime() - endNs >= 0 && sentBytes() >= WARM_UP_BYTES + LEAST_SENT_BYTES;
                },
                this::facts);
        stopStream();
    }

    private String facts() throws IOException {
        String aboutGenuine = recorder.output()
                .lines()
                .filter(line -> !OF_FORGED.matcher(line).find())
                .collect(Collectors.joining("\n"));
        return "of %d bytes %s; 99 %% acknowledged after at most %d ms, %d repeated; %d datagrams dropped by the kernel;"
                        .formatted(sentBytes(), vehicle, wire.delayMs(1), wire.repeats(), kernelDrops())
                + " the recorder said " + aboutGenuine;
    }

    private long sentBytes() {
        return vehicle.sent().stream().mapToLong(SentLog::length).sum();
    }

    private void forge(int autopilotType, int firstId, int count, int firstHost) throws IOException {
        Attacker.Pace pace = Attacker.Pace.steady(FORGED_PER_SECOND);
        attack(new ForgedVehicles(autopilotType, firstId, count, firstHost, ports, pace, random.nextLong()));
    }

    private void attack(Attacker attacker) {
        attackers.add(attacker);
        attacker.start();
    }

    /** Reads from the status how long data has waited to be forced at most. */
    private void look() throws IOException, InterruptedException {
        recorder.requireAlive();
        String status = recorder.status();
        unforcedMs = Math.max(unforcedMs, max(UNFORCED.matcher(status)));
        refusals = Math.max(refusals, max(REFUSED.matcher(status)));
    }

    private void lookAtHeap() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (Files.isExecutable(jcmd)) {
            String info = Host.run(jcmd.toString(), Long.toString(recorder.processId()), "GC.heap_info");
            heapKib = USED_KIB.matcher(info)
                    .results()
                    .mapToLong(m -> Long.parseLong(m.group(1)))
                    .sum();
        }
    }

    private static long max(Matcher matcher) {
        return matcher.results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .max()
                .orElse(0);
    }

    private Result judge(boolean isBusy, Sleeper sleeper) throws Exception {
        lookAtHeap();
        slowestForceMs = (long) (TimeUnit.SECONDS.toMillis(1) * recorder.figure("store_force_seconds_max"));
        long drops = kernelDrops();
        long forged = 0;
        for (Attacker attacker : attackers) {
            attacker.close();
            forged += attacker.done();
        }
        recorder.terminate();
        vehicle.close();
        long lost = checkGenuine(drops);
        assertThat(lost == 0 || (isBusy && drops > 0))
                .as(
                        "%d bytes lost, %d datagrams dropped by the kernel; the recorder said %s",
                        lost, drops, recorder.output())
                .isTrue();
        checkOldLogs(isBusy);
        if (!isBusy) {
            assertThat(wire.delayMs(1))
                    .as("ms to an acknowledgement; a thread that only slept was late by %d ms", sleeper.lateMs(1))
                    .isLessThan(ACK_LIMIT_MS);
            assertThat(unforcedMs)
                    .as("ms that data waited to be forced; the slowest force took %d ms", slowestForceMs)
                    .isLessThan(UNFORCED_LIMIT_MS + Math.max(0, slowestForceMs - FORCE_BUDGET_MS));
            assertThat(refusals).as("requests for memory that were refused").isPositive();
        }
        return new Result(
                wire.delayMs(1),
                wire.delayMs(0),
                sleeper.lateMs(1),
                unforcedMs,
                slowestForceMs,
                heapKib,
                sentBytes(),
                forged,
                drops,
                lost,
                wire.repeats());
    }

    /** Checks that everything stored was sent, and that gaps are marked; returns the number of missing bytes. */
    private long checkGenuine(long drops) throws IOException {
        List<Path> files = LogDirectory.files(logs).stream()
                .filter(file -> file.toString().contains("_sys%03d_".formatted(GENUINE)) && !oldLogs.contains(file))
                .toList();
        assertThat(files).as("logs of the vehicle").hasSize(vehicle.sent().size());
        long missing = 0;
        for (int i = 0; i < files.size(); i++) {
            byte[] sent = vehicle.sent().get(i).bytes();
            byte[] whole = Arrays.copyOf(sent, LogContent.of("sent", sent).completeLength());
            LogContent file = LogContent.of(files.get(i).toString(), Files.readAllBytes(files.get(i)));
            byte[] stored = file.fromVehicle();
            assertThat(file.isComplete()).as("ends with a complete message").isTrue();
            assertThat(new HashSet<>(LogContent.of("sent", whole).texts())
                            .containsAll(LogContent.of("stored", stored).texts()))
                    .as("every stored message was sent")
                    .isTrue();
            assertThat(stored.length < whole.length ? file.count('O') > 0 : Arrays.equals(stored, whole))
                    .as(
                            "the same bytes as were sent, or a mark where some are missing: %d of %d bytes are stored, the"
                                    + " first that differs is %d, the kernel dropped %d datagrams, the recorder said %s",
                            stored.length, whole.length, Arrays.mismatch(stored, whole), drops, recorder.output())
                    .isTrue();
            missing += whole.length - stored.length;
        }
        return missing;
    }

    private void checkOldLogs(boolean isBusy) throws IOException {
        for (Path old : oldLogs) {
            assertThat(old)
                    .as("a log of an earlier flight; the recorder said %s", recorder.output())
                    .exists();
        }
        long all = LogDirectory.bytes(logs) + LogDirectory.bytes(logs, "bin");
        assertThat(isBusy || all > (long) LIMIT_MIB << 20 || recorder.printed("deleted") > 0)
                .as("more logs than there is room for, in %d bytes", all)
                .isTrue();
    }

    /** Datagrams that the kernel dropped at the sockets of both links. */
    private long kernelDrops() throws IOException {
        long drops = 0;
        for (String line : Files.readAllLines(Path.of("/proc/net/udp"))) {
            for (int port : ports) {
                if (line.contains(":%04X 00000000:0000".formatted(port))) {
                    String[] words = line.strip().split(" +", -1);
                    drops += Long.parseLong(words[words.length - 1]);
                }
            }
        }
        return drops;
    }

    @Override
    public void close() throws IOException {
        for (Attacker attacker : attackers) {
            attacker.close();
        }
        vehicle.close();
        recorder.close();
        Host.delete(home);
    }
}
