package org.mavlogd.tools;

import java.nio.file.Path;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.simulate.px4.Px4Settings.Stall;
import org.mavlogd.simulate.run.VehicleRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class SimulatePx4Command extends VehicleCommand {
    private static final int BYTES_PER_KB = 1000;
    private static final int MAX_POST_FLIGHT_KB = 16_000;

    @Option(
            names = "--log",
            required = true,
            paramLabel = "FILE",
            description = "The log to stream: .ulg, also gzipped.")
    private Path log = Path.of("");

    @Mixin
    private final SimulationOptions simulation = new SimulationOptions();

    @Option(names = "--loop", description = "Play the data for ever, with rising timestamps.")
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
    private final Options vehicle = new Options();

    @Override
    String target() {
        return simulation.target();
    }

    @Override
    Vehicle vehicle() {
        LinkSettings target = simulation.link();
        VehicleStation.Plan<Px4Settings> plan = simulation.plan(settings(), endsWithLog);
        return () -> {
            LogImage image = LogImage.read(log);
            try (StopSignal stop = new StopSignal(SUMMARY_WAIT_MS)) {
                return VehicleRunner.run(plan, image, target, stop::isAsked);
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
                .seed(simulation.seed());
        if (postFlightKb >= 0) {
            check("--post-flight", postFlightKb, 0, MAX_POST_FLIGHT_KB);
            builder.postFlightBytes((int) Math.round(postFlightKb * BYTES_PER_KB));
        }
        return builder.build();
    }
}
