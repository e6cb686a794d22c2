package org.mavlogd.tools;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.VehicleStation;
import picocli.CommandLine.Option;

/**
 * Options of simulated vehicles: the address of the recorder, the quality of the link, and the events of the
 * simulation.
 */
final class SimulationOptions {
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;
    private static final double MAX_SECONDS = 1e9;
    private static final double NEVER = -1;

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

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--duration", paramLabel = "S", description = "Exit after this many seconds.")
    private double durationS = NEVER;

    @Option(names = "--reboot-at", paramLabel = "S", description = "Reboot this many seconds after the stream started.")
    private double rebootAtS = NEVER;

    @Option(
            names = "--stop-at",
            paramLabel = "S",
            description = "A ground station stops the stream this many seconds after it started.")
    private double stopAtS = NEVER;

    @Option(
            names = "--arm-at",
            paramLabel = "S",
            description = "Arm this many seconds after the stream started, or as soon after as the vehicle allows it.")
    private double armAtS = NEVER;

    @Option(names = "--disarm-at", paramLabel = "S", description = "Disarm this many seconds after the stream started.")
    private double disarmAtS = NEVER;

    /** The address of the recorder, as written. */
    String target() {
        return target;
    }

    /** @throws IllegalArgumentException with a text for the user */
    LinkSettings link() {
        return Target.parse(target);
    }

    long seed() {
        return seed;
    }

    /** Treatment of the vehicle's frames. */
    LossySettings toClient() {
        return LossySettings.perfect(medium(), seed)
                .withLoss(loss, burst)
                .withDuplicates(duplicates)
                .withReordering(reorder)
                .withCorruption(corrupt)
                .withDelayNs(delayNs());
    }

    /** Treatment of the frames to the vehicle. */
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

    /** @throws IllegalArgumentException with a text for the user */
    <V> VehicleStation.Plan<V> plan(V vehicle, boolean endsWithLog) {
        return new VehicleStation.Plan<>(
                vehicle,
                toClient(),
                toVehicle(),
                ns("--arm-at", armAtS),
                ns("--disarm-at", disarmAtS),
                ns("--reboot-at", rebootAtS),
                ns("--stop-at", stopAtS),
                ns("--duration", durationS),
                endsWithLog);
    }

    private static long ns(String option, double seconds) {
        if (seconds == NEVER) {
            return VehicleStation.Plan.NEVER;
        }
        VehicleCommand.check(option, seconds, 0, MAX_SECONDS);
        return Math.round(seconds * NS_PER_S);
    }

    /** The address of a simulated vehicle's recorder, as written on the command line. */
    static final class Target {
        private static final String NAME = "simulate";
        private static final Pattern ADDRESS = Pattern.compile("(?<host>\\[[^\\]]+\\]|[^:\\[\\]]+):(?<port>\\d{1,5})");
        private static final Pattern DEVICE = Pattern.compile("(?<device>.+?)(:(?<baud>\\d{1,9}))?");
        private static final int DEFAULT_BAUD = 57_600;
        private static final int MAX_PORT = 65_535;

        private Target() {}

        /** @throws IllegalArgumentException with a text for the user */
        static LinkSettings parse(String text) {
            int colon = text.indexOf(':');
            String kind = colon < 0 ? text : text.substring(0, colon);
            String rest = colon < 0 ? "" : text.substring(colon + 1);
            return switch (kind) {
                case "udp" -> {
                    Matcher address = match(ADDRESS, rest, text);
                    yield new LinkSettings.UdpConnect(NAME, host(address), port(address, text), false);
                }
                case "tcp" -> {
                    Matcher address = match(ADDRESS, rest, text);
                    yield new LinkSettings.TcpConnect(NAME, host(address), port(address, text));
                }
                case "serial" -> serial(match(DEVICE, rest, text), text);
                default -> throw wrong(text);
            };
        }

        private static LinkSettings serial(Matcher device, String text) {
            String digits = device.group("baud");
            int baud = digits == null ? DEFAULT_BAUD : Integer.parseInt(digits);
            if (baud == 0) {
                throw wrong(text);
            }
            return new LinkSettings.SerialPort(NAME, device.group("device"), baud, false);
        }

        private static String host(Matcher address) {
            String host = address.group("host");
            return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        }

        private static int port(Matcher address, String text) {
            int port = Integer.parseInt(address.group("port"));
            if (port < 1 || port > MAX_PORT) {
                throw wrong(text);
            }
            return port;
        }

        private static Matcher match(Pattern pattern, String rest, String text) {
            Matcher matcher = pattern.matcher(rest);
            if (!matcher.matches()) {
                throw wrong(text);
            }
            return matcher;
        }

        private static IllegalArgumentException wrong(String text) {
            return new IllegalArgumentException("--to is '" + text
                    + "', and must be udp:HOST:PORT, tcp:HOST:PORT (port 1 to 65535) or serial:DEVICE[:BAUD]");
        }
    }
}
