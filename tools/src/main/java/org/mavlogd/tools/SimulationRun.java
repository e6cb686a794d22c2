package org.mavlogd.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What all commands that play a vehicle do: say what is wrong with the options, play, and tell what came of it. */
final class SimulationRun {
    /** How long the program waits after a signal for its summary. */
    static final long SUMMARY_WAIT_MS = 2000;

    /** A vehicle, ready to be played. */
    @FunctionalInterface
    interface Vehicle {
        Outcome play() throws IOException;
    }

    /**
     * What came of it.
     *
     * @param summary one line for people
     * @param isTaken whether a recorder took the stream
     */
    record Outcome(String summary, boolean isTaken) {}

    private SimulationRun() {}

    /**
     * The whole command; returns its exit code.
     *
     * @param target where the recorder is, as it was written
     * @param options reads the options; throws {@link IllegalArgumentException} with a text for the user
     */
    static int call(CommandSpec spec, String target, Supplier<Vehicle> options) {
        Vehicle vehicle = read(spec, options);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            Outcome outcome = vehicle.play();
            out.println("simulate: " + outcome.summary());
            if (outcome.isTaken()) {
                return CommandLine.ExitCode.OK;
            }
            err.println("simulate: no recorder asked for the stream at " + target);
        } catch (IOException e) {
            err.println("simulate: " + e);
        } finally {
            out.flush();
            err.flush();
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static Vehicle read(CommandSpec spec, Supplier<Vehicle> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), Objects.toString(e.getMessage(), "wrong usage"), e);
        }
    }

    /** Refuses the value of an option that is out of range, or no number. */
    static void check(String option, double value, double lowest, double highest) {
        if (!(value >= lowest && value <= highest)) {
            String shown = value == Math.rint(value) ? String.format("%.0f", value) : Double.toString(value);
            throw new IllegalArgumentException(
                    String.format("%s is %s, and must be %.0f to %.0f", option, shown, lowest, highest));
        }
    }
}
