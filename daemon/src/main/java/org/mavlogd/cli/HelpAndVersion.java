package org.mavlogd.cli;

import picocli.CommandLine.Option;

/** The options {@code --help} and {@code --version}. */
public final class HelpAndVersion extends HelpOption {
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused") // read by picocli
    private boolean version;
}
