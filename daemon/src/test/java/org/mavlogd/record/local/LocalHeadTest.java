package org.mavlogd.record.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.local.LocalHead.VehicleTopics;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

class LocalHeadTest {
    private static final String PREFIX = "companion_";
    private static final String LOAD = "uint64_t timestamp;float load;";
    private static final String CORES = "uint64_t timestamp;uint8_t cores;";
    private static final VehicleTopics NOTHING = new VehicleTopics(Map.of(), name -> -1);

    private final Map<LocalHead.FormatKey, LocalFormat> known = new HashMap<>();

    /** A topic of a new source: sources do not know each other's names. */
    private static LocalTopic topic(String name, String fields, Map<String, String> units) {
        LocalFeed feed = new LocalFeed("test", 1 << 16);
        LocalPublisher publisher = feed.publisher();
        try {
            publisher.declare(TopicFormat.parse(name + ':' + fields), units);
        } catch (ULogException e) {
            throw new IllegalArgumentException(e);
        }
        return feed.topics().get(0);
    }

    private static LocalTopic topic(String name, String fields) {
        return topic(name, fields, Map.of());
    }

    private LocalHead head(VehicleTopics vehicle, LocalTopic... topics) {
        return LocalHead.of(List.of(topics), vehicle, PREFIX, known, MemoryShare.unlimited());
    }

    private static VehicleTopics vehicleHas(String name, String fields, int highestMultiId) {
        return new VehicleTopics(Map.of(name, fields), asked -> asked.equals(name) ? highestMultiId : -1);
    }

    private static LocalFormat format(LocalHead head, LocalTopic topic) {
        return Objects.requireNonNull(head.find(topic));
    }

    /** The messages as type and payload, such as {@code F cpu:...}, {@code M char[3] local_topics|cpu}. */
    private static List<String> messages(LocalHead head) {
        DirectBuffer bytes = head.bytes();
        List<String> messages = new ArrayList<>();
        for (int at = 0; at < head.length(); ) {
            int size = bytes.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            char type = (char) bytes.getByte(at + 2);
            int payload = at + 3;
            int keyAt = payload + (type == 'M' ? 2 : 1);
            int keyLength = type == 'F' ? 0 : bytes.getByte(keyAt - 1) & 0xFF;
            String text = type == 'F'
                    ? bytes.getStringWithoutLengthAscii(payload, size)
                    : bytes.getStringWithoutLengthAscii(keyAt, keyLength)
                            + '|'
                            + bytes.getStringWithoutLengthAscii(keyAt + keyLength, payload + size - keyAt - keyLength);
            messages.add(type + " " + text);
            at = payload + size;
        }
        return messages;
    }

    @Test
    void namesItsTopicsBeforeTheirFormatsAndUnits() {
        LocalHead head = head(NOTHING, topic("cpu", LOAD, Map.of("load", "%")), topic("chip", CORES));

        assertThat(messages(head))
                .containsExactly(
                        "M char[8] local_topics|cpu,chip",
                        "F cpu:" + LOAD,
                        "I char[6] field_units_cpu|load=%",
                        "F chip:" + CORES);
    }

    @Test
    void withoutTopicsThereIsNothing() {
        assertThat(head(NOTHING).length()).isZero();
    }

    @Test
    void vehiclesFormatOfOtherFieldsPutsThePrefixBeforeOurs() {
        LocalTopic cpu = topic("cpu", LOAD, Map.of("load", "%"));

        LocalHead head = head(vehicleHas("cpu", CORES, 3), cpu);

        assertThat(format(head, cpu).isShared()).isFalse();
        assertThat(Objects.requireNonNull(format(head, cpu).take(0)).multiId()).isZero();
        assertThat(messages(head))
                .containsExactly(
                        "M char[13] local_topics|companion_cpu",
                        "F companion_cpu:" + LOAD,
                        "I char[6] field_units_companion_cpu|load=%");
    }

    @Test
    void vehiclesFormatOfEqualFieldsIsSharedAndNotDefinedAgain() {
        LocalTopic cpu = topic("cpu", LOAD);

        LocalHead head = head(vehicleHas("cpu", LOAD, 0), cpu);

        assertThat(messages(head)).containsExactly("M char[3] local_topics|cpu");
        assertThat(format(head, cpu).isShared()).isTrue();
        assertThat(Objects.requireNonNull(format(head, cpu).take(0)).multiId())
                .isEqualTo(LocalMarks.FIRST_SHARED_MULTI_ID);
    }

    @Test
    void sharedInstancesComeBehindTheVehicles() {
        LocalTopic cpu = topic("cpu", LOAD);

        LocalHead head = head(vehicleHas("cpu", LOAD, 12), cpu);

        assertThat(Objects.requireNonNull(format(head, cpu).take(0)).multiId()).isEqualTo(13);
    }

