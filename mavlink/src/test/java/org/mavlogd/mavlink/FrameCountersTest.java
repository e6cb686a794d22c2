package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mavlogd.metrics.Metrics;

final class FrameCountersTest {
    @Test
    void registeredCountersAreShownUnderTheLinksName() {
        Metrics metrics = new Metrics();
        FrameCounters counters = FrameCounters.register(metrics, "uart0");
        FrameCounters.register(metrics, "udp");
        byte[] bytes = FrameBytes.join(new byte[5], FrameBytes.heartbeat(1));

        new FrameDecoder((frame, nowNs) -> {}, counters).decode(bytes, 0, bytes.length, 0);

        assertThat(metrics.scrape())
                .contains("mavlogd_mavlink_frames_total{link=\"uart0\"} 1.0")
                .contains("mavlogd_mavlink_frames_total{link=\"udp\"} 0.0")
                .contains("mavlogd_mavlink_skipped_bytes_total{link=\"uart0\"} 5.0")
                .contains("mavlogd_mavlink_bad_checksums_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_mavlink_unknown_messages_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_mavlink_refused_flags_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_mavlink_cut_signatures_total{link=\"uart0\"} 0.0")
                .contains("mavlogd_mavlink_cut_frames_total{link=\"uart0\"} 0.0");
    }
}
