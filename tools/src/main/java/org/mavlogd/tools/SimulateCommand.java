package org.mavlogd.tools;

import org.mavlogd.cli.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mavlogd simulate}: simulates a vehicle, to try a recorder without one. */
@Command(
        name = "simulate",
        description = "Play a vehicle that streams a real log, to try out a recorder without a vehicle.",
        subcommands = {SimulatePx4Command.class, SimulateArduPilotCommand.class})
public final class SimulateCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a vehicle is missing: mavlogd simulate px4 ... or mavlogd simulate ardupilot ...");
    }
}
