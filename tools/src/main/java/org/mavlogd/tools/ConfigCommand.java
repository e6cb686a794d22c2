package org.mavlogd.tools;

import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.ConfigSchema;
import org.mavlogd.config.EffectiveConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mavlogd config}: what the configuration comes to. */
@Command(
        name = "config",
        description = "Print the configuration as it holds, or its schema.",
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Schema.class})
final class ConfigCommand extends LogCommand {
    @Override
    protected int execute() {
        throw new ParameterException(
                spec().commandLine(),
                "what of the configuration? 'mavlogd config show' prints it, 'mavlogd config schema' its schema");
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

    /** {@code mavlogd config schema}. */
    @Command(
            name = "schema",
            description = {
                "Print the JSON Schema of the configuration, by which editors complete and check keys. An editor with Taplo (Even Better",
                "TOML) finds it by the first line of a file: #:schema /usr/share/mavlogd/mavlogd.schema.json"
            },
            exitCodeList = {"0:printed", "2:wrong usage"},
            footerHeading = "%nExamples:%n",
            footer = "  mavlogd config schema > mavlogd.schema.json")
    static final class Schema extends LogCommand {
        @Override
        protected int execute() {
            out().print(ConfigSchema.json());
            return ExitCode.OK;
        }
    }
}
