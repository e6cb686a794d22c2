package org.mavlogd.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Settings.Stall;

/** Shared by the tests with real sockets. */
public final class SystemTests {
    /** For conditions that usually hold after a moment, on a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(50);

    /** Bytes per second of {@link #vehicleInRealTime}. */
    public static final int REAL_TIME_RATE = 30_000;

    private static final Duration PX4_ACK_TIMEOUT = Duration.ofMillis(50);
    private static final Duration PX4_PATIENCE = PromisedTime.of(PX4_ACK_TIMEOUT.multipliedBy(50));
    private static final Duration ARDUPILOT_PATIENCE = PromisedTime.of(Duration.ofSeconds(10));
    private static final int BYTES_PER_SECOND = 1_500_000;
    private static final Path ROVER =
            Path.of(System.getProperty("basedir", "."), "../simulator/src/demo/11_rover_ackermann.ulg.gz");

    private SystemTests() {}

    /** The bytes of a real log of 1.2 MB: 88 KB of definitions, then data. */
    public static byte[] roverLog() {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(ROVER))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A PX4 that waits for the acknowledgement of a chunk, beside other tests, longer than a real one: that ends its
     * stream after 2.5 s and begins another log when it is asked again, and any process may stand still for as long.
     */
    public static Px4Settings.Builder px4() {
        return Px4Settings.builder().ackMaxTries((int) PX4_PATIENCE.dividedBy(PX4_ACK_TIMEOUT));
    }

    /** An ArduPilot that is as patient: a real one ends its log after 10 s without an answer. */
    public static ArduPilotSettings.Builder arduPilot() {
        return ArduPilotSettings.builder().answerTimeoutNs(ARDUPILOT_PATIENCE.toNanos());
    }

    /** A vehicle that plays its log many times faster than real time, without gaps. */
    public static Px4Settings.Builder fastVehicle() {
        return px4().rateBytesPerSecond(BYTES_PER_SECOND).ackedIntervalNs(0).stall(Stall.DELAYS_LOG);
    }

    /**
     * A vehicle that plays its log endlessly at the log's mean rate: its times keep to real time, which a recorder
     * expects after a kill as long as it has not noted another pace. By its own times the log would pause for 1 s
     * between two laps.
     */
    public static Px4Settings.Builder vehicleInRealTime() {
        return fastVehicle().rateBytesPerSecond(REAL_TIME_RATE).loops(true);
    }

    public static FlyingVehicle fly(VehicleWire wire, Px4Settings.Builder settings) {
        return new FlyingVehicle(wire, settings.build(), LogImage.of(roverLog()));
    }

    public static void await(String what, Callable<Boolean> condition) {
        await(what, DEADLINE, condition);
    }

    /** Tells these facts if the condition is not met in time. */
    public static void await(String what, Callable<Boolean> condition, Callable<Object> facts) throws Exception {
        await(what, DEADLINE, condition, facts);
    }

    /** Tells these facts if the condition is not met in time. */
    public static void await(String what, Duration deadline, Callable<Boolean> condition, Callable<Object> facts)
            throws Exception {
        try {
            await(what, deadline, condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + " did not come: " + facts.call(), e);
        }
    }

    public static void await(String what, Duration deadline, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(deadline)
                .pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .until(condition);
    }
}
