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
            "Play a PX4 that streams a log over MAVLink when a recorder asks for it.",
            "Like a real one it sends definitions that must be acknowledged one by one, data without acknowledgement, and its "
                    + "last data after the stop. Runs until --duration is over, the log has ended (with --end-with-log), or it "
                    + "gets a signal; then prints a summary in one line."
        },
        footer = {
            "  mavlogd simulate px4 --log flight.ulg --to udp:127.0.0.1:14600",
            "  mavlogd simulate px4 --log flight.ulg --to serial:/dev/ttyUSB0:921600 --loop",
            "  mavlogd simulate px4 --log flight.ulg.gz --to tcp:127.0.0.1:5760 --loss 1"
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

    @Option(names = "--loop", description = "Repeat the data endlessly, with increasing timestamps.")
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
            description = "Size of the data after the stop (default: that at the end of the log).")
    private double postFlightKb = -1;

    @Option(
            names = "--link-rate",
            paramLabel = "B/S",
            description = "Data rate of the vehicle's link (MAV_x_RATE): below 5000 the vehicle denies streaming, "
                    + "and if the log needs more than this rate, its queue of 16 chunks overflows.")
    private int linkRate;

    @Option(
            names = "--delay-log",
            description = "While waiting for an acknowledgement, delay the log instead of skipping data.")
    private boolean delaysLog;

    @Option(names = "--signed", description = "Sign all frames.")
    private boolean signed;

    @Option(
            names = "--cut-signed",
            description = "Sign all frames, and cut them at 267 bytes, as PX4's main branch does.")
    private boolean cutSigned;

    @Option(names = "--before-1-13", description = "Stop like PX4 before 1.13: the unfinished chunk is lost.")
    private boolean old;

    @Option(names = "--no-logger", description = "Do not answer logging commands, as without a logger module.")
    private boolean noLogger;

    @Option(names = "--silent", description = "Send nothing until a heartbeat is heard.")
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
            description = "Drift of the vehicle's clock, and of the log's times, in parts per million.")
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
