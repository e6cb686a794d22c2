package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalBootTest {
    private static final String TOLD = "00112233445566778899aabbccddeeff";

    @Test
    void isWhatTheServiceManagerTells() {
        assertThat(TextSources.bootId(Map.of("MAVLOGD_BOOT_ID", TOLD))).isEqualTo(TOLD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%b", "00112233445566778899aabbccddeef", "00112233-4455-6677-8899-aabbccddeeff"})
    void isTheKernelsWhenNothingUsableIsTold(String told) {
        assertThat(TextSources.bootId(Map.of("MAVLOGD_BOOT_ID", told)))
                .isEqualTo(TextSources.bootId(Map.of()))
                .matches("[0-9a-f]{32}");
    }
}
