package org.mavlogd.exports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UniqueNamesTest {
    @Test
    void namesThatAreTakenGetTheNextFreeNumber() {
        UniqueNames names = new UniqueNames(name -> name.toLowerCase(Locale.ROOT));

        List<String> unique = Stream.of("a", "A", "a_3", "a", "b", "a_2", "a")
                .map(names::unique)
                .toList();

        assertThat(unique).containsExactly("a", "A_2", "a_3", "a_4", "b", "a_2_2", "a_5");
    }

    /** A hostile log may declare 60,000 fields of one name: each comparison with all before would take minutes. */
    @Test
    void manyEqualNamesAreComparedAFewTimesEach() {
        int[] comparisons = new int[1];
        UniqueNames names = new UniqueNames(name -> {
            comparisons[0]++;
            return name;
        });
        Set<String> unique = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            unique.add(names.unique("a"));
        }

        assertThat(unique).hasSize(10_000);
        assertThat(comparisons[0]).isLessThan(10 * 10_000);
    }
}
