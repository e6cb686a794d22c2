package org.mavlogd.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.mavlogd.link.LinkSettings;

/** Tests a port at its baud rate, or at the usual ones until a vehicle is found. */
public final class PortTest {
    /** The usual baud rates of telemetry ports, the likeliest first. */
    public static final List<Integer> BAUDS =
            List.of(921_600, 57_600, 115_200, 460_800, 1_500_000, 500_000, 230_400, 38_400);

    /** The result for a port that was not opened. */
    public static final Heard UNHEARD = new Heard("", 0, 0, "", "", Optional.empty(), LogStream.NOT_ASKED);

    private static final long ONE_RATE_NS = TimeUnit.SECONDS.toNanos(4);
    /** Longer than the interval of heartbeats, one second. */
    private static final long EACH_RATE_NS = TimeUnit.MILLISECONDS.toNanos(1600);

    private static final long NETWORK_NS = TimeUnit.SECONDS.toNanos(8);

    private final Computer computer;
    private final BooleanSupplier stop;
    private final Consumer<String> progress;

    /**
     * Creates a test.
     *
     * @param stop called repeatedly; true ends the test early
     * @param progress receives a line for each baud rate
     */
    public PortTest(Computer computer, BooleanSupplier stop, Consumer<String> progress) {
        this.computer = computer;
        this.stop = stop;
        this.progress = progress;
    }

    /**
     * The result of a test.
     *
     * @param port with the baud rate at which the vehicle was found, or else the first one tried
     */
    public record Result(LinkSettings port, Heard heard) {
        /** Whether the log arrived. */
        public boolean isGood() {
            return heard.stream().outcome() == LogStream.Outcome.FLOWS;
        }

        /** The vehicle that was found, even if it is armed and its log was not requested. */
        public Optional<Vehicle> vehicle() {
            return heard.vehicle();
        }
    }

    /**
     * Tests the port; takes at most half a minute for each rate, and usually 2 s.
     *
     * @param bauds to try on a serial port; not empty
     */
    public Result run(LinkSettings port, List<Integer> bauds) {
        if (!(port instanceof LinkSettings.SerialPort serial)) {
            return new Result(port, new PortProbe(port, NETWORK_NS).run(stop));
        }
        List<Result> tried = new ArrayList<>();
        for (int baud : bauds) {
            Result result = tryBaud(serial, baud, bauds.size() == 1 ? ONE_RATE_NS : EACH_RATE_NS);
            tried.add(result);
            Heard heard = result.heard();
            boolean isFound = heard.vehicle().isPresent() || heard.frames() > 0 || heard.isText();
            if (isFound || stop.getAsBoolean()) {
                return result;
            }
        }
        return tried.stream()
                .filter(result -> result.heard().bytes() > 0)
                .findFirst()
                .orElse(tried.get(0));
    }

    private Result tryBaud(LinkSettings.SerialPort port, int baud, long quietNs) {
        String device = computer.path(port.device()).toString();
        Heard heard = new PortProbe(new LinkSettings.SerialPort(port.name(), device, baud, port.flowControl()), quietNs)
                .run(stop);
        progress.accept(baud + " baud: " + text(heard));
        return new Result(new LinkSettings.SerialPort(port.name(), port.device(), baud, port.flowControl()), heard);
    }

    private static String text(Heard heard) {
        if (!heard.openProblem().isEmpty()) {
            return heard.openProblem();
        }
        if (heard.frames() > 0) {
            return heard.vehicle().map(Vehicle::text).orElse("MAVLink, but no vehicle");
        }
        if (heard.isText()) {
            return "text, not MAVLink";
        }
        return heard.bytes() == 0 ? "nothing" : heard.bytes() + " bytes that are not MAVLink";
    }
}
