package org.mavlogd.tools;

import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.EffectiveConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mavlogd config}: what the configuration comes to. */
@Command(name = "config", description = "Print the configuration as it holds.", subcommands = ConfigCommand.Show.class)
final class ConfigCommand extends LogCommand {
    @Override
    protected int execute() {
        throw new ParameterException(
                spec().commandLine(), "what of the configuration? 'mavlogd config show' prints it");
    }

    /** {@code mavlogd config show}. */
    @Command(
            name = "show",
            description = {
                "Print every key with its value and where that comes from: the configuration file, a file of conf.d beside it,",
                "an environment variable MAVLOGD_SECTION_KEY, or the default. Secrets are in files of their own and are not shown."
            },
            exitCodeList = {"0:printed", "1:a file cannot be read", "2:wrong usage", "78:the configuration is wrong"},
            footerHeading = "%nExamples:%n",
            footer = {"  sudo mavlogd config show", "  mavlogd config show --config mavlogd.toml | grep -v '# default$'"
            })
    static final class Show extends LogCommand {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                defaultValue = "/etc/mavlogd/mavlogd.toml",
                description = "The configuration file (default: ${DEFAULT-VALUE}).")
        @SuppressWarnings("NullAway.Init") // set by picocli
        private Path config;

        @Override
        protected int execute() {
            try {
                EffectiveConfig.lines(config).forEach(out()::println);
                return ExitCode.OK;
            } catch (ConfigException e) {
                e.problems().forEach(this::warn);
                return e.isUnreadable() ? ExitCode.FAILED : ExitCode.CONFIG;
            }
        }
    }
}
