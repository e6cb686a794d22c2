package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help, completion and manual pages, which are generated from the commands' descriptions. */
class ManualTest {
    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    @Test
    void helpIsThatOfTheCommandItself() {
        for (List<String> command : List.of(List.of("info"), List.of("export", "csv"), List.of("logs", "rm"))) {
            Object[] byOption =
                    Stream.concat(command.stream(), Stream.of("--help")).toArray();
            assertThat(shell.run(byOption)).isZero();
            String expected = shell.out();
            Object[] byCommand =
                    Stream.concat(Stream.of("help"), command.stream()).toArray();

            assertThat(shell.run(byCommand)).isZero();
            assertThat(shell.out()).isEqualTo(expected).startsWith("Usage: mavlogd " + command.get(0));
        }
        assertThat(shell.run("help")).isZero();
        assertThat(shell.out()).contains("Commands:").contains("  logs").doesNotContain("man-pages");
    }

    @Test
    void helpNeverEndsWithAnEmptyListOfExitCodes() {
        assertThat(commands(Main.commandLine()))
                .hasSizeGreaterThan(20)
                .allSatisfy(command ->
                        assertThat(command.getUsageMessage().stripTrailing()).doesNotEndWith("Exit codes:"));
    }

    static List<CommandLine> commands(CommandLine top) {
        return Stream.concat(
                        Stream.of(top),
                        top.getSubcommands().values().stream().flatMap(command -> commands(command).stream()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"help info", "check --help", "completion bash", "run --help"})
    void outputThatCannotBeWrittenIsAnError(String words) throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "no " + full);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = Stream.concat(
                        Stream.of(
                                java.toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "org.mavlogd.tools.Main"),
                        Stream.of(words.split(" ", -1)))
                .toList();

        Process process =
                new ProcessBuilder(command).redirectOutput(full.toFile()).start();
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(error).contains("standard output: cannot be written").hasLineCount(1);
    }

    @Test
    void helpSuggestsCommands() {
        assertThat(shell.run("help", "inof")).isEqualTo(2);
        assertThat(shell.err()).contains("there is no command 'mavlogd inof' (did you mean \"info\"?)");
        assertThat(shell.run("help", "export", "cvs")).isEqualTo(2);
        assertThat(shell.err()).contains("there is no command 'mavlogd export cvs' (did you mean \"csv\"?)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionKnowsEveryCommandAndItsShellTakesIt(String name) throws Exception {
        assertThat(shell.run("completion", name)).isZero();

        assertThat(shell.out())
                .contains("messages")
                .contains("mcap")
                .contains("unkeep")
                .contains("all-topics")
                .contains("mavproxy")
                .doesNotContain("man-pages");
        assumeTrue(isInstalled(name), name + " is not installed: its syntax is not checked");
        Path script = Files.writeString(directory.resolve("script"), shell.out());
        Process check = new ProcessBuilder(name, "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    @Test
    void completionAnswersInItsShell() throws Exception {
        Map<String, String> asks = Map.of("bash", """
                source "$0"
                COMP_WORDS=($1 ''); COMP_CWORD=$2; COMP_LINE="$1 "; COMP_POINT=${#COMP_LINE}
                $(complete -p mavlogd | sed 's/.*-F //; s/ .*//')
                echo "${COMPREPLY[@]}"
                """, "fish", """
                source $argv[1]
                complete -C "$argv[2] "
                """);
        for (String name : List.of("bash", "fish")) {
            if (!isInstalled(name)) {
                continue;
            }
            shell.run("completion", name);
            String script =
                    Files.writeString(directory.resolve("script"), shell.out()).toString();
            for (Map.Entry<String, String> line : Map.of(
                            "mavlogd export", "parquet",
                            "mavlogd completion", "fish",
                            "mavlogd help", "messages",
                            "mavlogd export csv --time", "utc")
                    .entrySet()) {
                int words = line.getKey().split(" ", -1).length;
                Process asked = new ProcessBuilder(
                                name, "-c", asks.get(name), script, line.getKey(), Integer.toString(words))
                        .directory(directory.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();

                String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

                assertThat(asked.waitFor()).isZero();
                assertThat(answer).as(name + ": " + line.getKey()).containsPattern("\\b" + line.getValue() + "\\b");
            }
        }
    }

    private static boolean isInstalled(String program) {
        return Stream.of("/bin/", "/usr/bin/").anyMatch(place -> Files.isExecutable(Path.of(place + program)));
    }

    @Test
    void aShellThatIsNotKnownIsRefused() {
        assertThat(shell.run("completion", "tcsh")).isEqualTo(2);
        assertThat(shell.err()).contains("tcsh").containsIgnoringCase("fish").hasLineCount(1);
        assertThat(shell.run("completion")).isEqualTo(2);
    }

    @Test
    void everyCommandHasAManualPage() throws IOException {
        Path pages = directory.resolve("man1");

        assertThat(shell.run("man-pages", pages)).isZero();

        assertThat(Files.readString(pages.resolve("mavlogd.1"))).contains("\\fBmavlogd\\-info\\fR(1)");
        assertThat(Files.readString(pages.resolve("mavlogd-export-csv.1")))
                .startsWith(".TH MAVLOGD\\-EXPORT\\-CSV 1 ")
                .contains(".SH NAME\nmavlogd\\-export\\-csv \\- ")
                .contains("\n.SH SYNOPSIS\n.nf\nmavlogd export csv [\\-h]")
                .contains("\n.SH EXIT STATUS\n.TP\n0\n")
                .contains("\\fB\\-\\-force\\fR");
        try (Stream<Path> all = Files.list(pages)) {
            for (Path page : all.toList()) {
                assertThat(Files.readString(page))
                        .as(page.toString())
                        .contains(".SH DESCRIPTION", ".SH OPTIONS", ".SH SEE ALSO")
                        .doesNotContain("@|", "%n");
            }
        }
    }

    @Test
    void pagesThatCannotBeWrittenAreAnError() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(shell.run("man-pages", file)).isEqualTo(1);

        assertThat(shell.err()).startsWith("mavlogd man-pages: " + file).hasLineCount(1);
    }
}
