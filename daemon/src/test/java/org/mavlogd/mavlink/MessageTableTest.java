package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.MessageTable.Definition;

final class MessageTableTest {
    private final MessageTable table = MessageTable.standard();

    @Test
    void resourceIsWhatTheGeneratorWrites() throws IOException {
        assertThat(Files.readString(MessageTableGenerator.TABLE))
                .as("run MessageTableGenerator again; its Javadoc says how")
                .isEqualTo(MessageTableGenerator.text());
    }

    @Test
    void everyMessageOfEveryDialectIsThere() {
        List<Definition> known = table.definitions();

        assertThat(MessageTableGenerator.dronefleet())
                .hasSizeGreaterThan(350)
                .allSatisfy(expected -> assertThat(known)
                        .anyMatch(definition -> definition.id() == expected.id()
                                && definition.crcExtra() == expected.crcExtra()
                                && definition.coreLength() == expected.coreLength()
                                && definition.fullLength() == expected.fullLength()
                                && definition.name().equals(expected.name())));
    }

    /** The library's numbers come from the same definitions by other means: fields in, CRC_EXTRA out. */
    @Test
    void crcExtraIsComputedAsTheLibraryDoes() {
        Definition ack = MessageTableGenerator.DefinitionParser.parse(
                77,
                "COMMAND_ACK",
                "uint16_t command; uint8_t result; +uint8_t progress; +int32_t result_param2; "
                        + "+uint8_t target_system; +uint8_t target_component",
                "common");
        Definition chunk = MessageTableGenerator.DefinitionParser.parse(
                266,
                "LOGGING_DATA",
                "uint8_t target_system; uint8_t target_component; uint16_t sequence; uint8_t length; "
                        + "uint8_t first_message_offset; uint8_t[249] data",
                "common");

        assertThat(table.definitions()).contains(ack, chunk);
    }

    @Test
    void newerMessagesAreThere() {
        assertThat(MessageTableGenerator.newer())
                .extracting(Definition::id)
                .containsExactly(277, 295, 296, 345, 361, 371, 372, 376, 396, 435, 436, 437, 440)
                .allMatch(table::isKnown);
    }

    @Test
    void findsNumbersAtEveryEdge() {
        int last = table.definitions().get(table.definitions().size() - 1).id();

        assertThat(table.isKnown(0)).isTrue();
        assertThat(table.isKnown(3)).isFalse();
        assertThat(table.isKnown(511)).isFalse();
        assertThat(table.isKnown(512)).isFalse();
        assertThat(table.isKnown(last)).isTrue();
        assertThat(table.isKnown(last + 1)).isFalse();
        assertThat(table.isKnown(0xFF_FFFF)).isFalse();
    }

    @Test
    void commonDialectIsPreferredWhereOthersUseTheSameNumber() {
        assertThat(table.crcExtra(192)).isEqualTo(36); // MAG_CAL_REPORT, not slugs' PTZ_STATUS
        assertThatThrownBy(() -> table.crcExtra(FrameBytes.UNKNOWN_ID)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesDefinitionsOutOfOrder() {
        Definition one = new Definition(1, 1, 1, 1, "ONE", "test");
        Definition two = new Definition(2, 1, 1, 1, "TWO", "test");

        assertThatThrownBy(() -> new MessageTable(List.of(two, one)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("out of order");
    }
}
