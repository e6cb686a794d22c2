package org.mavlogd.manual;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Properties of a command for completion and manual pages. */
final class CommandModel {
    private CommandModel() {}

    /** The direct subcommands, without hidden ones; each once. */
    static List<CommandSpec> commands(CommandSpec parent) {
        return parent.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(command -> !command.usageMessage().hidden())
                .distinct()
                .toList();
    }

    /** The command and all visible commands below it, recursively. */
    static List<CommandSpec> all(CommandSpec top) {
        List<CommandSpec> all = new ArrayList<>(List.of(top));
        for (CommandSpec command : commands(top)) {
            all.addAll(all(command));
        }
        return all;
    }

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    static boolean isFile(ArgSpec argument) {
        Class<?> type = argument.typeInfo().isMultiValue()
                ? argument.auxiliaryTypes()[0]
                : argument.typeInfo().getType();
        return type == Path.class || type == File.class;
    }

    /** Whether files are among its arguments. */
    static boolean takesFiles(CommandSpec command) {
        return command.positionalParameters().stream().anyMatch(CommandModel::isFile);
    }

    /** The possible values of an argument; none if any value is possible. */
    static List<String> values(ArgSpec argument) {
        Iterable<String> candidates = argument.completionCandidates();
        return candidates == null
                ? List.of()
                : StreamSupport.stream(candidates.spliterator(), false).toList();
    }

    /** The possible arguments of a command; none if any value is possible. */
    static List<String> arguments(CommandSpec command) {
        return command.positionalParameters().stream()
                .flatMap(argument -> values(argument).stream())
                .toList();
    }

    /** The purpose of a command: the first sentence of its description, without the full stop. */
    static String title(CommandSpec command) {
        String[] description = command.usageMessage().description();
        return description.length == 0 ? "" : firstSentence(text(description[0]));
    }

    static String title(ArgSpec argument) {
        return argument.description().length == 0 ? "" : firstSentence(text(argument.description()[0]));
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text : text.substring(0, end);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /** Text as printed by the help, without picocli's markup. */
    static String text(String described) {
        return Help.Ansi.OFF.string(String.format(described));
    }
}
