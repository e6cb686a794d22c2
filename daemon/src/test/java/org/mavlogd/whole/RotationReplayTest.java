package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.record.LogParts;
import org.mavlogd.record.MergedLog;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.store.StoreSettings;

/** The same flight over the same bad link gives the same log in one file and in several. */
class RotationReplayTest {
    private static final int LOG_BYTES = 150_000;
    private static final int RATE = 40_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void severalFilesAreTheLogOfOneFile(long seed) {
        byte[] log = SyntheticLog.make(seed, LOG_BYTES);
        List<LogContent> whole = fly(log, seed, StoreSettings.RotationPolicy.NEVER);
        List<LogContent> parts = fly(log, seed, new StoreSettings.RotationPolicy(15_000, 0));

        assertThat(whole).hasSize(1);
        assertThat(parts).as("seed %d", seed).hasSizeGreaterThan(3);
        assertThat(parts).allMatch(LogContent::isComplete);
        assertThat(LogParts.join(parts.stream().map(LogContent::bytes).toList()))
                .as("seed %d", seed)
                .isEqualTo(LogParts.join(List.of(whole.get(0).bytes())));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void withLocalDataInItTheLogIsTheSame(long seed) {
        byte[] log = SyntheticLog.make(seed, LOG_BYTES);
        List<LogContent> whole = fly(log, seed, StoreSettings.RotationPolicy.NEVER);
        SimulatedFlight flight = flight(log, seed, new StoreSettings.RotationPolicy(15_000, 0));
        Companion companion = Companion.of(flight.recorder());

        List<LogContent> parts = fly(flight);

        assertThat(parts).as("seed %d", seed).hasSizeGreaterThan(3).allMatch(LogContent::isComplete);
        assertThat(LogParts.join(parts.stream()
                        .map(part -> MergedLog.withoutLocal(part.bytes()))
                        .toList()))
                .as("seed %d", seed)
                .isEqualTo(LogParts.join(List.of(whole.get(0).bytes())));
        for (LogContent part : parts) {
            assertThat(companion.check(MergedLog.of(part.bytes()))).isPositive();
        }
    }

    private static List<LogContent> fly(byte[] log, long seed, StoreSettings.RotationPolicy rotation) {
        return fly(flight(log, seed, rotation));
    }

    private static SimulatedFlight flight(byte[] log, long seed, StoreSettings.RotationPolicy rotation) {
        LossySettings channel = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed)
                .withDelayNs(WholeRecorder.MILLISECOND_NS)
                .withLoss(2, 2);
        Px4Settings vehicle =
                Px4Settings.builder().rateBytesPerSecond(RATE).seed(seed).build();
        return new SimulatedFlight(
                WholeRecorder.Setup.plain().rotating(rotation), LogImage.of(log), vehicle, channel, channel);
    }

    private static List<LogContent> fly(SimulatedFlight flight) {
        flight.runUntil(flight.nowNs() + 5 * WholeRecorder.SECOND_NS);
        flight.finish(10 * WholeRecorder.SECOND_NS);
        return flight.recorder().logs();
    }
}
