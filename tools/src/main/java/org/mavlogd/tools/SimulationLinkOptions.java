package org.mavlogd.tools;

import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import picocli.CommandLine.Option;

/** Options of simulated vehicles: where the recorder is, and how bad the link to it. */
final class SimulationLinkOptions {
    private static final double NS_PER_MS = 1e6;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "TARGET",
            description = "Where the recorder is: udp:HOST:PORT, tcp:HOST:PORT or serial:DEVICE[:BAUD] (57600).")
    private String target = "";

    @Option(names = "--loss", paramLabel = "%", description = "Frames of the vehicle that are lost.")
    private double loss;

    @Option(
            names = "--burst",
            paramLabel = "N",
            description = "Frames lost at a time, on average (default: ${DEFAULT-VALUE}).")
    private double burst = 1;

    @Option(names = "--ack-loss", paramLabel = "%", description = "Frames to the vehicle that are lost.")
    private double ackLoss;

    @Option(names = "--dup", paramLabel = "%", description = "Frames of the vehicle that arrive twice.")
    private double duplicates;

    @Option(names = "--reorder", paramLabel = "%", description = "Frames of the vehicle that others overtake.")
    private double reorder;

    @Option(names = "--corrupt", paramLabel = "%", description = "Frames of the vehicle that are damaged.")
    private double corrupt;

    @Option(names = "--delay", paramLabel = "MS", description = "Delay of each frame, in both directions.")
    private double delayMs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of all that is left to chance (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    /** Where the recorder is, as it was written. */
    String target() {
        return target;
    }

    /** @throws IllegalArgumentException with a text for the user */
    LinkSettings link() {
        return SimulationTarget.parse(target);
    }

    long seed() {
        return seed;
    }

    /** What happens to the vehicle's frames. */
    LossySettings toClient() {
        return LossySettings.perfect(medium(), seed)
                .withLoss(loss, burst)
                .withDuplicates(duplicates)
                .withReordering(reorder)
                .withCorruption(corrupt)
                .withDelayNs(delayNs());
    }

    /** What happens to the frames to the vehicle. */
    LossySettings toVehicle() {
        return LossySettings.perfect(medium(), seed + 1)
                .withLoss(ackLoss, burst)
                .withDelayNs(delayNs());
    }

    private Medium medium() {
        return link() instanceof LinkSettings.UdpConnect ? Medium.DATAGRAMS : Medium.STREAM;
    }

    private long delayNs() {
        return (long) (delayMs * NS_PER_MS);
    }
}
