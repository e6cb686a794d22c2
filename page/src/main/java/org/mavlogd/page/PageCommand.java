package org.mavlogd.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.HostPort;
import org.mavlogd.config.PageSettings;
import org.mavlogd.tools.AddedCommand;
import org.mavlogd.tools.LogCommand;
import org.mavlogd.tools.StopSignal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mavlogd page}: serves the page until a signal ends it. */
@Command(
        name = "page",
        description = {
            "Show vehicles and logs in a browser.",
            "With a configuration it shows its recorder's vehicles and logs; with --directory, logs in any directories."
        },
        exitCodeList = {
            "130, 143:ended by SIGINT or SIGTERM",
            "1:failed: the address is in use, or there is no such directory",
            "2:wrong usage",
            "78:the configuration is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd page",
            "  mavlogd page --directory ~/logs",
            "  mavlogd page --directory /media/card/log/*/",
            "  mavlogd page --config /etc/mavlogd/mavlogd.toml"
        })
public final class PageCommand extends LogCommand implements AddedCommand {
    private static final Path DEFAULT_CONFIG = Path.of("/etc/mavlogd/mavlogd.toml");
    private static final long PATIENCE_MS = 5000;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration: sections [page], [http] and [log] (default: /etc/mavlogd/mavlogd.toml).")
    private @Nullable Path config;

    @Option(
            names = "--directory",
            arity = "1..*",
            paramLabel = "DIR",
            description =
                    "Directories with .ulg and .bin files, instead of the configuration's log directory. Subfolders are not "
                            + "read: name them, such as /media/card/log/*/.")
    private List<Path> directories = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Address of the page (default: that of the configuration, else 127.0.0.1:9651); port 0 for any free port.")
    private @Nullable String listen;

    @Override
    protected int execute() {
        // Before other threads start.
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        PageSettings settings;
        try {
            settings = settings();
        } catch (ConfigException e) {
            e.problems().forEach(this::warn);
            return ExitCode.CONFIG;
        }
        if (settings.token().isEmpty() && !PageSettings.isLoopback(settings.listen())) {
            return fail(settings.listen() + ": other computers can reach this address; set token_file in [page]");
        }
        List<Path> places = directories.isEmpty() ? List.of(settings.logDirectory()) : directories;
        for (Path place : places) {
            if (!Files.isDirectory(place)) {
                return fail(place + (Files.exists(place) ? ": not a directory" : ": no such directory"));
            }
        }
        new Catalogue(places).unreadFolders().forEach(this::warn);
        return serve(settings, places);
    }

    private PageSettings settings() throws ConfigException {
        boolean isConfigured = config != null || directories.isEmpty();
        PageSettings settings = isConfigured
                ? PageSettings.load(config == null ? DEFAULT_CONFIG : config)
                : PageSettings.ofDirectory(directories.get(0));
        return listen == null ? settings : settings.withListen(address(listen));
    }

    private HostPort address(String text) {
        try {
            return PageSettings.address(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--listen: " + e.getMessage(), e);
        }
    }

    private int serve(PageSettings settings, List<Path> places) {
        try (StopSignal stop = new StopSignal(PATIENCE_MS);
                PageServer server = new PageServer(settings, places, cache())) {
            int port;
            try {
                port = server.start();
            } catch (IOException e) {
                return fail(settings.listen() + ": " + e.getMessage());
            }
            String scheme = settings.tls().isPresent() ? "https" : "http";
            out().println(scheme + "://" + new HostPort(settings.listen().host(), port) + "/");
            out().flush();
            stop.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    /** The cache directory of systemd, or else that of desktops. */
    private static Path cache() {
        String ofService = System.getenv().getOrDefault("CACHE_DIRECTORY", "");
        if (!ofService.isEmpty()) {
            return Path.of(ofService.replaceFirst(":.*", ""));
        }
        String ofUser = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = ofUser.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(ofUser);
        return base.resolve("mavlogd-page");
    }
}
