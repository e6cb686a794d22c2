package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.RunMain;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.logtools.FlightLog;
import org.mavlogd.ulog.LogLevel;
import picocli.CommandLine;

class MainTest {
    @Test
    void runByItselfIsTheSameCommandAsAmongTheOthers() {
        CommandLine among =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get("run"));
        CommandLine alone = RunMain.commandLine();

        assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
        assertThat(alone.getCommandSpec().qualifiedName())
                .isEqualTo(among.getCommandSpec().qualifiedName());
        assertThat(alone.getParameterExceptionHandler())
                .hasSameClassAs(Main.commandLine().getParameterExceptionHandler());
        assertThat(alone.isCaseInsensitiveEnumValuesAllowed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cat --topic x --format Foo | '--format': \"Foo\" is not one of the choices; allowed: csv, ndjson",
                "export csv --time it's -o x | '--time': \"it's\" is not one of the choices; allowed: us, s, utc",
                "params --format [x] | '--format': \"[x]\" is not one of the choices; allowed: table, csv, json, qgc, mavproxy"
            })
    void choicesAreListedAsUsersWriteThem(String words, String problem) {
        Shell shell = new Shell(words.split(" ", -1));

        assertThat(shell.run("x.ulg")).isEqualTo(2);
        assertThat(shell.err())
                .contains("Invalid value for option " + problem + " (see '")
                .hasLineCount(1);
    }

    /** Running a command by name does not load the descriptions of the others. */
    @Test
    void eachCommandRunsByItselfAsAmongTheOthers() {
        Map<String, CommandLine> all = Main.commandLine().getSubcommands();

        assertThat(all).hasSizeGreaterThan(15);
        all.forEach((name, command) -> assertThat(printed(name, "--help"))
                .as(name)
                .isEqualTo(command.getUsageMessage(CommandLine.Help.Ansi.OFF))
                .contains("mavlogd " + name));
    }

    /** Runs {@link Main#run}, which other tests do not use. */
    private static String printed(String... words) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.run(words)).isZero();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** That runs without picocli. */
    @ParameterizedTest
    @ValueSource(strings = {"flight.ulg", "note.txt", "flihgt.ulg", "empty", ".", "none/LAST"})
    void infoOfALogPrintsTheSameAsWithTheParser(String name, @TempDir Path directory) throws IOException {
        try (FlightLog log = new FlightLog(directory.resolve("flight.ulg"))) {
            log.log().info("sys_name", "PX4");
            log.log().loggedString(LogLevel.INFO, 1_000_000, "armed");
        }
        Files.writeString(directory.resolve("note.txt"), "This is no log.");
        Files.createFile(directory.resolve("empty"));
        Shell parsed = new Shell();
        int code = parsed.run("info", directory.resolve(name));
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream reported = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, Charset.defaultCharset()));
        System.setErr(new PrintStream(reported, true, Charset.defaultCharset()));

        int without;
        try {
            without = Main.run("info", directory.resolve(name).toString());
        } finally {
            System.setOut(out);
            System.setErr(err);
        }

        assertThat(without).isEqualTo(code);
        assertThat(printed.toString(Charset.defaultCharset())).isEqualTo(parsed.out());
        assertThat(reported.toString(Charset.defaultCharset())).isEqualTo(parsed.err());
        assertThat(parsed.out() + parsed.err()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "export cvs,csv",
        "export mcpa,mcap",
        "logs pth,path",
        "inof a.ulg,info",
        "repot a.ulg,report",
        "laek,lake",
        "uplod --help,upload"
    })
    void aMisspeltCommandGetsASuggestion(String words, String meant) {
        Shell shell = new Shell();

        assertThat(shell.run((Object[]) words.split(" ", -1))).isEqualTo(2);

        assertThat(shell.err()).contains("; did you mean " + meant).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bogus | there is no command 'bogus' (see",
                "version --help | there is no command 'version' (see 'mavlogd --help')",
                "--help bogus | there is no command 'bogus' (see",
                "export odt --help | there is no command 'odt' (see 'mavlogd export --help')",
                "export odt a.ulg | there is no command 'odt' (see",
                "info a.ulg b.ulg | unexpected argument 'b.ulg' (see",
                "completion ksh | \"ksh\" is not one of the choices; allowed: bash, zsh, fish (see",
                "append a.ulg | mavlogd append: Missing required argument",
                "merge a.ulg -o out.ulg | Missing required parameter: 'LOG'",
                "info --jsn a.ulg | Unknown option: '--jsn'; did you mean --json?",
                "cat a.ulg --topik gyro | Unknown option: '--topik'; did you mean --topic",
                "run --confg x | Unknown option: '--confg'; did you mean --config? (see"
            })
    void wrongUsageIsReportedInWordsThatTheUserTyped(String words, String message) {
        Shell shell = new Shell();

        assertThat(shell.run((Object[]) words.split(" ", -1))).isEqualTo(2);

        assertThat(shell.err()).contains(message).hasLineCount(1);
    }

    @Test
    void allCommandsDescribeTheirHelpInTheSameWords() {
        assertThat(ManualTest.commands(Main.commandLine()))
                .allSatisfy(command -> assertThat(
                                command.getCommandSpec().findOption("--help").description())
                        .as(command.getCommandSpec().qualifiedName())
                        .containsExactly("Show this help."));
    }

    /** A line that wraps in a terminal of 80 columns breaks commands and paths, which are then not found or copied. */
    @Test
    void helpFitsIntoATerminal() {
        CommandLine top = Main.commandLine();

        assertThat(ManualTest.commands(top)).hasSizeGreaterThan(20).allSatisfy(command -> {
            assertThat(command.getUsageMessage().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
                    .noneMatch(line -> line.endsWith("/etc/mavlogd/mavlogd."));
            assertThat(command.getCommandSpec().usageMessage().footer())
                    .filteredOn(line -> line.startsWith("  "))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(79));
        });
    }

    @Test
    void warnAndWarningAreOneLevelOfLogging() {
        for (String word : List.of("warn", "warning", "WARNING")) {
            CommandLine.ParseResult run =
                    Main.commandLine().parseArgs("run", "--log-level", word).subcommand();
            assertThat(run.<LoggingSetup.Level>matchedOptionValue("--log-level", LoggingSetup.Level.INFO))
                    .as(word)
                    .isEqualTo(LoggingSetup.Level.WARN);
        }
        Shell shell = new Shell();
        assertThat(shell.run("run", "--log-level", "warnin")).isEqualTo(2);
        assertThat(shell.err())
                .contains("levels are error, warn, info, debug, trace")
                .hasLineCount(1);
    }
}
