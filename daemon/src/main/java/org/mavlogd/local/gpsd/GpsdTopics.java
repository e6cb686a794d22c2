package org.mavlogd.local.gpsd;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** The topics of gpsd's reports, with the names and units that gpsd documents. Owned by the link's thread. */
final class GpsdTopics {
    static final String[] SATELLITE_FIELDS = {"PRN", "gnssid", "el", "az", "ss", "used"};

    private static final int DEVICE_LENGTH = 32;

    /** A number's name in reports, its name in the topic, and its unit. */
    private record Quantity(String theirs, String ours, String unit) {}

    private static final List<Quantity> POSITION = List.of(
            new Quantity("lat", "latitude", "deg"),
            new Quantity("lon", "longitude", "deg"),
            new Quantity("altHAE", "altitude_ellipsoid", "m"),
            new Quantity("altMSL", "altitude_msl", "m"));

    private static final List<Quantity> MOTION = List.of(
            new Quantity("geoidSep", "geoid_separation", "m"),
            new Quantity("speed", "speed", "m/s"),
            new Quantity("track", "course", "deg"),
            new Quantity("climb", "climb", "m/s"),
            new Quantity("velN", "velocity_north", "m/s"),
            new Quantity("velE", "velocity_east", "m/s"),
            new Quantity("velD", "velocity_down", "m/s"),
            new Quantity("magvar", "magnetic_variation", "deg"),
            new Quantity("ept", "time_error", "s"),
            new Quantity("epx", "longitude_error", "m"),
            new Quantity("epy", "latitude_error", "m"),
            new Quantity("epv", "altitude_error", "m"),
            new Quantity("eph", "horizontal_error", "m"),
            new Quantity("sep", "position_error", "m"),
            new Quantity("eps", "speed_error", "m/s"),
            new Quantity("epd", "course_error", "deg"),
            new Quantity("epc", "climb_error", "m/s"));

    private static final List<Quantity> PRECISION = List.of(
            new Quantity("hdop", "hdop", "1"),
            new Quantity("vdop", "vdop", "1"),
            new Quantity("pdop", "pdop", "1"),
            new Quantity("tdop", "tdop", "1"),
            new Quantity("gdop", "gdop", "1"),
            new Quantity("xdop", "xdop", "1"),
            new Quantity("ydop", "ydop", "1"));

    private static final List<Quantity> ATTITUDE = List.of(
            new Quantity("heading", "heading", "deg"),
            new Quantity("mheading", "magnetic_heading", "deg"),
            new Quantity("pitch", "pitch", "deg"),
            new Quantity("roll", "roll", "deg"),
            new Quantity("yaw", "yaw", "deg"),
            new Quantity("rot", "rate_of_turn", "deg/min"),
            new Quantity("dip", "dip", "deg"),
            new Quantity("acc_x", "acceleration_x", "m/s^2"),
            new Quantity("acc_y", "acceleration_y", "m/s^2"),
            new Quantity("acc_z", "acceleration_z", "m/s^2"),
            new Quantity("acc_len", "acceleration", "m/s^2"),
            new Quantity("gyro_x", "rotation_x", "deg/s"),
            new Quantity("gyro_y", "rotation_y", "deg/s"),
            new Quantity("gyro_z", "rotation_z", "deg/s"),
            new Quantity("mag_x", "magnetic_x", ""),
            new Quantity("mag_y", "magnetic_y", ""),
            new Quantity("mag_z", "magnetic_z", ""),
            new Quantity("mag_len", "magnetic", ""),
            new Quantity("depth", "depth", "m"),
            new Quantity("temp", "temperature", "degC"));

    private final LocalSample tpv;
    private final LocalSample sky;
    private final LocalSample att;

