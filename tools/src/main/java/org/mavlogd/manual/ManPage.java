package org.mavlogd.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, in the language of man(7). */
final class ManPage {
    private static final int NO_WRAP = 10_000;

    private final CommandSpec command;
    private final String version;
    private final StringBuilder page = new StringBuilder();

    /** @param version name and version of the program */
    ManPage(CommandSpec command, String version) {
        this.command = command;
        this.version = version;
    }

    /** The name of the page, such as {@code mavlogd-export-csv}. */
    static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    /** The page. It has no date, so that the same program creates the same page. */
    String text() {
        page.append(".TH ").append(escaped(name(command).toUpperCase(Locale.ROOT)));
        page.append(" 1 \"\" \"").append(escaped(version)).append("\" \"User Commands\"\n");
        section("NAME", escaped(name(command)) + " \\- " + escaped(CommandModel.title(command)));
        synopsis();
        paragraphs("DESCRIPTION", command.usageMessage().description());
        arguments();
        commands();
        exitCodes();
        examples();
        seeAlso();
        return page.toString();
    }

    private void synopsis() {
        command.usageMessage().width(NO_WRAP);
        String synopsis = new Help(command, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0);
        section(
                "SYNOPSIS",
                ".nf\n"
                        + lines(synopsis.stripTrailing()
                                .lines()
                                .map(String::strip)
                                .toList()) + "\n.fi");
    }

    private void arguments() {
        List<PositionalParamSpec> parameters = command.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
        if (!parameters.isEmpty()) {
            page.append(".SH ARGUMENTS\n");
            for (PositionalParamSpec parameter : parameters) {
                item(escaped(parameter.paramLabel()), parameter);
            }
        }
        page.append(".SH OPTIONS\n");
        for (OptionSpec option : CommandModel.options(command)) {
            String value = CommandModel.takesValue(option) ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : "";
            String names = Arrays.stream(option.names())
                    .map(name -> "\\fB" + escaped(name) + "\\fR")
                    .collect(Collectors.joining(", "));
            item(names + value, option);
        }
    }

    private void item(String head, ArgSpec argument) {
        page.append(".TP\n").append(head).append('\n');
        page.append(lines(Arrays.stream(argument.description())
                        .map(CommandModel::text)
                        .toList()))
                .append('\n');
    }

    private void commands() {
        List<CommandSpec> below = CommandModel.commands(command);
        if (below.isEmpty()) {
            return;
        }
        page.append(".SH COMMANDS\n");
        for (CommandSpec each : below) {
            page.append(".TP\n\\fB").append(escaped(each.name())).append("\\fR\n");
            page.append(escaped(CommandModel.title(each))).append(".\n");
        }
    }

    private void exitCodes() {
        Map<String, String> codes = command.usageMessage().exitCodeList();
        if (codes.isEmpty()) {
            return;
        }
        page.append(".SH EXIT STATUS\n");
        codes.forEach((code, meaning) -> page.append(".TP\n")
                .append(escaped(CommandModel.text(code)))
                .append('\n')
                .append(escaped(CommandModel.text(meaning)))
                .append('\n'));
    }

    private void examples() {
        String heading =
                CommandModel.text(command.usageMessage().footerHeading()).strip();
        if (!heading.equals("Examples:")) {
            return;
        }
        List<String> lines = Arrays.stream(command.usageMessage().footer())
                .map(CommandModel::text)
                .map(String::strip)
                .toList();
        section("EXAMPLES", ".nf\n" + lines(lines) + "\n.fi");
    }

    private void seeAlso() {
        CommandSpec parent = command.parent();
        List<CommandSpec> others = parent == null ? CommandModel.commands(command) : List.of(parent);
        section(
                "SEE ALSO",
                others.stream()
                        .map(other -> "\\fB" + escaped(name(other)) + "\\fR(1)")
                        .collect(Collectors.joining(",\n")));
    }

    private void paragraphs(String heading, String... paragraphs) {
        section(
                heading,
                Arrays.stream(paragraphs)
                        .map(CommandModel::text)
                        .map(ManPage::escaped)
                        .collect(Collectors.joining("\n.PP\n")));
    }

    private void section(String heading, String content) {
        page.append(".SH ").append(heading).append('\n').append(content).append('\n');
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(ManPage::escaped).collect(Collectors.joining("\n"));
    }

    /** Escapes a text; hyphens become those that users type. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
        return plain.lines()
                .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
                .collect(Collectors.joining("\n"));
    }
}
