package org.mavlogd.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.ConfigSchema;
import org.mavlogd.config.EffectiveConfig;
import org.mavlogd.migrate.ForeignConfigException;
import org.mavlogd.migrate.RouterImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd config}: prints the resulting configuration, its schema, or a translation of another program's. */
@Command(
        name = "config",
        description = "Print the resulting configuration, its schema, or a translation of mavlink-router's.",
        exitCodeList = {"0:printed", "1:a file cannot be read", "2:wrong usage", "78:the configuration is wrong"},
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Schema.class, ConfigCommand.Import.class})
final class ConfigCommand extends LogCommand {
    @Override
    protected int execute() {
        throw new ParameterException(
                spec().commandLine(),
                "a command is missing: 'mavlogd config show' prints the configuration, 'mavlogd config schema' its schema,"
                        + " 'mavlogd config import' translates one of mavlink-router");
    }

    /** {@code mavlogd config show}. */
    @Command(
            name = "show",
            description = {
                "Print every key with its value and the source of the value.",
                "Sources are the configuration file, a file in conf.d beside it, an environment variable MAVLOGD_SECTION_KEY, and the "
                        + "default. Secrets are in files of their own and are not shown."
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
                description = "Configuration (default: ${DEFAULT-VALUE}).")
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
                "Print the JSON Schema of the configuration, with which editors complete and check keys.",
                "Editors with Taplo (Even Better TOML) find it by this first line of a file: "
                        + "#:schema /usr/share/mavlogd/mavlogd.schema.json"
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

    /** {@code mavlogd config import}. */
    @Command(
            name = "import",
            description = {
                "Translate a configuration file of mavlink-router and print it.",
                "Endpoints become links that forward; log settings are translated, too. Settings without a counterpart, or with another "
                        + "meaning in mavlogd, are reported on standard error and in comments."
            },
            exitCodeList = {"0:printed", "1:the file cannot be read", "2:wrong usage", "78:the file is wrong"},
            footerHeading = "%nExamples:%n",
            footer = {
                "  mavlogd config import /etc/mavlink-router/main.conf > mavlogd.toml",
                "  mavlogd config show --config mavlogd.toml"
            })
    static final class Import extends LogCommand {
        private static final int MAX_BYTES = 256 * 1024;

        @Parameters(paramLabel = "FILE", description = "The file to translate.")
        @SuppressWarnings("NullAway.Init") // set by picocli
        private Path file;

        @Override
        protected int execute() {
            try {
                RouterImport.Translation translation = RouterImport.translate(file.toString(), text());
                translation.toml().forEach(out()::println);
                translation.notes().forEach(this::warn);
                return ExitCode.OK;
            } catch (IOException e) {
                return fail(file, e);
            } catch (ForeignConfigException e) {
                e.problems().forEach(this::warn);
                return ExitCode.CONFIG;
            }
        }

        private String text() throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new IOException("is larger than " + MAX_BYTES / 1024 + " KiB; not a configuration");
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
        }
    }
}
