package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.Locale;
import java.util.Random;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.FlightSimulationTest;
import org.mavlogd.whole.SimulatedFlight;
import org.mavlogd.whole.SyntheticLog;
import org.mavlogd.whole.WholeRecorder;

/**
 * The vehicle reboots repeatedly, at any moment and for any time, and starts its stream itself or waits to be asked.
 * Each log that reached the recorder is one file with everything that arrived; logs are not mixed and no file is empty.
 */
final class RebootFault implements Fault {
    private static final int REBOOTS = 100;
    // Three seconds of boot, the silence after which the recorder asks again, and the vehicle's answers.
    private static final long MIN_UP_NS = 12 * SECOND_NS;

    @Override
    public String name() {
        return "vehicle-reboot";
    }

    @Override
    public String run(Form form, Progress progress) {
        int runs = form.pick(2, 40);
        long files = 0;
        for (int seed = 1; seed <= runs; seed++) {
            progress.at(seed, runs);
            SimulatedFlight flight = fly(seed);
            FlightSimulationTest.check(seed, flight);
            assertThat(flight.recorder().logs().size()).as("files").isGreaterThanOrEqualTo(REBOOTS);
            files += flight.recorder().logs().size();
        }
        return String.format(
                Locale.ROOT, "%d runs of %d reboots: %d files, each with its log and no other's", runs, REBOOTS, files);
    }

    private static SimulatedFlight fly(long seed) {
        Random random = new Random(seed);
        LogImage log = LogImage.of(SyntheticLog.make(seed, 200_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(40_000)
                .loops(true)
                .restartsStreamItself(seed % 2 == 0)
                .rebootNs(20 * MILLISECOND_NS + random.nextInt(3_000) * MILLISECOND_NS)
                .seed(seed)
                .build();
        LossySettings channel = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs(MILLISECOND_NS)
                .withLoss(1, 2);
        SimulatedFlight flight = new SimulatedFlight(WholeRecorder.Setup.plain(), log, vehicle, channel, channel);
        for (int i = 0; i < REBOOTS; i++) {
            flight.runUntil(flight.nowNs() + MIN_UP_NS + random.nextInt(8_000) * MILLISECOND_NS);
            flight.vehicle().reboot(flight.nowNs());
        }
        flight.runUntil(flight.nowNs() + MIN_UP_NS);
        flight.finish(10 * SECOND_NS);
        return flight;
    }
}