    @Test
    void anInstanceThatFindsNoPlaceTakesNoMemory() {
        LocalTopic cpu = topic("cpu", LOAD);
        MemoryShare share = MemoryShare.unlimited();
        LocalHead head = LocalHead.of(List.of(cpu), vehicleHas("cpu", LOAD, 9), PREFIX, known, share);
        for (int i = 0; i < 246; i++) {
            assertThat(format(head, cpu).take(i)).isNotNull();
        }
        long before = share.held();

        for (int i = 0; i < 1000; i++) {
            assertThat(format(head, cpu).take(246)).isNull();
        }

        assertThat(share.held()).isEqualTo(before);
    }

    @Test
    void namesakesShareTheFormatOrGetNumbers() {
        LocalTopic first = topic("cpu", LOAD);
        LocalTopic equal = topic("cpu", LOAD);
        LocalTopic other = topic("cpu", CORES);

        LocalHead head = head(NOTHING, first, equal, other);

        assertThat(format(head, first).name()).isEqualTo("cpu");
        assertThat(format(head, equal)).isSameAs(format(head, first));
        assertThat(format(head, other).name()).isEqualTo("cpu_2");
        assertThat(head.formats()).hasSize(2);
    }

    @Test
    void numberGoesBehindThePrefixedNameToo() {
        LocalTopic load = topic("cpu", LOAD);
        LocalTopic cores = topic("cpu", CORES);

        LocalHead head = head(vehicleHas("cpu", "uint64_t timestamp;int8_t x;", 0), load, cores);

        assertThat(format(head, load).name()).isEqualTo("companion_cpu");
        assertThat(format(head, cores).name()).isEqualTo("companion_cpu_2");
    }

    @Test
    void tenthNamesakeFindsNoName() {
        LocalTopic[] topics = new LocalTopic[10];
        for (int i = 0; i < topics.length; i++) {
            topics[i] = topic("cpu", "uint64_t timestamp;float f" + i + ';');
        }

        LocalHead head = head(NOTHING, topics);

        assertThat(format(head, topics[8]).name()).isEqualTo("cpu_9");
        assertThat(head.find(topics[9])).isNull();
        assertThat(head.formats()).hasSize(9);
    }

    @Test
    void nextFileHasTheSameFormatAgain() {
        LocalTopic cpu = topic("cpu", LOAD);
        LocalHead first = head(NOTHING, cpu);

        LocalHead second = head(NOTHING, topic("wind", CORES), cpu);

        assertThat(format(second, cpu)).isSameAs(format(first, cpu));
    }

    @Test
    void longListOfNamesTakesSeveralMessages() {
        LocalTopic[] topics = new LocalTopic[300];
        for (int i = 0; i < topics.length; i++) {
            topics[i] = topic("t" + "x".repeat(100) + i, LOAD);
        }

        List<String> messages = messages(head(NOTHING, topics));

        List<String> lists =
                messages.stream().filter(message -> message.startsWith("M")).toList();
        assertThat(lists).hasSize(2).allMatch(list -> list.length() < 17_000);
        assertThat(messages.subList(0, 2)).isEqualTo(lists);
        assertThat(lists.stream()
                        .flatMap(list -> List.of(list.replaceAll("^.*\\|", "").split(",")).stream()))
                .containsExactly(List.of(topics).stream().map(LocalTopic::name).toArray(String[]::new));
    }

    @Test
    void formatsBeyondOneMebibyteWait() {
        StringBuilder fields = new StringBuilder("uint64_t timestamp;");
        for (int i = 0; i < 200; i++) {
            fields.append("float f").append("y".repeat(110)).append(i).append(';');
        }
        LocalTopic[] topics = new LocalTopic[60];
        for (int i = 0; i < topics.length; i++) {
            topics[i] = topic("t" + i, fields.toString());
        }
        LocalTopic little = topic("cpu", LOAD);

        LocalHead head = LocalHead.of(List.of(topics), NOTHING, PREFIX, known, MemoryShare.unlimited());
        LocalTopic[] withLittle = Arrays.copyOf(topics, topics.length + 1);
        withLittle[topics.length] = little;

        assertThat(head.length()).isBetween(1_000_000, 1 << 20);
        assertThat(head.find(topics[0])).isNotNull();
        assertThat(head.find(topics[59])).isNull();
        assertThat(head(NOTHING, withLittle).find(little)).isNotNull(); // fits into the remaining space
    }

    @Test
    void fileOfAnEarlierRunIsKnownByItsListAndFormats() {
        LocalTopic own = topic("cpu", LOAD);
        LocalTopic shared = topic("wind", CORES);
        LocalTopic other = topic("depth", LOAD);

        LocalHead head = LocalHead.ofFile(
                Map.of("cpu", LOAD),
                List.of("cpu", "wind", "lost"),
                vehicleHas("wind", CORES, 1),
                PREFIX,
                MemoryShare.unlimited());

        assertThat(format(head, own).isShared()).isFalse();
        assertThat(format(head, shared).isShared()).isTrue();
        assertThat(head.find(other)).isNull();
        assertThat(head.byName("lost")).isNull();
        assertThat(head.length()).isZero();
    }
}
