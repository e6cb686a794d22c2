package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.Terminal;
import org.mavlogd.cli.TerminalWidth;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.HostPort;
import org.mavlogd.config.PageSettings;
import org.mavlogd.config.RecorderAddress;
import org.mavlogd.status.StatusClient;
import org.mavlogd.status.StatusView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mavlogd status}: shows the state of a running recorder, for people over SSH and for scripts. */
@Command(
        name = "status",
        description = "Show links, vehicles, recordings and problems of the recorder that runs on this computer.",
        exitCodeList = {
            "0:the recorder runs, without problems",
            "1:no recorder answers",
            "2:wrong usage",
            "3:the recorder runs, with problems",
            "78:the configuration is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd status",
            "  mavlogd status --watch",
            "  mavlogd status --json | jq -r '.vehicles[].state'",
            "  mavlogd status > /dev/null || echo 'mavlogd needs attention'"
        })
final class StatusCommand extends LogCommand {
    private static final Path DEFAULT_CONFIG = Path.of("/etc/mavlogd/mavlogd.toml");
    private static final String CLEAR = "\033[H\033[2J";

    @Option(names = "--json", description = "Print the recorder's JSON document; with --watch, one line each time.")
    private boolean json;

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = "1",
            paramLabel = "SECONDS",
            description = "Ask again every second, or every SECONDS (1 to 3600), until Ctrl-C or no recorder answers.")
    private int watchS;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration that names the recorder's address (default: /etc/mavlogd/mavlogd.toml).")
    private @Nullable Path config;

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            description = "The recorder's address, instead of --config; only without a token.")
    private @Nullable String at;

    private final StatusView view = new StatusView();
    private final TerminalWidth width = new TerminalWidth();

    @Override
    protected int execute() {
        if (watchS < 0 || watchS > 3600 || (isWatching() && watchS == 0)) {
            throw wrong("--watch is " + watchS + ", and must be 1 to 3600");
        }
        try {
            Optional<RecorderAddress> recorder = recorder();
            return recorder.isEmpty()
                    ? fail("[http] listen is \"\": this recorder serves no status")
                    : show(new StatusClient(recorder.get().url(), recorder.get().token()));
        } catch (ConfigException e) {
            e.problems().forEach(this::warn);
            return e.isUnreadable() ? ExitCode.FAILED : ExitCode.CONFIG;
        } catch (IOException e) {
            return fail(String.valueOf(e.getMessage()));
        }
    }

    private boolean isWatching() {
        return spec().commandLine().getParseResult().hasMatchedOption("--watch");
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec().commandLine(), text);
    }

    private Optional<RecorderAddress> recorder() throws ConfigException {
        if (at != null) {
            if (config != null) {
                throw wrong("--at and --config exclude each other");
            }
            return Optional.of(address(at));
        }
        if (config == null && !Files.exists(DEFAULT_CONFIG)) {
            return Optional.of(RecorderAddress.DEFAULT);
        }
        return RecorderAddress.load(config == null ? DEFAULT_CONFIG : config);
    }

    private RecorderAddress address(String text) {
        try {
            HostPort address = PageSettings.address(text);
            return new RecorderAddress(address.host(), address.port(), Optional.empty());
        } catch (IllegalArgumentException e) {
            throw wrong("--at: " + e.getMessage());
        }
    }

    private int show(StatusClient client) throws IOException {
        int code = showOnce(client);
        while (isWatching() && !out().checkError() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(watchS));
            code = showOnce(client);
        }
        return code;
    }

    private int showOnce(StatusClient client) throws IOException {
        String document = client.ask();
        Map<String, @Nullable Object> status = StatusClient.parse(document);
        if (json) {
            out().print(isWatching() ? StatusClient.oneLine(document) + '\n' : document);
        } else {
            boolean isTerminal = Terminal.isStandardOutput();
            // A pipe has no width; a file gets complete lines.
            List<String> lines = view.lines(status, isTerminal ? width.columns() : Integer.MAX_VALUE);
            out().print((isWatching() && isTerminal ? CLEAR : "") + String.join("\n", lines) + '\n');
        }
        out().flush();
        return "ok".equals(status.get("health")) ? ExitCode.OK : ExitCode.PARTIAL;
    }
}
