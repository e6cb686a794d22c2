package org.mavlogd.tools;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.SimulationPlan;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Report;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.simulate.px4.Px4Settings.Stall;
import org.mavlogd.simulate.run.VehicleRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mavlogd simulate px4}. */
@Command(
        name = "px4",
        description = {
            "Play a PX4 that streams a log over MAVLink when a recorder asks for it, as the real one does: definitions "
                    + "acknowledged one by one, data unacknowledged, post-flight data after the stop.",
            "Runs until --duration is over, the log has ended (with --end-with-log), or it gets a signal; "
                    + "then prints one line with what was sent."
        },
        footer = {
            "  mavlogd simulate px4 --log flight.ulg --to udp:127.0.0.1:14600",
            "  mavlogd simulate px4 --log flight.ulg --to serial:/dev/ttyUSB0:921600 --loss 1 --loop",
            "  mavlogd simulate px4 --log flight.ulg.gz --to tcp:127.0.0.1:5760 --rate 5000 --loop --duration 60"
        })
final class SimulatePx4Command implements Callable<Integer> {
    private static final int BYTES_PER_KB = 1000;
    private static final int MAX_POST_FLIGHT_KB = 16_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--log",
            required = true,
            paramLabel = "FILE",
            description = "The log to stream: .ulg, also gzipped.")
    private Path log = Path.of("");

    @Mixin
    private final SimulationLinkOptions link = new SimulationLinkOptions();

    @Mixin
    private final SimulationTimeOptions times = new SimulationTimeOptions();

    @Option(names = "--loop", description = "Play the data for ever, with growing timestamps.")
    private boolean loops;

    @Option(names = "--end-with-log", description = "Stop the stream and exit when the log has ended.")
    private boolean endsWithLog;

    @Option(names = "--restart-stream", description = "Start the stream again after the reboot without being asked.")
    private boolean restartsStream;

    @Option(names = "--armed", description = "Be armed from the start.")
    private boolean armed;

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
            names = "--swap",
            paramLabel = "N",
            description = "Every N frames send two in the wrong order (default: never).")
    private int swapEvery;

    @Mixin
    private final SimulatedVehicleOptions vehicle = new SimulatedVehicleOptions();

    @Override
    public Integer call() {
        return SimulationRun.call(spec, link.target(), this::read);
    }

    private SimulationRun.Vehicle read() {
        LinkSettings target = link.link();
        SimulationPlan<Px4Settings> plan = times.plan(settings(), link, endsWithLog);
        return () -> {
            LogImage image = LogImage.read(log);
            try (StopSignal stop = new StopSignal(SimulationRun.SUMMARY_WAIT_MS)) {
                Px4Report report = VehicleRunner.run(plan, image, target, stop::isAsked);
                return new SimulationRun.Outcome(
                        report.summary(), report.vehicle().sessions() > 0);
            }
        };
    }

    private Px4Settings settings() {
        Px4Settings.Builder builder = Px4Settings.builder()
                .systemId(vehicle.systemId())
                .signing(cutSigned ? Signing.SIGNED_AND_CUT : signed ? Signing.SIGNED : Signing.NONE)
                .startsArmed(armed)
                .loggerRuns(!noLogger)
                .flushesAtStop(!old)
                .silentUntilHeartbeat(silent)
                .restartsStreamItself(restartsStream)
                .rateBytesPerSecond(vehicle.rateBytesPerSecond())
                .loops(loops)
                .stall(delaysLog ? Stall.DELAYS_LOG : Stall.SKIPS_DATA)
                .linkBytesPerSecond(linkRate)
                .queueLimit(linkRate > 0)
                .telemetryHz(noTelemetry ? 0 : vehicle.telemetryHz())
                .swapEvery(swapEvery)
                .answersTimesync(!noTimesync)
                .sendsSystemTime(systemTime)
                .clockDriftPpm(clockDriftPpm)
                .seed(link.seed());
        if (postFlightKb >= 0) {
            SimulationRun.check("--post-flight", postFlightKb, 0, MAX_POST_FLIGHT_KB);
            builder.postFlightBytes((int) Math.round(postFlightKb * BYTES_PER_KB));
        }
        return builder.build();
    }
}
