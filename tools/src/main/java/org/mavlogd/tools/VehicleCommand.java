package org.mavlogd.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.mavlogd.cli.HelpOption;
import org.mavlogd.simulate.PlannedVehicle;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that simulates a vehicle: checks its options, runs, and prints a summary. */
abstract class VehicleCommand implements Callable<Integer> {
    /** Maximum time that the program waits for the summary after a signal. */
    static final long SUMMARY_WAIT_MS = 2000;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** A vehicle, ready to run. */
    @FunctionalInterface
    interface Vehicle {
        PlannedVehicle.Report<?> play() throws IOException;
    }

    /** Reads the options; throws {@link IllegalArgumentException} with a text for the user. */
    abstract Vehicle vehicle();

    /** The address of the recorder, as written. */
    abstract String target();

    @Override
    public final Integer call() {
        Vehicle vehicle = checkedVehicle();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            PlannedVehicle.Report<?> report = vehicle.play();
            out.println("simulate: " + report.summary());
            if (report.vehicle().isTaken()) {
                return CommandLine.ExitCode.OK;
            }
            err.println("mavlogd simulate: no recorder asked for the stream at " + target());
        } catch (IOException e) {
            err.println("mavlogd simulate: " + e.getMessage());
        } finally {
            out.flush();
            err.flush();
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private Vehicle checkedVehicle() {
        try {
            return vehicle();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Objects.toString(e.getMessage(), "wrong usage"), e);
        }
    }

    /** Refuses an option's value that is out of range or NaN. */
    static void check(String option, double value, double lowest, double highest) {
        if (!(value >= lowest && value <= highest)) {
            String shown = value == Math.rint(value) ? String.format("%.0f", value) : Double.toString(value);
            throw new IllegalArgumentException(
                    String.format("%s is %s, and must be %.0f to %.0f", option, shown, lowest, highest));
        }
    }

    /** Options of simulated vehicles: ids and rates. */
    @Command(
            sortOptions = false,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:a recorder took the stream",
                "1:no recorder asked for the stream, or the log or the target cannot be used",
                "2:wrong usage",
                "130, 143:ended by SIGINT or SIGTERM, after the summary"
            },
            footerHeading = "%nExamples:%n")
    static final class Options {
        private static final int BYTES_PER_KB = 1000;
        private static final double MAX_RATE_KB = 1e6;
        private static final int MAX_TELEMETRY_HZ = 1000;
        private static final int MAX_SYSTEM_ID = 255;

        @Option(
                names = "--rate",
                paramLabel = "KB/S",
                description = "Data rate (default: the log's own pace by its timestamps).")
        private double rateKb;

        @Option(
                names = "--telemetry",
                paramLabel = "HZ",
                description = "Other frames per second (default: ${DEFAULT-VALUE}).")
        private int telemetryHz = 50;

        @Option(names = "--system-id", paramLabel = "N", description = "1 to 255 (default: ${DEFAULT-VALUE}).")
        private int systemId = 1;

        @Mixin
        @SuppressWarnings("unused") // read by picocli
        private HelpOption help = new HelpOption();

        /** Rate of the log; 0 for its own pace. */
        long rateBytesPerSecond() {
            check("--rate", rateKb, 0, MAX_RATE_KB);
            return Math.round(rateKb * BYTES_PER_KB);
        }

        int telemetryHz() {
            check("--telemetry", telemetryHz, 0, MAX_TELEMETRY_HZ);
            return telemetryHz;
        }

        int systemId() {
            check("--system-id", systemId, 1, MAX_SYSTEM_ID);
            return systemId;
        }
    }
}
