package org.mavlogd.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mavlogd.cli.HelpAndVersion;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mavlogd run}: records until SIGTERM or SIGINT. */
@Command(
        name = "run",
        description = "Record vehicles as configured, until stopped by a signal.",
        versionProvider = Version.class,
        footer = {
            "",
            "SIGTERM and Ctrl-C stop the stream, finish the logs and end with 0.",
            "Exit codes: 0 stopped by a signal, all logs finished; 1 failed to start, or a key or token file cannot be read; 2 wrong usage; "
                    + "3 out of memory; 70 internal error; 78 the configuration is wrong or cannot be read, or unsupported processor."
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpAndVersion helpAndVersion = new HelpAndVersion();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "/etc/mavlogd/mavlogd.toml",
            description = "Configuration (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path config;

    @Option(
            names = "--check-config",
            description = {
                "Only check the configuration: report its errors, and warn of settings that will not work on this computer."
            })
    private boolean checkConfig;

    @Option(names = "--live", description = "Show vehicle, state, rate, loss and file in one line on standard output.")
    private boolean live;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            converter = LevelWord.class,
            description =
                    "Minimum severity of log messages on standard error: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LoggingSetup.Level logLevel = LoggingSetup.Level.INFO;

    /** Converts a level on the command line. */
    private static final class LevelWord implements ITypeConverter<LoggingSetup.Level> {
        @Override
        public LoggingSetup.Level convert(String word) {
            try {
                return LoggingSetup.Level.named(word);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        LoggingSetup.install(logLevel, System.getenv());
        CommandLine line = spec.commandLine();
        RecorderRun run = new RecorderRun(config, live, line.getOut(), line.getErr());
        return checkConfig ? run.checkConfig() : run.record();
    }
}
