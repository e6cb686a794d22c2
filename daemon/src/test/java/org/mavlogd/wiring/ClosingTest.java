package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private final List<Integer> closed = new ArrayList<>();

    private Runnable failing(int number) {
        return () -> {
            closed.add(number);
            throw new IllegalStateException("part " + number);
        };
    }

    @Test
    void everyPartIsClosedAndTheFirstFailureCounts() {
        assertThatThrownBy(() -> Closing.all(
                        List.of(() -> closed.add(1), failing(2), () -> closed.add(3), failing(4), () -> closed.add(5))))
                .hasMessage("part 2")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .hasToString("java.lang.IllegalStateException: part 4"));
        assertThat(closed).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void aMissingClassKeepsNoPartFromClosing() {
        Runnable step = () -> {
            throw new NoClassDefFoundError("replaced by an upgrade");
        };

        assertThatThrownBy(() -> Closing.all(List.of(step, failing(2), () -> closed.add(3))))
                .isInstanceOf(NoClassDefFoundError.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly(2, 3);
    }

    @Test
    void withoutFailureNothingIsThrown() {
        Closing.all(List.of(() -> closed.add(1), () -> closed.add(2)));

        assertThat(closed).containsExactly(1, 2);
    }
}
