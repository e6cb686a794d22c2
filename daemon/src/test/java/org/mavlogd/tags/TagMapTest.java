package org.mavlogd.tags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TagMapTest {
    private static final String TEN = "0=unassigned,1=mavlink_handler,2=ppk_handler,3=camera_handler,4=ptp_handler,"
            + "5=serial_handler,6=watchdog,7=io_service,8=cbuf,9=ulg";

    @Test
    void hasTheTenOfTheSpecification() {
        assertThat(TagMap.DEFAULT.infoText()).isEqualTo(TEN);
        assertThat(TagMap.DEFAULT.id("camera_handler")).hasValue(3);
        assertThat(TagMap.DEFAULT.name(8)).hasValue("cbuf");
    }

    @Test
    void addsOwnOnesInTheOrderOfTheirNumbers() {
        TagMap tags = TagMap.of(Map.of("winch", 65_535, "sonar", 100));

        assertThat(tags.infoText()).isEqualTo(TEN + ",100=sonar,65535=winch");
        assertThat(tags.id("sonar")).hasValue(100);
        assertThat(tags.name(65_535)).hasValue("winch");
        assertThat(tags.id("Sonar")).isEmpty();
        assertThat(tags.name(101)).isEmpty();
    }

    @Test
    void givesADefaultAnotherNumberWhichFreesItsOwn() {
        TagMap tags = TagMap.of(Map.of("ulg", 40, "winch", 9));

        assertThat(tags.defaultId(TagMap.ULG)).isEqualTo(40);
        assertThat(tags.name(9)).hasValue("winch");
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesWhatIsNotOneToOne(Map<String, Integer> set, String problem) {
        assertThatThrownBy(() -> TagMap.of(set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments(Map.of("winch", 7), "io_service and winch both have 7"),
                arguments(Map.of("a", 20, "b", 20), "a and b both have 20"),
                arguments(Map.of("a", -1), "a = -1, allowed: 0 to 65535"),
                arguments(Map.of("a", 65_536), "a = 65536, allowed: 0 to 65535"),
                arguments(Map.of("", 20), "\"\" is not a name"),
                arguments(Map.of("1a", 20), "\"1a\" is not a name"),
                arguments(Map.of("a,b", 20), "\"a,b\" is not a name"),
                arguments(Map.of("a".repeat(33), 20), "is not a name, allowed: 1 to 32 letters"),
                arguments(many(65), "65 names, allowed: up to 64"));
    }

    private static Map<String, Integer> many(int count) {
        Map<String, Integer> set = new HashMap<>();
        for (int i = 0; i < count; i++) {
            set.put("t" + "x".repeat(29) + i, 60_000 + i);
        }
        return set;
    }

    @Test
    void theLongestTextFitsAnInfo() {
        assertThat(TagMap.of(many(64)).infoText().length()).isLessThan(3072);
    }

    @Test
    void readsItsOwnText() {
        TagMap tags = TagMap.of(Map.of("winch", 100, "cbuf", 200));

        assertThat(TagMap.read(tags.infoText())).isEqualTo(tags);
    }

    @Test
    void passesOverWhatAForeignLogSaysAmiss() {
        TagMap tags = TagMap.read("3=camera,,x=y,4=,=z,70000=far,5=\u001b[31m,3=second,6=camera,9 =ulg,7=io");

        assertThat(tags.infoText()).isEqualTo("3=camera,7=io");
    }

    @Test
    void readsAnythingWithoutHarm() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        String letters = "0123456789=,abz_-\u0000\uD800\uFFFF";
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(300), 0, letters.length()).forEach(i -> text.append(letters.charAt(i)));

            TagMap tags = TagMap.read(text.toString());

            assertThat(tags.names().keySet()).as("seed " + seed).allMatch(id -> id >= 0 && id <= TagMap.MAX_ID);
            assertThat(tags.names().values()).as("seed " + seed).allMatch(TagMap::isName);
            assertThat(TagMap.read(tags.infoText())).as("seed " + seed).isEqualTo(tags);
        }
    }
}
