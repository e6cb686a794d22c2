package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.ulog.Contents.at;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each corner case of the format is read as the specification demands, in chunks of any size. */
class CornersTest {
    private static final SortedMap<String, byte[]> CORNERS = TestLogs.corners();

    static Stream<String> corners() throws IOException {
        try (BufferedReader table =
                new BufferedReader(new InputStreamReader(TestLogs.open("corners.txt"), StandardCharsets.UTF_8))) {
            return table.lines().filter(line -> !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("corners")
    void readsCornerAsDemanded(String line) {
        String[] columns = line.split(" \\|", -1);
        byte[] log = corner(columns[0].strip());

        for (int chunk : new int[] {1, 7, 4096, Integer.MAX_VALUE}) {
            assertThat(Contents.of(log, Math.min(chunk, log.length)).toString())
                    .as("%s in chunks of %d", line, chunk)
                    .isEqualTo(columns[1].strip());
        }
    }

    @Test
    void tableNamesEveryCorner() throws IOException {
        assertThat(corners().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactlyElementsOf(CORNERS.keySet());
    }

    @Test
    void readsGoldenInFull() {
        Contents golden = Contents.of(corner("golden"), 4096);

        assertThat(golden.samples.values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(930);
        assertThat(at(golden.infos, "sys_name").text()).isEqualTo("PX4");
        assertThat(golden.damagedBytes).isZero();
    }

    @Test
    void readsFieldsBehindPaddingAndArrays() {
        List<Double> halves = IntStream.range(0, 10).mapToObj(k -> k / 2.0).toList();
        List<Long> steps = IntStream.range(0, 10).mapToObj(k -> 1000 + 100L * k).toList();

        assertThat(Contents.of(corner("g06_pad_mid"), 7).values).containsEntry("t:0.x", halves);
        assertThat(Contents.of(corner("g07_pad_before_ts"), 7).times).containsEntry("t:0", steps);
        assertThat(Contents.of(corner("g09_ts_after_array"), 7).times).containsEntry("t:0", steps);
        assertThat(Contents.of(corner("h01_nested_before_def"), 7).times).containsEntry("t:0", steps);
    }

    @Test
    void unwrapsSmallTimestamps() {
        List<Long> times = at(Contents.of(corner("p01_u32"), 1).times, "t:0");

        assertThat(times).isSorted().hasSize(10);
        assertThat(times.get(9)).isGreaterThan(0xFFFF_FFFFL);
    }

    @Test
    void keepsSamplesInTheOrderOfTheFile() {
        List<Long> times = at(Contents.of(corner("p03_back"), 1).times, "t:0");

        assertThat(times).hasSize(10).isNotEqualTo(times.stream().sorted().toList());
    }

    @Test
    void keepsBothKindsOfDefaults() {
        Contents k04 = Contents.of(corner("k04_q"), 1);

        assertThat(at(k04.parameters, "A").value()).isEqualTo(5);
        assertThat(at(k04.systemDefaults, "A").value()).isEqualTo(1);
        assertThat(at(k04.setupDefaults, "A").value()).isEqualTo(2);
        assertThat(k04.systemDefaults).containsKey("Bf");
        assertThat(k04.setupDefaults).containsKey("Bf");
        assertThat(at(Contents.of(corner("k06_q_noflag"), 1).systemDefaults, "A")
                        .value())
                .isEqualTo(1);
    }

    @Test
    void readsTexts() {
        assertThat(Contents.of(corner("n07_l_nul"), 1).texts.get(0).text()).isEqualTo("hi");
        assertThat(Contents.of(corner("n03_l_numeric"), 1).texts.get(0).level()).isEqualTo(LogLevel.INFO);
        assertThat(Contents.of(corner("n04_c"), 1).texts).allMatch(LoggedText::isTagged);
        assertThat(at(Contents.of(corner("l10_in_data"), 1).infos, "late").text())
                .isEqualTo("abc");
        assertThat(Contents.of(corner("o01_dropout"), 1).dropouts).containsExactlyInAnyOrder(65_535, 0);
    }

    private static byte[] corner(String name) {
        byte[] log = CORNERS.get(name);
        if (log == null) {
            throw new IllegalArgumentException(name);
        }
        return log;
    }
}
