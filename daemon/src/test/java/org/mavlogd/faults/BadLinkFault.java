package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.Locale;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.FlightSimulationTest;
import org.mavlogd.whole.LogContent;
import org.mavlogd.whole.SimulatedFlight;
import org.mavlogd.whole.StreamTruth;
import org.mavlogd.whole.SyntheticLog;
import org.mavlogd.whole.WholeRecorder;

/**
 * Loses, repeats, reorders (by up to sixteen places) and damages frames, all at once and in both directions. The file
 * holds each message of which all bytes arrived, in whatever order, and no other; each lost chunk is counted.
 */
final class BadLinkFault implements Fault {
    private static final int RATE = 1_000_000;
    private static final int OVERTAKING_FRAMES = 16;

    @Override
    public String name() {
        return "bad-link";
    }

    @Override
    public String run(Form form, Progress progress) {
        int flights = form.pick(10, 300);
        long messages = 0;
        long possible = 0;
        long stored = 0;
        for (int seed = 1; seed <= flights; seed++) {
            progress.at(seed, flights);
            SimulatedFlight flight = fly(seed);
            FlightSimulationTest.check(seed, flight);
            for (StreamTruth.Session session : flight.truth().sessions()) {
                messages += LogContent.of("sent", session.log()).messages().size();
                possible += LogContent.of("recoverable", session.recoverable())
                        .messages()
                        .size();
            }
            for (LogContent file : flight.recorder().logs()) {
                stored += LogContent.of("stored", file.fromVehicle()).messages().size();
            }
        }
        assertThat(stored).as("messages stored").isEqualTo(possible);
        return String.format(
                Locale.ROOT,
                "%d flights at 1 MB/s with 5 %% lost, 5 %% repeated, 5 %% overtaken by up to %d, 1 %% damaged:"
                        + " %d messages sent, %d arrived complete, %d stored",
                flights,
                OVERTAKING_FRAMES,
                messages,
                possible,
                stored);
    }

    private static SimulatedFlight fly(long seed) {
        LogImage log = LogImage.of(SyntheticLog.make(seed, 200_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(RATE)
                .loops(true)
                .postFlightBytes(5_000)
                .seed(seed)
                .build();
        SimulatedFlight flight =
                new SimulatedFlight(WholeRecorder.Setup.plain(), log, vehicle, channel(seed), channel(-seed));
        flight.runUntil(flight.nowNs() + 3 * SECOND_NS);
        flight.finish(20 * SECOND_NS);
        return flight;
    }

    private static LossySettings channel(long seed) {
        return LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs(2 * MILLISECOND_NS)
                .withLoss(5, 1)
                .withDuplicates(5)
                .withReordering(5, OVERTAKING_FRAMES, 15 * MILLISECOND_NS)
                .withCorruption(1);
    }
}
