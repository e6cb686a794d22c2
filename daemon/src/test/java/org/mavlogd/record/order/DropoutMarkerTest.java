package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.record.LogBytes;

class DropoutMarkerTest implements DropoutMarker.Output {
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int STEADY = 1;
    private static final int SLOW = 2;

    private final List<String> out = new ArrayList<>();
    private final DropoutMarker marker = new DropoutMarker(this);

    /** Feeds a topic without lag every millisecond, and one with a lag of 40 ms every two. */
    private void learn() {
        for (int ms = 1; ms <= 100; ms++) {
            message(STEADY, ms);
            if (ms > 40 && ms % 2 == 0) {
                message(SLOW, ms - 40);
            }
        }
        out.clear();
    }

    @Test
    void passesEverythingThroughWithoutGaps() {
        message(STEADY, 1);
        untimed();
        message(STEADY, 2);

        assertThat(out).containsExactly("1@1", "untimed", "1@2");
    }

    @Test
    void measuresFromTheYoungestBeforeToTheFirstAfter() {
        learn();
        marker.onGap(0);
        message(STEADY, 130);
        message(STEADY, 131);

        assertThat(out).containsExactly("gap 30", "1@130", "1@131");
    }

    @Test
    void knowsHowFarASlowTopicLiesBehind() {
        learn();
        marker.onGap(0);
        message(SLOW, 90);

        assertThat(out).containsExactly("gap 30", "2@90");
    }

    @Test
    void takesTheYoungestOfFourWhenNoTopicIsKnown() {
        learn();
        marker.onGap(0);
        message(7, 20);
        untimed();
        message(8, 150);
        message(9, 90);
        assertThat(out).isEmpty();
        message(10, 30);

        assertThat(out).containsExactly("gap 50", "7@20", "untimed", "8@150", "9@90", "10@30");
    }

    @Test
    void joinsGapsWithNothingTimedBetween() {
        learn();
        marker.onGap(0);
        untimed();
        marker.onGap(0);
        message(STEADY, 120);

        assertThat(out).containsExactly("untimed", "gap 20", "1@120");
    }

    @Test
    void tellsWhetherMessagesWaitAndReleasesThemWhenAskedTo() {
        learn();
        assertThat(marker.isMeasuring()).isFalse();
        marker.giveUpHolding();
        marker.onGap(0);
        assertThat(marker.isMeasuring()).isTrue();
        assertThat(marker.isHolding()).isFalse();
        marker.giveUpHolding();
        assertThat(out).isEmpty();
        message(7, 120);
        assertThat(marker.isHolding()).isTrue();
        marker.giveUpHolding();

        assertThat(out).containsExactly("gap 20", "7@120");
        assertThat(marker.isMeasuring()).isFalse();
        assertThat(marker.isHolding()).isFalse();
        assertThat(marker.lastUs()).isEqualTo(120_000);
    }

    @Test
    void continuesALogWithAGap() {
        marker.resume(50_000, 10 * MILLISECOND_NS);
        assertThat(marker.lastUs()).isEqualTo(50_000);
        message(STEADY, 80);
        message(STEADY, 81);
        message(STEADY, 82);
        message(STEADY, 83);

        assertThat(out).startsWith("gap 33");
    }

    @Test
    void separatesGapsWithATimeBetween() {
        learn();
        marker.onGap(0);
        message(9, 110);
        marker.onGap(0);
        message(STEADY, 140);

        assertThat(out).containsExactly("gap 10", "9@110", "gap 30", "1@140");
    }

