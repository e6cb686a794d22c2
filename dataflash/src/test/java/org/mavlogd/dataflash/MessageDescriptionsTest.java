package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.MessageDescriptions.Description;
import org.mavlogd.dataflash.MessageDescriptions.FieldDescription;

/** Compares the list of descriptions with what real logs declare. */
class MessageDescriptionsTest {
    @Test
    void everyMessageHasANameOfItsOwnAndAText() throws IOException {
        List<Description> all = MessageDescriptions.all();

        assertThat(all).hasSizeGreaterThan(270);
        assertThat(all).allSatisfy(message -> {
            assertThat(message.name()).matches("[A-Z0-9]{2,4}");
            assertThat(message.fields()).isNotEmpty();
            assertThat(message.fields())
                    .allSatisfy(field -> assertThat(field.label()).matches("[A-Za-z0-9_]{1,16}"));
        });
        Set<String> names = new HashSet<>();
        all.forEach(message -> names.add(message.name()));
        assertThat(names).hasSizeGreaterThan(all.size() - 3);
    }

    @Test
    void labelsAreThoseThatVehiclesDeclare() throws IOException {
        Definitions definitions = new Definitions();
        Decoded.of(Captures.log("s1_clean_rover.mav.bin"), 4096, definitions, DataFlashDecoder.Units.DO_NOT_WAIT);
        Map<String, List<String>> declared = new TreeMap<>();
        for (RecordType type : definitions.types()) {
            declared.put(type.name(), Arrays.asList(type.labels().split(",", -1)));
        }

        int known = 0;
        for (Description message : MessageDescriptions.all()) {
            List<String> labels = declared.get(message.name());
            if (labels != null) {
                known++;
                assertThat(labels)
                        .as(message.name())
                        .containsAll(message.fields().stream()
                                .map(FieldDescription::label)
                                .toList());
            }
        }
        assertThat(known).isGreaterThan(150);
    }
}
