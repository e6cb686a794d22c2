package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.ULogLayout;

class LocalMarksTest {
    private static final int OUR_ID = 0xFFFF;
    private static final int VEHICLES_ID = 3;

    private final LocalMarks marks = new LocalMarks(bytes -> true);

    private static byte[] message(Consumer<ByteBuffer> encoder) {
        ByteBuffer buffer = ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        encoder.accept(buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static byte[] topics(String names) {
        byte[] text = names.getBytes(StandardCharsets.US_ASCII);
        return message(to -> MessageEncoder.multiInfoText(to, false, LocalMarks.TOPICS, text, 0, text.length));
    }

    private static byte[] format(String text) {
        return message(to -> MessageEncoder.format(to, text));
    }

    private static byte[] subscription(int multiId, int id, String name) {
        return message(to -> MessageEncoder.subscription(to, multiId, id, name));
    }

    private static byte[] data(int id) {
        return message(to -> MessageEncoder.data(to, id, new byte[12], 0, 12));
    }

    private static byte[] units(String name) {
        return message(to -> MessageEncoder.infoText(to, LocalMarks.UNITS + name, "load=%"));
    }

    private static byte[] tagged() {
        return message(to -> MessageEncoder.taggedString(to, LogLevel.INFO, 1, 5, "dry"));
    }

    private boolean isLocal(byte[] message) {
        return marks.isLocal(message[ULogLayout.MESSAGE_TYPE_OFFSET], message, 0, message.length);
    }

    @Test
    void nothingIsOursInALogWithoutList() {
        List<byte[]> messages = List.of(
                format("cpu:uint64_t timestamp;float load;"),
                subscription(LocalMarks.FIRST_SHARED_MULTI_ID, OUR_ID, "cpu"),
                data(OUR_ID),
                units("cpu"),
                tagged(),
                message(to -> MessageEncoder.sync(to)));

        assertThat(messages).noneMatch(this::isLocal);
    }

    @Test
    void formatThatFollowsTheListIsOursWithAllThatBelongsToIt() {
        assertThat(isLocal(topics("cpu,wind"))).isTrue();

        assertThat(isLocal(format("wind:uint64_t timestamp;float speed;"))).isTrue();
        assertThat(isLocal(units("wind"))).isTrue();
        assertThat(isLocal(subscription(0, OUR_ID, "wind"))).isTrue();
        assertThat(isLocal(data(OUR_ID))).isTrue();
        assertThat(isLocal(tagged())).isTrue();
    }

    @Test
    void vehiclesOwnMessagesStayTheVehicles() {
        isLocal(topics("cpu"));

        assertThat(isLocal(format("gyro:uint64_t timestamp;float x;"))).isFalse();
        assertThat(isLocal(subscription(0, VEHICLES_ID, "gyro"))).isFalse();
        assertThat(isLocal(data(VEHICLES_ID))).isFalse();
        assertThat(isLocal(units("gyro"))).isFalse();
        assertThat(isLocal(message(to -> MessageEncoder.infoText(to, "sys_name", "PX4"))))
                .isFalse();
        assertThat(isLocal(message(to -> MessageEncoder.multiInfoText(to, false, "perf", new byte[4], 0, 4))))
                .isFalse();
    }

    @Test
    void ofATopicOfTheVehicleOnlyHighIdsWithHighInstancesAreOurs() {
        String format = "cpu:uint64_t timestamp;float load;";
        assertThat(isLocal(format(format))).isFalse();
        isLocal(topics("cpu"));

        assertThat(isLocal(format(format))).isFalse();
        assertThat(isLocal(subscription(0, VEHICLES_ID, "cpu"))).isFalse();
        assertThat(isLocal(subscription(LocalMarks.FIRST_SHARED_MULTI_ID, VEHICLES_ID, "cpu")))
                .isFalse();
        assertThat(isLocal(subscription(LocalMarks.FIRST_SHARED_MULTI_ID - 1, LocalMarks.LOWEST_ID, "cpu")))
                .isFalse();
        assertThat(isLocal(subscription(LocalMarks.FIRST_SHARED_MULTI_ID, LocalMarks.LOWEST_ID - 1, "cpu")))
                .isFalse();
        assertThat(isLocal(subscription(LocalMarks.FIRST_SHARED_MULTI_ID, LocalMarks.LOWEST_ID, "cpu")))
                .isTrue();
        assertThat(isLocal(data(LocalMarks.LOWEST_ID))).isTrue();
        assertThat(isLocal(data(LocalMarks.LOWEST_ID - 1))).isFalse();
    }

    @Test
    void idBelongsToWhoeverSubscribedItLast() {
        isLocal(topics("cpu"));
        isLocal(format("cpu:uint64_t timestamp;float load;"));
        isLocal(format("gyro:uint64_t timestamp;float x;"));
        isLocal(subscription(0, OUR_ID, "cpu"));

        isLocal(subscription(0, OUR_ID, "gyro"));
        assertThat(isLocal(data(OUR_ID))).isFalse();

        isLocal(subscription(0, OUR_ID, "cpu"));
        assertThat(isLocal(data(OUR_ID))).isTrue();
    }

    @Test
    void severalListsCountTogether() {
        isLocal(topics("cpu"));
        isLocal(topics("wind,depth"));

        assertThat(isLocal(format("cpu:uint64_t timestamp;float load;"))).isTrue();
        assertThat(isLocal(format("depth:uint64_t timestamp;float m;"))).isTrue();
    }

    @Test
    void messagesCutAnywhereHarmNothing() {
        List<byte[]> whole = List.of(
                topics("cpu"),
                format("cpu:uint64_t timestamp;float load;"),
                units("cpu"),
                subscription(0, OUR_ID, "cpu"),
                data(OUR_ID),
                tagged());
        isLocal(topics("cpu"));

        for (byte[] message : whole) {
            for (int length = ULogLayout.MESSAGE_HEADER_LENGTH; length <= message.length; length++) {
                byte[] cut = Arrays.copyOf(message, length);
                assertThatCode(() -> isLocal(cut)).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void keyThatReachesBeyondItsMessageNamesNothing() {
        byte[] list = topics("cpu");
        list[ULogLayout.MESSAGE_HEADER_LENGTH + 1] = (byte) 255; // length of the key
        byte[] end = Arrays.copyOf(list, list.length - "cpu".length());

        assertThatCode(() -> isLocal(end)).doesNotThrowAnyException();
        assertThat(isLocal(format("cpu:uint64_t timestamp;float load;"))).isFalse();
    }

    @Test
    void nameTooLongForATopicIsNotOurs() {
        String name = "n".repeat(300);
        isLocal(topics(name));

        assertThat(isLocal(format(name + ":uint64_t timestamp;float x;"))).isFalse();
    }
}
