package org.mavlogd.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.HelpOption;
import org.mavlogd.cli.Version;
import org.mavlogd.text.Failures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mavlogd man-pages}: writes the manual pages of all commands. For installers, so it is not listed. */
@Command(
        name = "man-pages",
        hidden = true,
        description = "Write the manual page of each command into a directory, such as DIR/mavlogd-info.1.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:written", "1:failed", "2:wrong usage"})
public final class ManPagesCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The directory; created if missing.")
    private Path directory = Path.of("");

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    @Override
    public Integer call() {
        List<CommandSpec> commands = CommandModel.all(spec.root());
        try {
            Files.createDirectories(directory);
            for (CommandSpec command : commands) {
                String page = new ManPage(command, "mavlogd " + Version.text()).text();
                Files.writeString(directory.resolve(ManPage.name(command) + ".1"), page);
            }
        } catch (IOException e) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": " + Failures.text(directory, e));
            return ExitCode.FAILED;
        }
        spec.commandLine().getOut().println(directory + ": " + commands.size() + " pages");
        return ExitCode.OK;
    }
}
