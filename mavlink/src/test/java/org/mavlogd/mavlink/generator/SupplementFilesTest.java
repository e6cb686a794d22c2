package org.mavlogd.mavlink.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each line of the supplement is necessary: MAVLink's own definitions contain it, and dronefleet's do not. */
final class SupplementFilesTest {
    @Test
    void supplementIsTheDifferenceToMavlinksOwnDefinitionsAndNothingElse() {
        for (Map.Entry<String, String> file : SupplementWriter.files().entrySet()) {
            assertThat(Supplement.resource(file.getKey()))
                    .as("%s: run SupplementWriter again; its Javadoc says how", file.getKey())
                    .isEqualTo(file.getValue());
        }
    }

    @Test
    void libraryAndSupplementTogetherAreMavlinksOwnDefinitions() {
        Map<String, Message> all = Definitions.all().stream()
                .collect(java.util.stream.Collectors.toMap(m -> m.id() + " " + m.crcExtra(), m -> m));

        assertThat(SupplementWriter.standard())
                .hasSizeGreaterThan(300)
                .allSatisfy(standard -> assertThat(all.get(standard.id() + " " + standard.crcExtra()))
                        .isEqualTo(standard));
    }
}
