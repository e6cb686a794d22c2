package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FinishedLogsTest {
    private final FinishedLogs logs = new FinishedLogs();

    @Test
    void filesOfALogAreOneEntryWithItsNewestULog() {
        logs.add("2026-11-21_14-03-59_sys001_000001_000002.ulg", 10);
        logs.add("2026-11-21_14-03-59_sys001_000001.bin", 200);
        logs.add("2026-11-21_14-04-59_sys002_000003.ulg", 7);
        logs.add("2026-11-21_14-09-59_sys001_000001_000004.ulg", 3000);

        assertThat(logs.newest())
                .containsExactly(
                        new FinishedLogs.Log("002/3", "2026-11-21_14-04-59_sys002_000003.ulg", 7, 1),
                        new FinishedLogs.Log("001/1", "2026-11-21_14-09-59_sys001_000001_000004.ulg", 3210, 3));
    }

    @Test
    void logWithoutAULogIsThereWithItsBlocks() {
        logs.add("2026-11-21_14-03-59_sys001_000001.bin", 200);

        assertThat(logs.newest())
                .containsExactly(new FinishedLogs.Log("001/1", "2026-11-21_14-03-59_sys001_000001.bin", 200, 1));
    }

    @Test
    void onlyTheNewestAreKept() {
        for (int i = 1; i <= 20; i++) {
            logs.add(String.format("2026-11-21_14-03-59_sys001_%06d.ulg", i), i);
        }

        assertThat(logs.newest())
                .hasSize(16)
                .extracting(FinishedLogs.Log::bytes)
                .startsWith(5L)
                .endsWith(20L);
    }
}
