package org.mavlogd.local.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.local.publish.Hearing.NOW_NS;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.local.TakenSamples;

class BinaryFormTest {
    private static final int HANDLE = 0xBEEF0000;

    private final Hearing hearing = new Hearing(Hearing.winch());
    private final ByteBuffer datagram = ByteBuffer.allocate(4096)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 0xA7)
            .put((byte) 1)
            .putShort((short) 0);

    private BinaryFormTest sample(int handle, int instance, int clock, long timeNs, int length) {
        datagram.putInt(handle)
                .put((byte) instance)
                .put((byte) clock)
                .putShort((short) length)
                .putLong(timeNs);
        return this;
    }

    private BinaryFormTest winch(float load, int turns) {
        datagram.putFloat(load).putInt(turns);
        return this;
    }

    private List<String> send() {
        return hearing.say(hearing.program, Arrays.copyOf(datagram.array(), datagram.position()));
    }

    @Test
    void samplesOfSeveralClocksAreTaken() {
        sample(HANDLE, 0, 0, 77, 8).winch(1.5f, 1);
        sample(HANDLE, 255, 1, NOW_NS - 5, 8).winch(2.5f, -1);
        sample(HANDLE, 7, 2, Hearing.UTC_NS - 9, 8).winch(3.5f, 3);

        assertThat(send()).isEmpty();

        List<TakenSamples.Sample> samples = hearing.taken.take();
        assertThat(samples).extracting(TakenSamples.Sample::instance).containsExactly(0, 255, 7);
        assertThat(samples).extracting(TakenSamples.Sample::takenNs).containsExactly(NOW_NS, NOW_NS - 5, NOW_NS - 9);
        assertThat(samples).extracting(taken -> taken.number("load_kg")).containsExactly(1.5, 2.5, 3.5);
        assertThat(samples.get(1).number("turns")).isEqualTo(4294967295.0);
        assertThat(hearing.counted("publish_lines_total")).isEqualTo(3);
    }

    @Test
    void onlySamplesWithTheirOwnTimesMayWaitInTheKernel() {
        sample(HANDLE, 0, 1, NOW_NS, 8).winch(1, 1);
        send();
        hearing.nowNs += TimeUnit.SECONDS.toNanos(10);
        send();
        assertThat(hearing.source.isPatient()).isTrue();

        sample(HANDLE, 0, 0, 0, 8).winch(2, 2);
        send();
        assertThat(hearing.source.isPatient()).isFalse();
    }

    @Test
    void badSampleSparesThoseBehindIt() {
        sample(HANDLE + 1, 0, 0, 0, 8).winch(1, 1);
        sample(HANDLE, 0, 0, 0, 7);
        datagram.put(new byte[7]);
        sample(HANDLE, 0, 3, 0, 8).winch(1, 1);
        sample(HANDLE, 0, 1, 0, 8).winch(1, 1);
        sample(HANDLE, 0, 0, 0, 8).winch(5, 5);

        assertThat(send())
                .containsExactly(
                        "{\"error\":\"unknown handle 3203334145; get it by a \\\"define\\\" line on this socket, and again after "
                                + "each start of mavlogd\",\"sample\":1}",
                        "{\"error\":\"topic \\\"winch\\\": values of 7 bytes, expected 8 for winch:uint64_t timestamp;float "
                                + "load_kg;uint32_t turns;\",\"sample\":2}",
                        "{\"error\":\"clock 3, allowed: 0 (now), 1 (CLOCK_MONOTONIC), 2 (UTC)\",\"sample\":3}",
                        "{\"error\":\"\\\"time_ns\\\" is 18000.123 s before now; allowed: up to 60 s before and 1 s after, as "
                                + "nanoseconds of CLOCK_MONOTONIC\",\"sample\":4}");
        assertThat(hearing.sample().number("turns")).isEqualTo(5);
        assertThat(hearing.counted("publish_bad_lines_total")).isEqualTo(4);
    }

    @Test
    void cutDatagramKeepsItsWholeSamples() {
        sample(HANDLE, 0, 0, 0, 8).winch(1, 1).sample(HANDLE, 0, 0, 0, 8).winch(2, 2);
        int whole = datagram.position();
        for (int length = 1; length < whole; length++) {
            hearing.nowNs += 1_000_000_000;
            int samples = length >= 28 ? 1 : 0;
            boolean onBorder = length == 4 || length == 28;

            List<String> answers = hearing.say(hearing.program, Arrays.copyOf(datagram.array(), length));

            assertThat(hearing.taken.take()).as("of %d bytes", length).hasSize(samples);
            assertThat(answers).as("to %d bytes", length).hasSize(onBorder ? 0 : 1);
        }
        assertThat(send()).isEmpty();
        assertThat(hearing.taken.take()).hasSize(2);
    }

    @Test
    void otherVersionIsRefused() {
        datagram.put(1, (byte) 2);
        sample(HANDLE, 0, 0, 0, 8).winch(1, 1);

        assertThat(send()).containsExactly("{\"error\":\"version 2, allowed: 1\",\"sample\":1}");
        assertThat(hearing.taken.take()).isEmpty();
    }

    @Test
    void answerHasNoIdOfAnEarlierLine() {
        hearing.say("{\"text\":\"x\",\"id\":9}");
        sample(1, 0, 0, 0, 0);

        assertThat(send()).singleElement().asString().doesNotContain("\"id\"");
    }
}
