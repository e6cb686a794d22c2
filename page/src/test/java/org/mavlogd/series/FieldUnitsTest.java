package org.mavlogd.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldUnitsTest {
    @ParameterizedTest
    @CsvSource({
        "BARO, Temp, 'Alt=m,Temp=degC', degC",
        "winch, load[2], 'load=kg', kg",
        "winch, load[2], 'load=kg,load[2]=t', t",
        "winch, load, '', ''",
        "vehicle_local_position, vx, '', m/s",
        "vehicle_local_position, vx, 'vx=km/h', km/h",
        "vehicle_angular_velocity, xyz[1], '', rad/s",
        "sensor_combined, gyro_rad[0], '', rad/s",
        "sensor_combined, accelerometer_m_s2[0], '', m/s²",
        "sensor_gps, vel_n_m_s, '', m/s",
        "sensor_gps, altitude_msl_m, '', m",
        "sensor_gps, latitude_deg, '', deg",
        "vehicle_air_data, baro_pressure_pa, '', Pa",
        "battery_status, voltage_cell_v[3], '', V",
        "battery_status, current_a, '', A",
        "battery_status, discharged_mah, '', mAh",
        "battery_status, remaining, '', ''",
        "vehicle_local_position, xy_valid, '', ''",
        "any, timestamp, '', us"
    })
    void unitsComeFromTheLogElseFromWhatPx4Names(String topic, String path, String units, String unit) {
        assertThat(FieldUnits.of(units, topic, path)).isEqualTo(unit);
    }
}