    @Test
    void doesNotBelieveALeapOfHours() {
        learn();
        marker.onGap(500 * MILLISECOND_NS);
        message(7, 4_000_000);
        message(8, 4_000_001);
        message(9, 4_000_002);
        message(10, 4_000_003);
        marker.onGap(0);
        message(STEADY, 700);

        assertThat(out.get(0)).isEqualTo("gap 500");
        assertThat(out).endsWith("gap 600", "1@700");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void believesALeapOfAnHourAndTheSilence(int beyondMs) {
        learn();
        long leapMs = 3_600_000 + 500;
        marker.onGap(500 * MILLISECOND_NS);
        message(7, 100 + leapMs + beyondMs);
        marker.onEnd();

        assertThat(out.get(0)).isEqualTo("gap " + (beyondMs == 0 ? leapMs : 500));
    }

    @Test
    void isNeverShorterThanAMillisecond() {
        learn();
        marker.onGap(0);
        message(STEADY, 100);

        assertThat(out).containsExactly("gap 1", "1@100");
    }

    @Test
    void marksAGapAtTheEndAsLongAsNothingCame() {
        learn();
        marker.onGap(70 * MILLISECOND_NS);
        marker.onGap(30 * MILLISECOND_NS);

        marker.onEnd();
        marker.onEnd();

        assertThat(out).containsExactly("gap 100");
    }

    @Test
    void holdsNoMoreThanItsBuffer() {
        learn();
        marker.onGap(0);
        message(9, 110);
        UnsafeBuffer large = new UnsafeBuffer(new byte[60_000]);
        large.putByte(2, (byte) 'S');
        marker.onMessage(large, 0, 60_000, MessageTimes.NONE);

        assertThat(out).containsExactly("gap 10", "9@110", "untimed");
    }

    @Test
    void fillsItsBufferToTheLastByte() {
        learn();
        marker.onGap(0);
        message(9, 110);
        UnsafeBuffer rest = new UnsafeBuffer(new byte[8192 - 23]);
        rest.putByte(2, (byte) 'S');
        marker.onMessage(rest, 0, rest.capacity(), MessageTimes.NONE);
        assertThat(out).isEmpty();

        untimed();

        assertThat(out).containsExactly("gap 10", "9@110", "untimed", "untimed");
    }

    @Test
    void measuresFromWhereTheFileEnded() {
        learn();
        marker.onOutputClosed();
        message(STEADY, 2000);
        out.clear();
        marker.onOutputReopened(true);
        message(STEADY, 3100);

        assertThat(out).containsExactly("gap 3000", "1@3100");
    }

    @Test
    void measuresHoursWithoutAFile() {
        learn();
        marker.onOutputClosed();
        for (int minute = 1; minute <= 150; minute++) {
            message(STEADY, minute * 60_000L);
        }
        long fromMs = 150 * 60_000L;
        out.clear();
        marker.onOutputReopened(true);
        message(STEADY, fromMs + 100);
        message(STEADY, fromMs + 200);

        assertThat(out).first().asString().startsWith("gap 9000");
        assertThat(marker.lastUs()).isEqualTo((fromMs + 200) * 1000);
    }

    @Test
    void measuresFromWhereTheLogBeganIfThereWasNoFileThen() {
        marker.onOutputClosed();
        for (int ms = 1000; ms <= 600_000; ms += 100) {
            message(STEADY, ms);
        }
        out.clear();
        marker.onOutputReopened(true);
        message(STEADY, 601_000);

        assertThat(out).containsExactly("gap 600000", "1@601000");
    }

    private void message(int topic, long timestampMs) {
        byte[] bytes = LogBytes.encoded('D', new byte[20]);
        bytes[3] = (byte) topic;
        System.arraycopy(LogBytes.little(timestampMs * 1000), 0, bytes, 5, Long.BYTES);
        marker.onMessage(new UnsafeBuffer(bytes), 0, bytes.length, Math.max(0, timestampMs) * 1000);
    }

    private void untimed() {
        byte[] bytes = LogBytes.encoded('S', new byte[8]);
        marker.onMessage(new UnsafeBuffer(bytes), 0, bytes.length, MessageTimes.NONE);
    }

    @Override
    public void onDropout(long durationMs) {
        out.add("gap " + durationMs);
    }

    @Override
    public void onMeasuredMessage(DirectBuffer buffer, int offset, int length) {
        boolean data = buffer.getByte(offset + 2) == 'D';
        out.add(data ? buffer.getByte(offset + 3) + "@" + buffer.getLong(offset + 5) / 1000 : "untimed");
    }
}
