package org.mavlogd.manual;

import org.mavlogd.cli.HelpOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mavlogd completion}: prints what a shell needs to complete command lines. */
@Command(
        name = "completion",
        description = {
            "Print a script that completes commands and options of mavlogd in a shell.",
            "'scripts/install' and the Debian packages install the scripts of all three shells."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(mavlogd completion bash)",
            "  source <(mavlogd completion zsh)",
            "  mavlogd completion fish | source"
        })
public final class CompletionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Completion shell = Completion.BASH;

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    @Override
    public void run() {
        spec.commandLine().getOut().print(shell.of(spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
