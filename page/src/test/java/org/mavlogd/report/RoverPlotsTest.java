package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mavlogd.report.ReportJsonText.numbers;
import static org.mavlogd.report.ReportJsonText.objects;
import static org.mavlogd.report.ReportJsonText.with;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plots of rovers and boats with the topics of all versions of PX4 and of the companion computer. */
class RoverPlotsTest {
    private static final double VALUE = 0.5;
    private static final double DEG = 180 / Math.PI;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "position_controller_status, xtrack_error, crosstrack, Cross-track error, 1",
        "rover_speed_status, measured_speed_body_x, rover_speed, Speed, 1",
        "rover_velocity_status, adjusted_speed_body_x_setpoint, rover_speed, Setpoint, 1",
        "rover_differential_status, measured_forward_speed, rover_speed, Speed, 1",
        "rover_ackermann_status, adjusted_forward_speed_setpoint, rover_speed, Setpoint, 1",
        "rover_mecanum_status, measured_forward_speed, rover_speed, Speed, 1",
        "rover_rate_status, measured_yaw_rate, rover_yaw_rate, Yaw rate, deg",
        "rover_differential_status, measured_yaw_rate, rover_yaw_rate, Yaw rate, deg",
        "rover_mecanum_status, adjusted_yaw_rate_setpoint, rover_yaw_rate, Setpoint, deg",
        "rover_differential_status, adjusted_yaw_setpoint, rover_heading, Setpoint, deg",
        "rover_throttle_setpoint, throttle_body_x, throttle, Throttle, 100",
        "rover_steering_setpoint, normalized_steering_setpoint, steering, Steering, 100",
        "rover_ackermann_status, adjusted_steering_setpoint_normalized, steering, Steering, 100",
        "rover_ackermann_status, measured_lateral_acceleration, lateral_acceleration, Measured, 1",
        "wheel_encoders, wheel_speed, wheel_encoders, Wheel 1, 1",
        "nmea_dbt, depth, depth, NMEA DBT, 1",
    })
    void drawsTheField(String topic, String field, String plot, String line, String factor) throws IOException {
        String type = topic.equals("wheel_encoders") ? "float[2] " : "float ";
        TestLog log = new TestLog().format(topic, type + field + ";");
        for (int i = 0; i < 10; i++) {
            log.sample(topic, i, VALUE, VALUE);
        }

        Map<String, Object> report = ReportJsonText.parsed(log.write(directory));

        List<Map<String, Object>> plots = with(report.get("plots"), "id", plot);
        assertThat(plots).hasSize(1);
        assertThat(ReportJsonText.text(plots.get(0), "explain")).isNotBlank();
        List<Map<String, Object>> found = objects(plots.get(0).get("series")).stream()
                .filter(series -> ReportJsonText.text(series, "name").startsWith(line))
                .toList();
        assertThat(found).hasSize(1);
        double expected = VALUE * (factor.equals("deg") ? DEG : Double.parseDouble(factor));
        assertThat(numbers(found.get(0).get("min"))).hasSize(10).containsOnly(new double[] {expected}, within(1e-3));
    }
}
