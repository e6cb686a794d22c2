package org.mavlogd.record.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mavlogd.metrics.Metrics;

class TallyTest {
    private final Tally tally = new Tally(new RecordCounters(new Metrics(), "test"));

    @Test
    void whatAnEarlierRunLostAndThisOnePutInPlaceHidesNoLossOfThisRun() {
        tally.hole(2);

        tally.putInPlace(false);
        tally.putInPlace(false);
        assertThat(tally.figures().lostChunks()).isEqualTo(2);
        assertThat(tally.hasPutInPlace()).isTrue();

        tally.putInPlace(true);
        assertThat(tally.figures().lostChunks()).isEqualTo(1);
    }
}
