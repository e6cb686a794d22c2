package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.MessageTable.Definition;
import org.mavlogd.mavlink.generator.LibraryMessages;

final class MessageTableTest {
    private final MessageTable table = MessageTable.standard();

    @Test
    void everyMessageOfTheLibraryIsThereWithItsNumbers() {
        List<Definition> known = table.definitions();

        assertThat(LibraryMessages.layouts())
                .hasSizeGreaterThan(380)
                .allSatisfy(expected -> assertThat(known)
                        .anyMatch(definition -> definition.id() == expected.id()
                                && definition.crcExtra() == expected.crcExtra()
                                && definition.coreLength() == expected.coreLength()
                                && definition.fullLength() >= expected.fullLength()
                                && withoutLines(definition.name()).equals(withoutLines(expected.name()))));
    }

    /** The library gives CRC_EXTRA, and this test computes it from names and types: both must agree. */
    @Test
    void everyMessageOfMavlinkIsThereWithItsFieldsAndItsComputedChecksum() {
        Map<List<Integer>, MessageLayout> standard = new HashMap<>();
        StandardDefinitions.messages()
                .forEach(known -> standard.putIfAbsent(
                        List.of(known.layout().id(), known.layout().crcExtra()), known.layout()));

        assertThat(standard.values()).hasSizeGreaterThan(370).allSatisfy(layout -> {
            assertThat(Dialect.FieldTable.fields(layout.id(), layout.crcExtra()))
                    .isEqualTo(layout.fields());
            assertThat(table.definitions())
                    .anyMatch(definition -> definition.id() == layout.id()
                            && definition.crcExtra() == layout.crcExtra()
                            && definition.name().equals(layout.name()));
            assertThat(MessageLayout.of(layout.id(), layout.name(), layout.fields())
                            .crcExtra())
                    .isEqualTo(layout.crcExtra());
        });
    }

    /** The library's class names do not show underscores before digits. */
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
        assertThat(table.isKnown(511)).isTrue(); // TARGET_RELATIVE, the last id found by index
        assertThat(table.isKnown(512)).isTrue(); // CONTROL_STATUS, the first id found by search
        assertThat(table.isKnown(515)).isFalse();
        assertThat(table.isKnown(last)).isTrue();
        assertThat(table.isKnown(last + 1)).isFalse();
        assertThat(table.isKnown(0xFF_FFFF)).isFalse();
    }

    @Test
    void commonDialectIsPreferredWhereOthersUseTheSameNumber() {
        assertThat(table.crcExtra(192)).isEqualTo(36); // MAG_CAL_REPORT, not PTZ_STATUS of slugs
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
