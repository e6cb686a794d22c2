package org.mavlogd.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.ArduPilotReport;
import org.mavlogd.simulate.ArduPilotSettings;
import org.mavlogd.simulate.DataFlashImage;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.SimulationPlan;
import org.mavlogd.simulate.VehicleRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mavlogd simulate ardupilot}. */
@Command(
        name = "ardupilot",
        sortOptions = false,
        description = {
            "Play an ArduPilot rover that streams a log over MAVLink when a recorder asks for it, as the real one does: "
                    + "numbered blocks, repeated until they are acknowledged; messages dropped when its buffer is full; "
                    + "no arming while nobody takes the log.",
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
            "  mavlogd simulate ardupilot --log drive.bin --to udp:127.0.0.1:14550",
            "  mavlogd simulate ardupilot --log drive.bin.gz --to serial:/dev/ttyUSB0:921600 --boot-text --loop",
            "  mavlogd simulate ardupilot --log drive.bin --to tcp:127.0.0.1:5760 --loss 5 --arm-at 5 --duration 60"
        })
final class SimulateArduPilotCommand implements Callable<Integer> {
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;
    private static final int BYTES_PER_KB = 1000;
    private static final double MAX_SECONDS = 1e9;
    private static final double MAX_RATE_KB = 1e6;
    private static final long SUMMARY_WAIT_MS = 2000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--log",
            required = true,
            paramLabel = "FILE",
            description = "The log to stream: .bin, also gzipped.")
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

    @Option(names = "--loop", description = "Play the log for ever, with growing timestamps.")
    private boolean loops;

    @Option(names = "--end-with-log", description = "Exit when the log has ended.")
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
            names = "--stop-at",
            paramLabel = "S",
            description = "A ground station stops the stream so many seconds after it began.")
    private double stopAtS = -1;

    @Option(names = "--armed", description = "Be armed from the start, without a recorder, too.")
    private boolean armed;

    @Option(
            names = "--arm-at",
            paramLabel = "S",
            description = "Arm so many seconds after the stream began, or as soon after as the vehicle allows it.")
    private double armAtS = -1;

    @Option(names = "--disarm-at", paramLabel = "S", description = "Disarm so many seconds after the stream began.")
    private double disarmAtS = -1;

    @Option(names = "--no-log-disarmed", description = "LOG_DISARMED = 0: log nothing until it is armed.")
    private boolean logsArmedOnly;

    @Option(names = "--no-backend", description = "LOG_BACKEND_TYPE without MAVLink: nobody answers.")
    private boolean noBackend;

    @Option(
            names = "--buffer",
            paramLabel = "KB",
            description = "LOG_MAV_BUFSIZE, 1 to 53 (default: ${DEFAULT-VALUE}).")
    private int bufferKb = 8;

    @Option(names = "--mavlink1", description = "Speak MAVLink 1.")
    private boolean mavlink1;

    @Option(names = "--boot-text", description = "Begin with lines of plain text, as on a serial port.")
    private boolean bootText;

    @Option(
            names = "--telemetry",
            paramLabel = "HZ",
            description = "Other frames per second (default: ${DEFAULT-VALUE}).")
    private int telemetryHz = 50;

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
        LinkSettings link;
        SimulationPlan<ArduPilotSettings> plan;
        try {
            link = SimulationTarget.parse(target);
            plan = plan(link instanceof LinkSettings.UdpConnect ? Medium.DATAGRAMS : Medium.STREAM);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Objects.toString(e.getMessage(), "wrong usage"), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            ArduPilotReport report = run(plan, DataFlashImage.read(log), link);
            out.println("simulate: " + report.summary());
            if (report.vehicle().logs() == 0) {
                err.println("simulate: no recorder asked for the stream at " + target);
                return CommandLine.ExitCode.SOFTWARE;
            }
            return CommandLine.ExitCode.OK;
        } catch (IOException e) {
            err.println("simulate: " + e);
            return CommandLine.ExitCode.SOFTWARE;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** A signal ends the run, not the program: the summary is still printed. */
    private static ArduPilotReport run(SimulationPlan<ArduPilotSettings> plan, DataFlashImage image, LinkSettings link) throws IOException {
        CountDownLatch asked = new CountDownLatch(1);
        Thread runner = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    asked.countDown();
                    join(runner);
                },
                "simulate-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        ArduPilotReport report = VehicleRunner.run(plan, image, link, () -> asked.getCount() == 0);
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

    private SimulationPlan<ArduPilotSettings> plan(Medium medium) {
        LossySettings toClient = LossySettings.perfect(medium, seed)
                .withLoss(loss, burst)
                .withDuplicates(duplicates)
                .withReordering(reorder)
                .withCorruption(corrupt)
                .withDelayNs((long) (delayMs * NS_PER_MS));
        LossySettings toVehicle = LossySettings.perfect(medium, seed + 1)
                .withLoss(ackLoss, burst)
                .withDelayNs((long) (delayMs * NS_PER_MS));
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
    }

    private ArduPilotSettings vehicle() {
        check("--rate", rateKb, 0, MAX_RATE_KB);
        return ArduPilotSettings.builder()
                .systemId(systemId)
                .isMavlink1(mavlink1)
                .logsToMavlink(!noBackend)
                .logsDisarmed(!logsArmedOnly)
                .bufferKb(bufferKb)
                .rateBytesPerSecond(Math.round(rateKb * BYTES_PER_KB))
                .loops(loops)
                .startsArmed(armed)
                .bootText(bootText)
                .telemetryHz(telemetryHz)
                .build();
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
}
