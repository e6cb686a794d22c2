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
        assertThat(Files.readString(MessageTableGenerator.FIELDS))
                .as("run MessageTableGenerator again; its Javadoc says how")
                .isEqualTo(MessageTableGenerator.fieldsText());
    }

    /** The library's numbers come from older definitions by other means: CRC_EXTRA there is given, here computed. */
    @Test
    void everyMessageOfEveryDialectIsThereWithTheLibrarysChecksum() {
        List<Definition> known = table.definitions();

        assertThat(MessageTableGenerator.dronefleet())
                .hasSizeGreaterThan(350)
                .extracting(MessageTableGenerator.Known::layout)
                .allSatisfy(expected -> assertThat(known)
                        .anyMatch(definition -> definition.id() == expected.id()
                                && definition.crcExtra() == expected.crcExtra()
                                && definition.coreLength() == expected.coreLength()
                                && definition.fullLength() >= expected.fullLength()
                                && withoutLines(definition.name()).equals(withoutLines(expected.name()))));
    }

    /** The library's names of classes do not tell where digits are set apart. */
    private static String withoutLines(String name) {
        return name.replace("_", "");
    }

    @Test
    void newerMessagesAreThere() {
        assertThat(List.of(277, 295, 296, 345, 361, 371, 372, 376, 396, 435, 436, 437, 440, 11060, 60047))
                .allMatch(table::isKnown);
    }

    @Test
    void findsNumbersAtEveryEdge() {
        int last = table.definitions().get(table.definitions().size() - 1).id();

        assertThat(table.isKnown(0)).isTrue();
        assertThat(table.isKnown(3)).isFalse();
        assertThat(table.isKnown(509)).isFalse();
        assertThat(table.isKnown(511)).isTrue(); // TARGET_RELATIVE, the last that is found by index
        assertThat(table.isKnown(512)).isTrue(); // CONTROL_STATUS, the first that is searched for
        assertThat(table.isKnown(515)).isFalse();
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
