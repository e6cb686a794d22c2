package org.mavlogd.cli;

import picocli.CommandLine.Option;

/** The options for help and version, in the words of the other commands' help; picocli's own differ. */
public final class HelpOptions {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("unused") // read by picocli
    private boolean version;
}
