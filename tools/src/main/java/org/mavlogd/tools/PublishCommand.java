package org.mavlogd.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.UnixDatagramClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd publish}: sends samples and messages to a running mavlogd, as any program can. */
@Command(
        name = "publish",
        customSynopsis = {
            "mavlogd publish [-h] [--instance N] [--time S | --utc S] TOPIC",
            "                       FIELD=VALUE...",
            "       mavlogd publish [-h] --text TEXT [--level LEVEL] [--tag TAG]",
            "       mavlogd publish [-h] --define TOPIC FIELD=TYPE[:UNIT]...",
            "       mavlogd publish [-h] -"
        },
        description = {
            "Publish a sample or a message: the running mavlogd writes it into the log, beside the vehicle's data.",
            "With '-' it reads lines of JSON from standard input; docs/publishing.md describes them."
        },
        exitCodeList = {
            "0:recorded, or waiting for a log that is about to start",
            "1:failed: mavlogd is not running, rejects it, or has no log for it; the reason is printed",
            "2:wrong usage",
            "3:with '-': some lines were rejected or not recorded; else: sent, but there was no answer",
            "78:the configuration that --config names is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd publish winch load_kg=12.4 turns=3",
            "  mavlogd publish --define winch load_kg=float:kg turns=uint32_t",
            "  mavlogd publish --text \"lens is dirty\" --level warning --tag camera_handler",
            "  my-sensor --json | mavlogd publish -"
        })
final class PublishCommand extends LogCommand {
    private static final Path DEFAULT_CONFIG = Path.of("/etc/mavlogd/mavlogd.toml");
    private static final Path DEFAULT_SOCKET = Path.of("/run/mavlogd/publish.sock");

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "The socket of mavlogd, instead of the configuration's.")
    private @Nullable Path socket;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration that names the socket (default: /etc/mavlogd/mavlogd.toml).")
    private @Nullable Path config;

    @Option(
            names = "--instance",
            paramLabel = "N",
            description = "Number of the device if there are several of one kind, 0 to 255.")
    private @Nullable Integer instance;

    @Option(names = "--time", paramLabel = "S", description = "Time of the measurement: seconds of CLOCK_MONOTONIC.")
    private @Nullable String time;

    @Option(names = "--utc", paramLabel = "S", description = "Time of the measurement: seconds since 1970.")
    private @Nullable String utc;

    @Option(names = "--text", paramLabel = "TEXT", description = "Publish a message.")
    private @Nullable String text;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description =
                    "Level of the message: emergency, alert, critical, error, warning, notice, info (default) or debug.")
    private @Nullable String level;

    @Option(names = "--tag", paramLabel = "TAG", description = "Tag of the message: a name or a number, 0 to 65535.")
    private @Nullable String tag;

    @Option(
            names = "--define",
            description = "Define the fields of a topic; types as in a log: float, uint8_t, char[16].")
    private boolean define;

    @Parameters(
            paramLabel = "TOPIC FIELD=VALUE",
            hideParamSyntax = true,
            arity = "0..*",
            description =
                    "The topic and all its fields. Values are numbers, true, false, lists such as [1,2,3], or strings.")
    private List<String> words = new ArrayList<>();

    @Override
    protected int execute() {
        boolean lines = words.equals(List.of("-"));
        PublishedLine line = lines ? new PublishedLine() : line();
        Path server;
        try {
            server = server();
        } catch (ConfigException e) {
            e.problems().forEach(this::warn);
            return ExitCode.CONFIG;
        } catch (IOException e) {
            return fail(String.valueOf(e.getMessage()));
        }
        try (UnixDatagramClient client = UnixDatagramClient.open(server)) {
            PublishDialog dialog = new PublishDialog(client, this::warn);
            return lines ? sendAll(dialog) : sendOne(dialog, line.text());
        } catch (IOException e) {
            return fail(String.valueOf(e.getMessage()));
        }
    }

    private PublishedLine line() {
        try {
            PublishedLine line = new PublishedLine();
            line.time(time, utc);
            if (text != null) {
                refuse(
                        !words.isEmpty() || define || instance != null,
                        "--text can be combined with --level, --tag and times only");
                return line.text(text, level, tag);
            }
            refuse(level != null || tag != null, "--level and --tag can be used with --text only");
            refuse(words.size() < 2, "a topic and its fields are missing, as in: winch load_kg=12.4");
            if (define) {
                refuse(
                        instance != null || time != null || utc != null,
                        "--define can be combined with FIELD=TYPE only");
                return line.definition(words.get(0), words.subList(1, words.size()));
            }
            return line.sample(words.get(0), instance, words.subList(1, words.size()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException(why);
        }
    }

    private Path server() throws ConfigException, IOException {
        if (socket != null) {
            return socket.toAbsolutePath();
        }
        Path file = config == null ? DEFAULT_CONFIG : config;
        if (config == null && !Files.isReadable(file)) {
            return DEFAULT_SOCKET; // most users may not read it
        }
        try {
            return Settings.loadBesideService(file).local().publish().links().stream()
                    .filter(LinkSettings.UnixDatagram.class::isInstance)
                    .map(socket -> Path.of(((LinkSettings.UnixDatagram) socket).path()))
                    .findFirst()
                    .orElseThrow(() -> new IOException(file + ": [publish] is not enabled, or has no socket"));
        } catch (ConfigException e) {
            if (config == null) {
                return DEFAULT_SOCKET; // also for users who may not read its secrets
            }
            throw e;
        }
    }

    private int sendOne(PublishDialog dialog, String line) throws IOException {
        PublishDialog.Outcome outcome = dialog.exchange(List.of(line), 0);
        if (outcome.refused() > 0) {
            return ExitCode.FAILED;
        }
        return outcome.answered() ? ExitCode.OK : ExitCode.PARTIAL;
    }

    /** Sends lines as soon as they are available, together if they arrive faster. */
    private int sendAll(PublishDialog dialog) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int sent = 0;
        boolean allTaken = true;
        List<String> batch = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            batch.add(line);
            if (!in.ready() || dialog.isFull(batch)) {
                PublishDialog.Outcome outcome = dialog.exchange(batch, sent);
                allTaken &= outcome.refused() == 0 && outcome.answered();
                sent += batch.size();
                batch.clear();
            }
        }
        return allTaken ? ExitCode.OK : ExitCode.PARTIAL;
    }
}
