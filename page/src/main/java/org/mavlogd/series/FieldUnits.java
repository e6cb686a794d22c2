package org.mavlogd.series;

import java.util.Map;

/**
 * Finds the units of fields. Some logs contain them: {@code Alt=m,Temp=degC}. Logs of PX4 do not: many of its fields
 * have the unit in their names, such as {@code voltage_v}, and the fields of the topics that are plotted most are
 * listed here.
 *
 * @see <a href="https://docs.px4.io/main/en/msg_docs/">PX4: uORB message reference</a>
 */
final class FieldUnits {
    private static final String POSITION = "x=m,y=m,z=m,vx=m/s,vy=m/s,vz=m/s,";
    private static final String ROVER_SPEED = "measured_speed_body_x=m/s,adjusted_speed_body_x_setpoint=m/s,"
            + "measured_speed_body_y=m/s,adjusted_speed_body_y_setpoint=m/s";
    private static final Map<String, String> PX4 = Map.ofEntries(
            Map.entry(
                    "vehicle_local_position",
                    POSITION + "ax=m/s²,ay=m/s²,az=m/s²,heading=rad,dist_bottom=m,eph=m,epv=m,evh=m/s,evv=m/s,"
                            + "ref_lat=deg,ref_lon=deg,ref_alt=m"),
            Map.entry("vehicle_local_position_setpoint", POSITION + "acceleration=m/s²,yaw=rad,yawspeed=rad/s"),
            Map.entry("vehicle_global_position", "lat=deg,lon=deg,alt=m,alt_ellipsoid=m,eph=m,epv=m"),
            Map.entry("vehicle_gps_position", "eph=m,epv=m"),
            Map.entry("sensor_gps", "eph=m,epv=m"),
            Map.entry("vehicle_angular_velocity", "xyz=rad/s"),
            Map.entry("vehicle_acceleration", "xyz=m/s²"),
            Map.entry("vehicle_rates_setpoint", "roll=rad/s,pitch=rad/s,yaw=rad/s"),
            Map.entry("vehicle_imu_status", "accel_vibration_metric=m/s²"),
            Map.entry("sensor_combined", "gyro_rad=rad/s"),
            Map.entry("sensor_accel", "x=m/s²,y=m/s²,z=m/s²"),
            Map.entry("sensor_gyro", "x=rad/s,y=rad/s,z=rad/s"),
            Map.entry("sensor_mag", "x=gauss,y=gauss,z=gauss"),
            Map.entry("distance_sensor", "current_distance=m,min_distance=m,max_distance=m"),
            Map.entry("rover_speed_status", ROVER_SPEED),
            Map.entry("rover_velocity_status", ROVER_SPEED));

    /** Ends of field names and their units. The first that fits is used, so longer ends come first. */
    private static final String[][] ENDS = {
        {"_m_s2", "m/s²"},
        {"_m_s", "m/s"},
        {"_rad_s", "rad/s"},
        {"_rad", "rad"},
        {"_deg", "deg"},
        {"_meter", "m"},
        {"_pa", "Pa"},
        {"_hz", "Hz"},
        {"_mah", "mAh"},
        {"_ga", "gauss"},
        {"_celsius", "degC"},
        {"_celcius", "degC"}
    };

    private FieldUnits() {}

    /**
     * The unit of a field, or for an element that of its array. Empty if unknown.
     *
     * @param units units of the topic, from the log
     */
    static String of(String units, String topic, String path) {
        int bracket = path.lastIndexOf('[');
        String field = bracket > 0 ? path.substring(0, bracket) : path;
        if (field.equals("timestamp")) {
            return "us";
        }
        String[] found = {
            exactly(units, path), exactly(units, field), exactly(PX4.getOrDefault(topic, ""), field), byEnd(field)
        };
        for (String unit : found) {
            if (!unit.isEmpty()) {
                return unit;
            }
        }
        return "";
    }

    private static String exactly(String units, String path) {
        for (String part : units.split(",", -1)) {
            if (part.startsWith(path) && part.length() > path.length() && part.charAt(path.length()) == '=') {
                return part.substring(path.length() + 1);
            }
        }
        return "";
    }

    private static String byEnd(String field) {
        for (String[] end : ENDS) {
            if (field.endsWith(end[0])) {
                return end[1];
            }
        }
        // Short ends, with which other words end, too.
        return field.startsWith("voltage") && field.endsWith("_v")
                ? "V"
                : field.startsWith("current") && field.endsWith("_a")
                        ? "A"
                        : field.startsWith("altitude") && field.endsWith("_m") ? "m" : "";
    }
}