    GpsdTopics(Outlet outlet) {
        TopicBuilder position = TopicBuilder.of("gpsd_tpv").field(FieldType.UINT64, "utc", "us");
        POSITION.forEach(n -> position.field(FieldType.DOUBLE, n.ours(), n.unit()));
        MOTION.forEach(n -> position.field(FieldType.FLOAT, n.ours(), n.unit()));
        tpv = position.field(FieldType.UINT8, "mode")
                .field(FieldType.UINT8, "status")
                .text(DEVICE_LENGTH, "device")
                .declare(outlet);

        TopicBuilder view = TopicBuilder.of("gpsd_sky");
        PRECISION.forEach(n -> view.field(FieldType.FLOAT, n.ours(), n.unit()));
        sky = view.field(FieldType.INT16, "satellites_seen")
                .field(FieldType.INT16, "satellites_used")
                .array(FieldType.UINT16, GpsdReport.MAX_SATELLITES, "prn", "")
                .array(FieldType.UINT8, GpsdReport.MAX_SATELLITES, "gnss", "")
                .array(FieldType.FLOAT, GpsdReport.MAX_SATELLITES, "elevation", "deg")
                .array(FieldType.FLOAT, GpsdReport.MAX_SATELLITES, "azimuth", "deg")
                .array(FieldType.FLOAT, GpsdReport.MAX_SATELLITES, "signal", "dBHz")
                .array(FieldType.BOOL, GpsdReport.MAX_SATELLITES, "used", "")
                .text(DEVICE_LENGTH, "device")
                .declare(outlet);

        TopicBuilder attitude = TopicBuilder.of("gpsd_att").field(FieldType.UINT64, "utc", "us");
        ATTITUDE.forEach(n -> attitude.field(FieldType.FLOAT, n.ours(), n.unit()));
        att = attitude.text(DEVICE_LENGTH, "device").declare(outlet);
    }

    /** Fills the sample of a TPV report. */
    LocalSample tpv(GpsdReport report, int instance, long nowNs) {
        tpv.begin(instance, nowNs).integer(micros(report.time()));
        for (Quantity number : POSITION) {
            tpv.float64(report.number(number.theirs()));
        }
        floats(tpv, MOTION, report);
        return tpv.integer(whole(report.number("mode"), 0))
                .integer(whole(report.number("status"), 0))
                .text(report.device());
    }

    /** Fills the sample of a SKY report. Counts are -1 if the report has only precision. */
    LocalSample sky(GpsdReport report, int instance, long nowNs) {
        sky.begin(instance, nowNs);
        floats(sky, PRECISION, report);
        int used = report.hasSatellites() ? 0 : -1;
        for (int i = 0; i < report.satelliteCount(); i++) {
            used += report.satellite(i, 5) == 1 ? 1 : 0;
        }
        sky.integer(whole(report.number("nSat"), report.hasSatellites() ? report.satelliteCount() : -1));
        sky.integer(whole(report.number("uSat"), used));
        for (int field = 0; field < SATELLITE_FIELDS.length; field++) {
            for (int i = 0; i < GpsdReport.MAX_SATELLITES; i++) {
                satellite(report.satellite(i, field), field);
            }
        }
        return sky.text(report.device());
    }

    private void satellite(double value, int field) {
        switch (field) {
            case 0, 1 -> sky.integer(whole(value, 0));
            case 5 -> sky.bool(value == 1);
            default -> sky.float32((float) value);
        }
    }

    LocalSample att(GpsdReport report, int instance, long nowNs) {
        att.begin(instance, nowNs).integer(micros(report.time()));
        floats(att, ATTITUDE, report);
        return att.text(report.device());
    }

    private static void floats(LocalSample sample, List<Quantity> numbers, GpsdReport report) {
        for (Quantity number : numbers) {
            sample.float32((float) report.number(number.theirs()));
        }
    }

    private static long whole(double value, long absent) {
        return Double.isNaN(value) ? absent : (long) value;
    }

    /** Microseconds since 1970; 0 if the time is missing or invalid. */
    private static long micros(String time) {
        if (time.isEmpty()) {
            return 0;
        }
        try {
            Instant instant = Instant.parse(time);
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
        } catch (DateTimeParseException | ArithmeticException e) {
            return 0;
        }
    }
}
