package org.mavlogd.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LogImage;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.Px4Settings;
import org.mavlogd.simulate.Px4Settings.Signing;
import org.mavlogd.simulate.Px4Settings.Stall;
import org.mavlogd.simulate.SimulationPlan;
import org.mavlogd.simulate.SimulationReport;
import org.mavlogd.simulate.VehicleRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mavlogd simulate}: plays a vehicle, to try out a recorder without one. */
@Command(
        name = "simulate",
        description = "Play a vehicle that streams a real log, to try out a recorder without a vehicle.",
        subcommands = {SimulateCommand.Px4.class, SimulateArduPilotCommand.class})
public final class SimulateCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Say which vehicle: mavlogd simulate px4 ... or mavlogd simulate ardupilot ...");
    }

    /** {@code mavlogd simulate px4}. */
    @Command(
            name = "px4",
            sortOptions = false,
            description = {
                "Play a PX4 that streams a log over MAVLink when a recorder asks for it, as the real one does: definitions "
                        + "acknowledged one by one, data unacknowledged, post-flight data after the stop.",
                "Runs until --duration is over, the log has ended (with --end-with-log), or it gets a signal; "
                        + "then prints one line with what was sent."
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:a recorder took the stream",
                "1:no recorder asked for the stream, or the log or the target cannot be used",
                "2:wrong usage",
                "130, 143:ended by SIGINT or SIGTERM, after the summary"
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  mavlogd simulate px4 --log flight.ulg --to udp:127.0.0.1:14550",
                "  mavlogd simulate px4 --log flight.ulg --to serial:/dev/ttyUSB0:921600 --loss 1 --loop",
                "  mavlogd simulate px4 --log flight.ulg.gz --to tcp:127.0.0.1:5760 --rate 5000 --loop --duration 60"
            })
    static final class Px4 implements Callable<Integer> {
        private static final double NS_PER_S = 1e9;
        private static final int BYTES_PER_KB = 1000;
        private static final double MAX_SECONDS = 1e9;
        private static final double MAX_RATE_KB = 1e6;
        private static final int MAX_POST_FLIGHT_KB = 16_000;
        private static final long SUMMARY_WAIT_MS = 2000;

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli
        private CommandSpec spec;

        @Option(
                names = "--log",
                required = true,
                paramLabel = "FILE",
                description = "The log to stream: .ulg, also gzipped.")
        private Path log = Path.of("");

        @Option(
                names = "--to",
                required = true,
                paramLabel = "TARGET",
                description = "Where the recorder is: udp:HOST:PORT, tcp:HOST:PORT or serial:DEVICE[:BAUD] (57600).")
        private String target = "";

        @Option(
                names = "--rate",
                paramLabel = "KB/S",
                description = "Data rate; without it the log's own pace by its timestamps.")
        private double rateKb;

        @Option(names = "--loop", description = "Play the data for ever, with growing timestamps.")
        private boolean loops;

        @Option(names = "--end-with-log", description = "Stop the stream and exit when the log has ended.")
        private boolean endsWithLog;

        @Option(names = "--duration", paramLabel = "S", description = "Exit after so many seconds.")
        private double durationS = -1;

        @Option(names = "--loss", paramLabel = "%", description = "Frames of the vehicle that are lost.")
        private double loss;

        @Option(
                names = "--burst",
                paramLabel = "N",
                description = "Frames lost at a time, on average (default: ${DEFAULT-VALUE}).")
        private double burst = 1;

        @Option(names = "--ack-loss", paramLabel = "%", description = "Frames to the vehicle that are lost.")
        private double ackLoss;

        @Option(names = "--dup", paramLabel = "%", description = "Frames of the vehicle that arrive twice.")
        private double duplicates;

        @Option(names = "--reorder", paramLabel = "%", description = "Frames of the vehicle that others overtake.")
        private double reorder;

        @Option(names = "--corrupt", paramLabel = "%", description = "Frames of the vehicle that are damaged.")
        private double corrupt;

        @Option(names = "--delay", paramLabel = "MS", description = "Delay of each frame, in both directions.")
        private double delayMs;

        @Option(names = "--reboot-at", paramLabel = "S", description = "Reboot so many seconds after the stream began.")
        private double rebootAtS = -1;

        @Option(
                names = "--restart-stream",
                description = "Start the stream again after the reboot without being asked.")
        private boolean restartsStream;

        @Option(
                names = "--stop-at",
                paramLabel = "S",
                description = "A ground station stops the stream so many seconds after it began.")
        private double stopAtS = -1;

        @Option(names = "--armed", description = "Be armed from the start.")
        private boolean armed;

        @Option(names = "--arm-at", paramLabel = "S", description = "Arm so many seconds after the stream began.")
        private double armAtS = -1;

        @Option(names = "--disarm-at", paramLabel = "S", description = "Disarm so many seconds after the stream began.")
        private double disarmAtS = -1;

        @Option(
                names = "--post-flight",
                paramLabel = "KB",
                description = "Size of the data after the stop; without it what the log ends with.")
        private double postFlightKb = -1;

        @Option(
                names = "--link-rate",
                paramLabel = "B/S",
                description = "Data rate of the vehicle's link (MAV_x_RATE): below 5000 it denies streaming, "
                        + "and its queue of 16 chunks overflows when the log needs more.")
        private int linkRate;

        @Option(
                names = "--delay-log",
                description = "While waiting for an acknowledgement, delay the log instead of skipping data.")
        private boolean delaysLog;

        @Option(names = "--signed", description = "Sign all frames.")
        private boolean signed;

        @Option(names = "--cut-signed", description = "Sign all frames, and cut them at 267 bytes as one version does.")
        private boolean cutSigned;

        @Option(names = "--before-1-13", description = "Stop as PX4 before 1.13: the unfinished chunk is lost.")
        private boolean old;

        @Option(names = "--no-logger", description = "Answer no logging command, as without a logger module.")
        private boolean noLogger;

        @Option(names = "--silent", description = "Send nothing before a heartbeat was heard.")
        private boolean silent;

        @Option(names = "--no-telemetry", description = "Send nothing but heartbeats and the log.")
        private boolean noTelemetry;

        @Option(names = "--no-timesync", description = "Do not answer TIMESYNC.")
        private boolean noTimesync;

        @Option(names = "--system-time", description = "Send SYSTEM_TIME once a second.")
        private boolean systemTime;

        @Option(
                names = "--clock-drift",
                paramLabel = "PPM",
                description = "What the vehicle's clock gains, and the log with it, in parts in a million.")
        private double clockDriftPpm;

        @Option(
                names = "--telemetry",
                paramLabel = "HZ",
                description = "Other frames per second (default: ${DEFAULT-VALUE}).")
        private int telemetryHz = 50;

        @Option(
                names = "--swap",
                paramLabel = "N",
                description = "Every N frames send two in the wrong order (default: never).")
        private int swapEvery;

        @Option(names = "--system-id", paramLabel = "N", description = "1 to 255 (default: ${DEFAULT-VALUE}).")
        private int systemId = 1;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "Of all that is left to chance (default: ${DEFAULT-VALUE}).")
        private long seed = 1;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Show this help.")
        @SuppressWarnings("unused") // read by picocli
        private boolean help;

        @Override
        public Integer call() {
            LinkSettings link = target();
            SimulationPlan<Px4Settings> plan = plan(link instanceof LinkSettings.UdpConnect ? Medium.DATAGRAMS : Medium.STREAM);
            try {
                SimulationReport report = run(plan, LogImage.read(log), link);
                out().println("simulate: " + report.summary());
                if (report.vehicle().sessions() == 0) {
                    err().println("simulate: no recorder asked for the stream at " + target);
                    return CommandLine.ExitCode.SOFTWARE;
                }
                return CommandLine.ExitCode.OK;
            } catch (IOException e) {
                err().println("simulate: " + e);
                return CommandLine.ExitCode.SOFTWARE;
            } finally {
                out().flush();
                err().flush();
            }
        }

        /** A signal ends the run, not the program: the summary is still printed. */
        private static SimulationReport run(SimulationPlan<Px4Settings> plan, LogImage image, LinkSettings link) throws IOException {
            CountDownLatch asked = new CountDownLatch(1);
            Thread runner = Thread.currentThread();
            Thread hook = new Thread(
                    () -> {
                        asked.countDown();
                        join(runner);
                    },
                    "simulate-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            SimulationReport report = VehicleRunner.run(plan, image, link, () -> asked.getCount() == 0);
            if (asked.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            return report;
        }

        private static void join(Thread runner) {
            try {
                runner.join(SUMMARY_WAIT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private LinkSettings target() {
            try {
                return SimulationTarget.parse(target);
            } catch (IllegalArgumentException e) {
                throw usage(e);
            }
        }

        private SimulationPlan<Px4Settings> plan(Medium medium) {
            try {
                LossySettings toClient = LossySettings.perfect(medium, seed)
                        .withLoss(loss, burst)
                        .withDuplicates(duplicates)
                        .withReordering(reorder)
                        .withCorruption(corrupt)
                        .withDelayNs((long) (delayMs * 1e6));
                LossySettings toVehicle = LossySettings.perfect(medium, seed + 1)
                        .withLoss(ackLoss, burst)
                        .withDelayNs((long) (delayMs * 1e6));
                return new SimulationPlan<>(
                        vehicle(),
                        toClient,
                        toVehicle,
                        ns("--arm-at", armAtS),
                        ns("--disarm-at", disarmAtS),
                        ns("--reboot-at", rebootAtS),
                        ns("--stop-at", stopAtS),
                        ns("--duration", durationS),
                        endsWithLog);
            } catch (IllegalArgumentException e) {
                throw usage(e);
            }
        }

        private Px4Settings vehicle() {
            check("--rate", rateKb, 0, MAX_RATE_KB);
            Px4Settings.Builder builder = Px4Settings.builder()
                    .systemId(systemId)
                    .signing(cutSigned ? Signing.SIGNED_AND_CUT : signed ? Signing.SIGNED : Signing.NONE)
                    .startsArmed(armed)
                    .loggerRuns(!noLogger)
                    .flushesAtStop(!old)
                    .silentUntilHeartbeat(silent)
                    .restartsStreamItself(restartsStream)
                    .rateBytesPerSecond(Math.round(rateKb * BYTES_PER_KB))
                    .loops(loops)
                    .stall(delaysLog ? Stall.DELAYS_LOG : Stall.SKIPS_DATA)
                    .linkBytesPerSecond(linkRate)
                    .queueLimit(linkRate > 0)
                    .telemetryHz(noTelemetry ? 0 : telemetryHz)
                    .swapEvery(swapEvery)
                    .answersTimesync(!noTimesync)
                    .sendsSystemTime(systemTime)
                    .clockDriftPpm(clockDriftPpm)
                    .seed(seed);
            if (postFlightKb >= 0) {
                check("--post-flight", postFlightKb, 0, MAX_POST_FLIGHT_KB);
                builder.postFlightBytes((int) Math.round(postFlightKb * BYTES_PER_KB));
            }
            return builder.build();
        }

        private static long ns(String option, double seconds) {
            if (seconds == -1) {
                return SimulationPlan.NEVER;
            }
            check(option, seconds, 0, MAX_SECONDS);
            return Math.round(seconds * NS_PER_S);
        }

        private static void check(String option, double value, double lowest, double highest) {
            if (!(value >= lowest && value <= highest)) {
                throw new IllegalArgumentException(
                        String.format("%s is %s, and must be %.0f to %.0f", option, value, lowest, highest));
            }
        }

        private ParameterException usage(IllegalArgumentException e) {
            return new ParameterException(spec.commandLine(), Objects.toString(e.getMessage(), "wrong usage"), e);
        }

        private PrintWriter out() {
            return spec.commandLine().getOut();
        }

        private PrintWriter err() {
            return spec.commandLine().getErr();
        }
    }
}
