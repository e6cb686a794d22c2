package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.text.Failures;
import org.mavlogd.tools.AddedCommand;
import org.mavlogd.tools.LogCommand;
import org.mavlogd.tools.StopSignal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mavlogd upload}: uploads finished logs until a signal ends it. */
@Command(
        name = "upload",
        description = {
            "Send finished logs to the targets of the configuration: S3, HTTP, tus, Flight Review, or a command.",
            "Logs are sent while no vehicle is armed. Sent logs are noted on disk, so that a restart does not send them again."
        },
        exitCodeList = {
            "0:with --once: all logs are at all targets",
            "130, 143:ended by SIGINT or SIGTERM",
            "1:failed; with --once: some logs could not be sent",
            "2:wrong usage",
            "78:the configuration is wrong, or has no [[target]]"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mavlogd upload", "  mavlogd upload --once --config my.toml"})
public final class UploadCommand extends LogCommand implements AddedCommand {
    private static final Path DEFAULT_CONFIG = Path.of("/etc/mavlogd/mavlogd.toml");
    private static final long PATIENCE_MS = 9000;
    private static final long SCAN_MS = 5000;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration: sections [upload], [[target]], [log] and [http] (default: /etc/mavlogd/mavlogd.toml).")
    private @Nullable Path config;

    @Option(names = "--once", description = "End when everything was sent, or cannot be sent now.")
    private boolean once;

    @Override
    protected int execute() {
        // Before other threads start.
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        UploadSettings settings;
        try {
            settings = UploadSettings.load(config == null ? DEFAULT_CONFIG : config);
        } catch (ConfigException e) {
            e.problems().forEach(this::warn);
            return ExitCode.CONFIG;
        }
        if (settings.targets().isEmpty()) {
            warn("the configuration has no [[target]] to send logs to");
            return ExitCode.CONFIG;
        }
        if (!Files.isDirectory(settings.logDirectory())) {
            return fail(settings.logDirectory() + ": no such directory");
        }
        return upload(settings);
    }

    private int upload(UploadSettings settings) {
        try (StopSignal stop = new StopSignal(PATIENCE_MS);
                Uploader uploader = new Uploader(settings, Backoff.DEFAULT, SCAN_MS)) {
            boolean isAllSent = uploader.run(stop::isAsked, once);
            return isAllSent || !once
                    ? ExitCode.OK
                    : fail("not all logs could be sent: " + settings.stateDirectory() + "/status.json has the reasons");
        } catch (IOException e) {
            return fail(Failures.text(settings.stateDirectory(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }
}
