package org.mavlogd.manual;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.cli.HelpOption;
import org.mavlogd.text.SimilarWord;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mavlogd help}: shows the help of a command, as its option {@code --help} does. */
@Command(
        name = "help",
        description = "Show the help of a command.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:shown", "2:there is no such command"},
        footerHeading = "%nExamples:%n",
        footer = {"  mavlogd help info", "  mavlogd help export csv"})
public final class HelpCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", description = "The command, and its subcommand if it has one.")
    private List<String> words = new ArrayList<>();

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    /** Registers the words that it takes, for completion. */
    static void nameCommands(CommandSpec top) {
        for (CommandSpec command : CommandModel.commands(top)) {
            if (command.userObject() instanceof HelpCommand) {
                PositionalParamSpec words = command.positionalParameters().get(0);
                command.remove(words);
                command.addPositional(words.toBuilder()
                        .completionCandidates(CommandModel.commands(top).stream()
                                .map(CommandSpec::name)
                                .toList())
                        .build());
            }
        }
    }

    @Override
    public void run() {
        CommandLine command = spec.root().commandLine();
        for (String word : words) {
            CommandLine below = command.getSubcommands().get(word);
            if (below == null) {
                List<String> names = CommandModel.commands(command.getCommandSpec()).stream()
                        .map(CommandSpec::name)
                        .toList();
                throw new ParameterException(
                        command,
                        "there is no command '" + command.getCommandSpec().qualifiedName() + " " + word + "'"
                                + SimilarWord.hint(word, names));
            }
            command = below;
        }
        command.usage(spec.commandLine().getOut());
    }
}
