package org.mavlogd.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script of a shell. */
enum Completion {
    BASH {
        @Override
        String script(CommandLine top) {
            // picocli itself does not omit hidden commands.
            List<String> hidden = top.getSubcommands().entrySet().stream()
                    .filter(entry ->
                            entry.getValue().getCommandSpec().usageMessage().hidden())
                    .map(Map.Entry::getKey)
                    .toList();
            hidden.forEach(top.getCommandSpec()::removeSubcommand);
            // picocli offers the names of constants; their case is ignored, but lower case is usual.
            return VALUES.matcher(AutoComplete.bash(top.getCommandName(), top))
                    .replaceAll(values -> values.group().toLowerCase(Locale.ROOT));
        }
    },
    ZSH {
        @Override
        String script(CommandLine top) {
            CommandSpec command = top.getCommandSpec();
            StringBuilder script = new StringBuilder("#compdef " + command.name() + "\n\n");
            for (CommandSpec each : CommandModel.all(command)) {
                zshFunction(each, script);
            }
            String function = zshName(command);
            // The shell loads the script as the body of a function with its name, or sources it.
            return script + "if [ \"$funcstack[1]\" = \"" + function + "\" ]; then\n    " + function
                    + " \"$@\"\nelse\n    compdef " + function + " " + command.name() + "\nfi\n";
        }
    },
    FISH {
        @Override
        String script(CommandLine top) {
            CommandSpec command = top.getCommandSpec();
            StringBuilder script = new StringBuilder("complete -c " + command.name() + " -f\n");
            for (CommandSpec each : CommandModel.all(command)) {
                fishLines(each, script);
            }
            return script.toString();
        }
    };

    private static final Pattern VALUES = Pattern.compile("(?<=_option_args=)\\(.*\\)");

    /** @param top the command, which this changes: use it for nothing else afterwards */
    String of(CommandLine top) {
        HelpCommand.nameCommands(top.getCommandSpec());
        return script(top);
    }

    abstract String script(CommandLine top);

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String zshName(CommandSpec command) {
        return "_" + command.qualifiedName("_").replace('-', '_');
    }

    private static void zshFunction(CommandSpec command, StringBuilder script) {
        List<CommandSpec> below = CommandModel.commands(command);
        script.append(zshName(command)).append("() {\n    local curcontext=\"$curcontext\" state line\n");
        script.append("    _arguments -s -S -C");
        for (OptionSpec option : CommandModel.options(command)) {
            for (String name : option.names()) {
                script.append(" \\\n        ").append(quoted(zshOption(option, name)));
            }
        }
        if (!below.isEmpty()) {
            script.append(" \\\n        '1: :->command' \\\n        '*:: :->argument'");
        } else if (CommandModel.takesFiles(command)) {
            script.append(" \\\n        '*: :_files'");
        } else if (!CommandModel.arguments(command).isEmpty()) {
            script.append(" \\\n        '1: :(" + words(CommandModel.arguments(command)) + ")'");
        }
        script.append('\n');
        if (!below.isEmpty()) {
            zshCommands(below, script);
        }
        script.append("}\n\n");
    }

    private static void zshCommands(List<CommandSpec> commands, StringBuilder script) {
        script.append("    case $state in\n    command)\n        local -a commands=(\n");
        for (CommandSpec command : commands) {
            script.append("            ")
                    .append(quoted(command.name() + ":" + CommandModel.title(command)))
                    .append('\n');
        }
        script.append(
                "        )\n        _describe command commands\n        ;;\n    argument)\n        case $words[1] in\n");
        for (CommandSpec command : commands) {
            script.append("        ")
                    .append(command.name())
                    .append(") ")
                    .append(zshName(command))
                    .append(" ;;\n");
        }
        script.append("        esac\n        ;;\n    esac\n");
    }

    private static String zshOption(OptionSpec option, String name) {
        String text = name + "[" + CommandModel.title(option).replaceAll("([\\[\\]:\\\\])", "\\\\$1") + "]";
        if (!CommandModel.takesValue(option)) {
            return text;
        }
        List<String> values = CommandModel.values(option);
        String action = CommandModel.isFile(option) ? "_files" : " ";
        return text + ": :" + (values.isEmpty() ? action : "(" + words(values) + ")");
    }

    private static void fishLines(CommandSpec command, StringBuilder script) {
        List<CommandSpec> below = CommandModel.commands(command);
        String when = fishCondition(command, below);
        String start = "complete -c " + command.root().name() + " -n " + quoted(when);
        for (CommandSpec each : below) {
            script.append(start)
                    .append(" -a ")
                    .append(each.name())
                    .append(fishDescription(CommandModel.title(each)))
                    .append('\n');
        }
        if (CommandModel.takesFiles(command)) {
            script.append(start).append(" -F\n");
        }
        if (!CommandModel.arguments(command).isEmpty()) {
            script.append(start)
                    .append(" -a ")
                    .append(quoted(words(CommandModel.arguments(command))))
                    .append('\n');
        }
        for (OptionSpec option : CommandModel.options(command)) {
            script.append(start).append(fishOption(option)).append('\n');
        }
    }

    private static String fishOption(OptionSpec option) {
        String names = Arrays.stream(option.names())
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
        return names + fishValue(option) + fishDescription(CommandModel.title(option));
    }

    private static String fishDescription(String title) {
        return " -d " + quoted(title);
    }

    private static String fishValue(OptionSpec option) {
        if (!CommandModel.takesValue(option)) {
            return "";
        }
        List<String> values = CommandModel.values(option);
        String files = CommandModel.isFile(option) ? " -r -F" : " -x";
        return values.isEmpty() ? files : " -x -a " + quoted(words(values));
    }

    /** Fish's condition that the command and its parents have been entered, but none of its subcommands. */
    private static String fishCondition(CommandSpec command, List<CommandSpec> below) {
        String names = Arrays.stream(command.qualifiedName(" ").split(" ", -1))
                .skip(1)
                .map(name -> "__fish_seen_subcommand_from " + name + "; and ")
                .collect(Collectors.joining());
        String others = below.stream().map(CommandSpec::name).collect(Collectors.joining(" "));
        if (others.isEmpty()) {
            return names.replaceFirst("; and $", "");
        }
        return names + "not __fish_seen_subcommand_from " + others;
    }

    private static String words(List<String> values) {
        return values.stream().map(value -> value.toLowerCase(Locale.ROOT)).collect(Collectors.joining(" "));
    }

    /** Quotes a text for all these shells. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
