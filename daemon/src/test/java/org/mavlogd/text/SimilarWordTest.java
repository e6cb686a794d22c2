package org.mavlogd.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SimilarWordTest {
    private static final List<String> TOPICS =
            List.of("sensor_gps", "vehicle_gps_position", "vehicle_imu", "vehicle_status", "vtol");

    @Test
    void aSlipIsForgiven() {
        assertThat(SimilarWord.hint("vehicle_sttaus", TOPICS)).isEqualTo(" (did you mean \"vehicle_status\"?)");
        assertThat(SimilarWord.hint("vehicle_statu", TOPICS)).contains("vehicle_status");
        assertThat(SimilarWord.hint("wind", TOPICS)).isEmpty();
    }

    @Test
    void theBeginningOfAWordMeansIt() {
        assertThat(SimilarWord.hint("vehicle_gps", TOPICS)).contains("\"vehicle_gps_position\"");
        assertThat(SimilarWord.hint("vehi", TOPICS)).contains("\"vehicle_gps_position\"");
        assertThat(SimilarWord.hint("veh", TOPICS)).isEmpty();
    }
}
