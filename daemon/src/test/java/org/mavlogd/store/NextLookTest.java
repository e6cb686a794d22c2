package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NextLookTest {
    private static final long MS = 1_000_000;

    private final StoreSettings.Durability durability = StoreSettings.Durability.ofMs(500);
    private final NextLook look = new NextLook(durability);

    @Test
    void isAsLateAsTheFilesAllow() {
        look.begin(0);
        assertThat(look.sleepNs(0)).isEqualTo(durability.longestLookNs());
        look.onFile();
        assertThat(look.sleepNs(0)).isEqualTo(durability.idleLookNs());
        look.at(900 * MS);
        assertThat(look.sleepNs(0)).isEqualTo(durability.lookNs());
        look.at(100 * MS);
        look.at(200 * MS);
        assertThat(look.sleepNs(70 * MS)).isEqualTo(30 * MS);

        look.begin(110 * MS);
        assertThat(look.sleepNs(110 * MS)).isEqualTo(durability.longestLookNs());
    }

    /** Also for a log that begins or is resumed in this round: data for it may have come since the round before. */
    @Test
    void remembersTheRoundBefore() {
        look.begin(-5 * MS);
        assertThat(look.beforeNs()).isEqualTo(-5 * MS);
        look.begin(300 * MS);
        assertThat(look.beforeNs()).isEqualTo(-5 * MS);
        look.begin(301 * MS);
        assertThat(look.beforeNs()).isEqualTo(300 * MS);
    }
}
