package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mavlogd.metrics.Metrics;

class LinkCountersTest {
    @Test
    void showsEveryCounterUnderTheLinksName() {
        Metrics metrics = new Metrics();
        LinkCounters counters = LinkCounters.register(metrics, "uart0");
        counters.receivedBytes().add(7);
        counters.droppedSends().increment();

        assertThat(metrics.scrape())
                .contains("mavlogd_link_received_bytes_total{link=\"uart0\"} 7.0")
                .contains("mavlogd_link_received_datagrams_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_link_sent_bytes_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_link_dropped_sends_total{link=\"uart0\"} 1.0")
                .contains("mavlogd_link_refused_peers_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_link_cut_datagrams_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_link_reconnects_total{link=\"uart0\"} 0.0");
    }
}
