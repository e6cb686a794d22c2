package org.mavlogd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = new Metrics();

    @Test
    void theSameNameAndTagsAreTheSameCounter() {
        Counter one = metrics.counter("lost.chunks", "Lost", "feed", "a", "cause", "link");

        assertThat(metrics.counter("lost.chunks", "Lost", "feed", "a", "cause", "link"))
                .isSameAs(one);
        assertThat(metrics.counter("lost.chunks", "Lost", "feed", "b", "cause", "link"))
                .isNotSameAs(one);
    }

    @Test
    void aTotalIsOfOneNameWhateverTheTags() {
        metrics.counter("lost.chunks", "Lost", "feed", "a").add(3);
        metrics.counter("lost.chunks", "Lost", "feed", "b").add(4);
        metrics.counter("lost.chunks.late", "Late", "feed", "a").add(50);
        metrics.counter("lost", "All", "feed", "a").add(600);

        assertThat(metrics.total("lost.chunks")).isEqualTo(7);
        assertThat(metrics.total("lost")).isEqualTo(600);
        assertThat(metrics.total("los")).isZero();
    }
}
