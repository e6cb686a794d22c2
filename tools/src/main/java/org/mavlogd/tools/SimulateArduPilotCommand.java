package org.mavlogd.tools;

import java.nio.file.Path;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.run.VehicleRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mavlogd simulate ardupilot}. */
@Command(
        name = "ardupilot",
        description = {
            "Play an ArduPilot rover that streams a log over MAVLink when a recorder asks for it.",
            "Like a real one it sends numbered blocks and repeats them until they are acknowledged, drops messages when its "
                    + "buffer is full, and does not arm while no recorder takes the log. Runs until --duration is over, the "
                    + "log has ended (with --end-with-log), or it gets a signal; then prints a summary in one line."
        },
        footer = {
            "  mavlogd simulate ardupilot --log drive.bin --to udp:127.0.0.1:14600",
            "  mavlogd simulate ardupilot --log drive.bin --to serial:/dev/ttyUSB0:921600",
            "  mavlogd simulate ardupilot --log drive.bin --to tcp:127.0.0.1:5760 --loss 5"
        })
final class SimulateArduPilotCommand extends VehicleCommand {
    private static final int MAX_BUFFER_KB = 53;

    @Option(
            names = "--log",
            required = true,
            paramLabel = "FILE",
            description = "The log to stream: .bin, also gzipped.")
    private Path log = Path.of("");

    @Mixin
    private final SimulationOptions simulation = new SimulationOptions();

    @Option(names = "--loop", description = "Repeat the log endlessly, with increasing timestamps.")
    private boolean loops;

    @Option(names = "--end-with-log", description = "Exit when the log has ended.")
    private boolean endsWithLog;

    @Option(names = "--armed", description = "Be armed from the start, even without a recorder.")
    private boolean armed;

    @Option(names = "--no-log-disarmed", description = "LOG_DISARMED = 0: log nothing until it is armed.")
    private boolean logsArmedOnly;

    @Option(
            names = "--no-backend",
            description = "LOG_BACKEND_TYPE without MAVLink: requests for the log are not answered.")
    private boolean noBackend;

    @Option(
            names = "--buffer",
            paramLabel = "KB",
            description = "LOG_MAV_BUFSIZE, 1 to 53 (default: ${DEFAULT-VALUE}).")
    private int bufferKb = 8;

    @Option(names = "--mavlink1", description = "Use MAVLink 1 only.")
    private boolean mavlink1;

    @Option(names = "--boot-text", description = "Start with lines of plain text, as a real one does on a serial port.")
    private boolean bootText;

    @Mixin
    private final Options vehicle = new Options();

    @Override
    String target() {
        return simulation.target();
    }

    @Override
    Vehicle vehicle() {
        LinkSettings target = simulation.link();
        VehicleStation.Plan<ArduPilotSettings> plan = simulation.plan(settings(), endsWithLog);
        return () -> {
            DataFlashImage image = DataFlashImage.read(log);
            try (StopSignal stop = new StopSignal(SUMMARY_WAIT_MS)) {
                return VehicleRunner.run(plan, image, target, stop::isAsked);
            }
        };
    }

    private ArduPilotSettings settings() {
        check("--buffer", bufferKb, 1, MAX_BUFFER_KB);
        return ArduPilotSettings.builder()
                .systemId(vehicle.systemId())
                .isMavlink1(mavlink1)
                .logsToMavlink(!noBackend)
                .logsDisarmed(!logsArmedOnly)
                .bufferKb(bufferKb)
                .rateBytesPerSecond(vehicle.rateBytesPerSecond())
                .loops(loops)
                .startsArmed(armed)
                .bootText(bootText)
                .telemetryHz(vehicle.telemetryHz())
                .build();
    }
}
