package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.store.TestProgram;

/**
 * Simulated flights in a JVM with the recorder's options: a heap of 40 MB, which also holds the simulated vehicle and
 * the record of what it sent, one compiler, and exit when memory runs out.
 */
@Timeout(300)
class ProductionOptionsSystemTest {
    private static final Path CONFIG = Path.of(System.getProperty("basedir", "."), "../config")
            .toAbsolutePath()
            .normalize();

    /** Flies the first batches of the simulations. */
    static final class Flies {
        private Flies() {}

        public static void main(String[] arguments) {
            FlightSimulationTest px4 = new FlightSimulationTest();
            px4.sentIsStoredOrCounted(0);
            px4.failingDiskCostsOnlyWhatIsCounted(0);
            px4.stalledDiskCostsOnlyWhatTheRingCannotHold(0);
            ArduPilotSimulationTest arduPilot = new ArduPilotSimulationTest();
            arduPilot.eachBlockIsStoredOnceOrCounted(0);
            arduPilot.eachBlockIsStoredOnceOrCountedOverRestarts(0);
            System.out.println("heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB, all flights landed");
        }
    }

    @Test
    void flightsHoldWithTheRecordersHeap() throws Exception {
        String printed = TestProgram.run(Flies.class, options("jvm.options"));

        assertThat(printed).containsPattern("heap of (3\\d|40) MiB, all flights landed");
    }

    @Test
    void flightsHoldWithTheHeapForSmallComputers() throws Exception {
        String printed = TestProgram.run(Flies.class, options("jvm.options", "jvm-small.options"));

        assertThat(printed).containsPattern("heap of 2[34] MiB, all flights landed");
    }

    /** The files ask Java to ignore what it does not know, for later versions. On Java 17 that is a typing error. */
    private static List<String> options(String... files) {
        List<String> options = new ArrayList<>();
        for (String file : files) {
            options.add("@" + CONFIG.resolve(file));
        }
        if (Runtime.version().feature() == 17) {
            options.add("-XX:-IgnoreUnrecognizedVMOptions");
        }
        return options;
    }
}
