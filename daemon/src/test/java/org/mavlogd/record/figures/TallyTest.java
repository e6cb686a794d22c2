package org.mavlogd.record.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.LogStore;

class TallyTest {
    private final Tally tally = new Tally(new RecordCounters(new Metrics(), "test"));

    @Test
    void messagesNameTheFilesThatHaveTheBytes() {
        assertThat(tally.filesText("")).isEqualTo("no file, 0 bytes");

        tally.resumed(1000);
        tally.stored(10, 1);
        assertThat(tally.filesText("a.ulg")).isEqualTo("a.ulg, 1010 bytes");

        tally.file(100);
        tally.file(100);
        assertThat(tally.filesText("c.ulg")).isEqualTo("c.ulg and 2 earlier files, 1210 bytes");

        tally.lost(LogStore.Obstacle.NO_SPACE, 5000);
        tally.diskLost(1);
        assertThat(tally.filesText("c.ulg")).isEqualTo("c.ulg and 2 earlier files, 1210 bytes, 5001 bytes not stored");
    }

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
