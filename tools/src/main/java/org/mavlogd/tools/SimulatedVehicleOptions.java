package org.mavlogd.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Options of simulated vehicles: who they are and how fast they send. */
@Command(
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a recorder took the stream",
            "1:no recorder asked for the stream, or the log or the target cannot be used",
            "2:wrong usage",
            "130, 143:ended by SIGINT or SIGTERM, after the summary"
        },
        footerHeading = "%nExamples:%n")
final class SimulatedVehicleOptions {
    private static final int BYTES_PER_KB = 1000;
    private static final double MAX_RATE_KB = 1e6;
    private static final int MAX_TELEMETRY_HZ = 1000;
    private static final int MAX_SYSTEM_ID = 255;

    @Option(
            names = "--rate",
            paramLabel = "KB/S",
            description = "Data rate; without it the log's own pace by its timestamps.")
    private double rateKb;

    @Option(
            names = "--telemetry",
            paramLabel = "HZ",
            description = "Other frames per second (default: ${DEFAULT-VALUE}).")
    private int telemetryHz = 50;

    @Option(names = "--system-id", paramLabel = "N", description = "1 to 255 (default: ${DEFAULT-VALUE}).")
    private int systemId = 1;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;

    /** Of the log; 0 for its own pace. */
    long rateBytesPerSecond() {
        SimulationRun.check("--rate", rateKb, 0, MAX_RATE_KB);
        return Math.round(rateKb * BYTES_PER_KB);
    }

    int telemetryHz() {
        SimulationRun.check("--telemetry", telemetryHz, 0, MAX_TELEMETRY_HZ);
        return telemetryHz;
    }

    int systemId() {
        SimulationRun.check("--system-id", systemId, 1, MAX_SYSTEM_ID);
        return systemId;
    }
}
