package org.mavlogd.lake;

import org.mavlogd.cli.ExitCode;
import org.mavlogd.tools.AddedCommand;
import org.mavlogd.tools.LogCommand;
import picocli.CommandLine.Command;

/** {@code mavlogd lake}: commands on tables of many logs. */
@Command(
        name = "lake",
        description = "Convert the logs of a fleet to Parquet tables, and query them in SQL.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeList = {"0:done", "1:failed", "2:wrong usage", "3:lake build: some logs were refused"},
        subcommands = {LakeBuildCommand.class, LakeQueryCommand.class})
public final class LakeCommand extends LogCommand implements AddedCommand {
    /** Called by picocli. */
    public LakeCommand() {}

    @Override
    protected int execute() {
        spec().commandLine().usage(err());
        return ExitCode.USAGE;
    }
}
