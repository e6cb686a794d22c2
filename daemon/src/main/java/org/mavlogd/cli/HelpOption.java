package org.mavlogd.cli;

import picocli.CommandLine.Option;

/** The option {@code --help} of all commands, in the words of the other options; picocli's own differ. */
public class HelpOption {
    @Option(
            names = {"-h", "--help"},
            order = 100,
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;
}
