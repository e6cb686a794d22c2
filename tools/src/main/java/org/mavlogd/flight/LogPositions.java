package org.mavlogd.flight;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/**
 * Reads the vehicle's position and speed from the topics of PX4 and ArduPilot that have them.
 *
 * <p>The best source is the position estimated by the vehicle, followed by that of a satellite receiver, the local
 * position if its reference is known, and the true position of a simulator. Positions without a fix, at 0/0, out of
 * range or NaN are ignored.
 */
final class LogPositions {
    private static final String LOCAL = "vehicle_local_position";

    /** The topics with positions, the best first. */
    private static final List<String> TOPICS = List.of(
            "vehicle_global_position",
            "POS",
            "vehicle_gps_position",
            "GPS",
            "sensor_gps",
            "mavlink_global_position_int",
            "mavlink_gps_raw_int",
            LOCAL,
            "AHR2",
            "SIM");

    /** The topics with a ground speed, the best first. */
    private static final List<String> SPEEDS =
            List.of(LOCAL, "vehicle_global_position", "vehicle_gps_position", "GPS", "sensor_gps");

    private static final int MAX_INSTANCES = 4;

    private LogPositions() {}

    /**
     * A position. Reused.
     *
     * <p>In degrees of WGS 84, and metres above sea level; an unknown altitude is NaN. Ground speed in metres per
     * second; NaN if the topic has none.
     */
    static final class Fix {
        static final double EARTH_RADIUS_M = 6_371_000;
        // In radians, about 640 m; and in degrees.
        private static final double NEAR = 1e-4;
        private static final double STEEP = 80;

        private static final double MAX_ALTITUDE_M = 1e6;
        private static final double MAX_SPEED_M_S = 1e5;
        private static final double MAX_JUMP_M = 100;
        private static final double MAX_JUMP_M_S = 500;

        private long timestampUs;
        private double latitude;
        private double longitude;
        private double altitudeM;
        private double speedMS;
        private double cosineOf = Double.NaN;
        private double cosine;

        long timestampUs() {
            return timestampUs;
        }

        double latitude() {
            return latitude;
        }

        double longitude() {
            return longitude;
        }

        double altitudeM() {
            return altitudeM;
        }

        boolean hasAltitude() {
            return !Double.isNaN(altitudeM);
        }

        double speedMS() {
            return speedMS;
        }

        void copy(Fix other) {
            timestampUs = other.timestampUs;
            latitude = other.latitude;
            longitude = other.longitude;
            altitudeM = other.altitudeM;
            speedMS = other.speedMS;
        }

        /** Distance along the ground, on a sphere: short distances on a plane, others along the great circle. */
        double distanceM(Fix other) {
            double north = Math.toRadians(other.latitude - latitude);
            double east = Math.toRadians(other.longitude - longitude);
            if (Math.abs(north) < NEAR && Math.abs(east) < NEAR && Math.abs(latitude) < STEEP) {
                double narrow = east * cosine();
                return EARTH_RADIUS_M * Math.sqrt(north * north + narrow * narrow);
            }
            double half = Math.sin(north / 2);
            double across = Math.sin(east / 2);
            double square = half * half + cosine() * Math.cos(Math.toRadians(other.latitude)) * across * across;
            return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)));
        }

        /** Cosine of the latitude, cached for the next call. */
        private double cosine() {
            if (latitude != cosineOf) {
                cosineOf = latitude;
                cosine = Math.cos(Math.toRadians(latitude));
            }
            return cosine;
        }

        /** Whether no vehicle can get here from the other position: an estimate was corrected. */
        boolean isJumpFrom(Fix before) {
            double distance = distanceM(before);
            return distance > MAX_JUMP_M && distance * 1e6 > MAX_JUMP_M_S * Math.abs(timestampUs - before.timestampUs);
        }

        private boolean hasPosition() {
            return timestampUs >= 0
                    && Math.abs(latitude) <= 90
                    && Math.abs(longitude) <= 180
                    && (latitude != 0 || longitude != 0);
        }

        private void begin(long timeUs) {
            timestampUs = timeUs;
            latitude = Double.NaN;
            longitude = Double.NaN;
            altitudeM = Double.NaN;
            speedMS = Double.NaN;
        }

        private void setAltitude(double metres) {
            altitudeM = Math.abs(metres) <= MAX_ALTITUDE_M ? metres : Double.NaN;
        }

        private void setSpeed(double metresPerSecond) {
            speedMS = metresPerSecond >= 0 && metresPerSecond <= MAX_SPEED_M_S ? metresPerSecond : Double.NaN;
        }

        /** Sets a position by metres north and east of a reference, in PX4's projection: azimuthal equidistant. */
        private void setLocal(double referenceLatitude, double referenceLongitude, double north, double east) {
            double angle = Math.hypot(north, east) / EARTH_RADIUS_M;
            double sine = angle == 0 ? 1 : Math.sin(angle) / angle;
            double up = north / EARTH_RADIUS_M * sine;
            double right = east / EARTH_RADIUS_M * sine;
            double from = Math.toRadians(referenceLatitude);
            latitude = Math.toDegrees(Math.asin(Math.cos(angle) * Math.sin(from) + up * Math.cos(from)));
            longitude = referenceLongitude
                    + Math.toDegrees(Math.atan2(right, Math.cos(from) * Math.cos(angle) - up * Math.sin(from)));
            longitude = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
        }
    }

    /** Reads a topic's samples. Hot path: allocates nothing. */
    abstract static class Reader {
        private final int rank;
        private final int speedRank;
        private final int multiId;
        private final String topic;

        private Reader(Topic topic) {
            this.rank = TOPICS.indexOf(topic.name());
            this.speedRank = SPEEDS.indexOf(topic.name());
            this.multiId = topic.multiId();
            this.topic = topic.toString();
        }

        /** Rank as a source of positions; lower is better. */
        int rank() {
            return rank * MAX_INSTANCES + multiId;
        }

        /** Rank as a source of speeds; lower is better, negative if it has none. */
        int speedRank() {
            return speedRank < 0 ? -1 : speedRank * MAX_INSTANCES + multiId;
        }

        /** Whether the position is the true one of a simulator, which starts with the log. */
        boolean isSimulated() {
            return rank == TOPICS.size() - 1;
        }

        /** The topic and instance. */
        String topic() {
            return topic;
        }

        /** Reads a sample; returns whether it has a position. The speed may be known without one. */
        final boolean read(SampleView sample, Fix fix) {
            fix.begin(sample.timestampUs());
            fill(sample, fix);
            return fix.hasPosition();
        }

        abstract void fill(SampleView sample, Fix fix);
    }

    /** The reader of a topic that has positions; null for any other topic. */
    static @Nullable Reader reader(Topic topic) {
        Optional<TopicLayout> layout = topic.layout();
        if (layout.isEmpty() || !TOPICS.contains(topic.name()) || topic.multiId() >= MAX_INSTANCES) {
            return null;
        }
        if (topic.name().equals(LOCAL)) {
            return LocalReader.of(topic, layout.get(), false);
        }
        return GlobalReader.of(topic, layout.get());
    }

    /**
     * A reader of the local position at an arbitrary place, for a flight without a reference, such as indoors:
     * distances and heights are correct, place and altitude are meaningless. Null for any other topic.
     */
    static @Nullable Reader relativeReader(Topic topic) {
        Optional<TopicLayout> layout = topic.layout();
        return layout.isPresent() && topic.name().equals(LOCAL) && topic.multiId() == 0
                ? LocalReader.of(topic, layout.get(), true)
                : null;
    }

    /** The first of these columns that the layout has. */
    static @Nullable Column column(TopicLayout layout, String... names) {
        return Stream.of(names)
                .flatMap(name -> layout.column(name).stream())
                .filter(column -> column.type() != FieldType.CHAR)
                .findFirst()
                .orElse(null);
    }

    /** A number; integers are divided by {@code partsPerUnit}. NaN if the column is missing. */
    static double number(SampleView sample, @Nullable Column column, double partsPerUnit) {
        if (column == null) {
            return Double.NaN;
        }
        double value = sample.number(column);
        return column.type().isInteger() ? value / partsPerUnit : value;
    }

    /** A flag, true if the log lacks it. */
    private static boolean flag(SampleView sample, @Nullable Column column) {
        return column == null || sample.number(column) != 0;
    }

    /** Reads latitude and longitude of an estimate or a receiver. */
    private static final class GlobalReader extends Reader {
        private static final double DEGREE_PARTS = 1e7;
        private static final int FIX_2D = 2;
        private static final int FIX_3D = 3;

        private final Column latitude;
        private final Column longitude;
        private final @Nullable Column altitude;
        private final double altitudeParts;
        private final @Nullable Column fix;
        private final @Nullable Column isValid;
        private final @Nullable Column isAltitudeValid;
        private final Speed speed;

        private GlobalReader(Topic topic, TopicLayout layout, Column latitude, Column longitude) {
            super(topic);
            this.latitude = latitude;
            this.longitude = longitude;
            this.altitude = column(layout, "alt", "altitude_msl_m", "Alt");
            // Integers are millimetres in PX4's logs, centimetres in ArduPilot's.
            this.altitudeParts = altitude != null && altitude.path().equals("Alt") ? 100 : 1000;
            this.fix = column(layout, "fix_type", "Status");
            this.isValid = column(layout, "lat_lon_valid");
            this.isAltitudeValid = column(layout, "alt_valid");
            this.speed = Speed.of(layout);
        }

        static @Nullable Reader of(Topic topic, TopicLayout layout) {
            Column latitude = column(layout, "lat", "latitude_deg", "Lat");
            Column longitude = column(layout, "lon", "longitude_deg", "Lng");
            return latitude == null || longitude == null ? null : new GlobalReader(topic, layout, latitude, longitude);
        }

        @Override
        void fill(SampleView sample, Fix target) {
            double quality = fix == null ? FIX_3D : sample.number(fix);
            if (quality < FIX_2D) {
                return;
            }
            target.setSpeed(speed.of(sample));
            if (flag(sample, isValid)) {
                target.latitude = number(sample, latitude, DEGREE_PARTS);
                target.longitude = number(sample, longitude, DEGREE_PARTS);
            }
            if (quality >= FIX_3D && flag(sample, isAltitudeValid)) {
                target.setAltitude(number(sample, altitude, altitudeParts));
            }
        }
    }

    /** Reads metres from a reference position. */
    private static final class LocalReader extends Reader {
        private static final double ANY_LATITUDE = 1;

        private final boolean isRelative;
        private final List<@Nullable Column> values;
        private final @Nullable Column isValid;
        private final @Nullable Column isGlobal;
        private final @Nullable Column isHeightValid;
        private final @Nullable Column isHeightGlobal;
        private final Speed speed;

        private LocalReader(Topic topic, TopicLayout layout, List<@Nullable Column> values, boolean isRelative) {
            super(topic);
            this.isRelative = isRelative;
            this.values = values;
            this.isValid = column(layout, "xy_valid");
            this.isGlobal = column(layout, "xy_global");
            this.isHeightValid = column(layout, "z_valid");
            this.isHeightGlobal = column(layout, "z_global");
            this.speed = Speed.of(layout);
        }

        static @Nullable Reader of(Topic topic, TopicLayout layout, boolean isRelative) {
            List<@Nullable Column> values = Stream.of("ref_lat", "ref_lon", "ref_alt", "x", "y", "z")
                    .<@Nullable Column>map(name -> column(layout, name))
                    .toList();
            return values.contains(null) ? null : new LocalReader(topic, layout, values, isRelative);
        }

        private double value(SampleView sample, int index) {
            return number(sample, values.get(index), 1);
        }

        @Override
        void fill(SampleView sample, Fix target) {
            target.setSpeed(speed.of(sample));
            if (!flag(sample, isValid)) {
                return;
            }
            if (isRelative) {
                target.setLocal(ANY_LATITUDE, 0, value(sample, 3), value(sample, 4));
                target.setAltitude(flag(sample, isHeightValid) ? -value(sample, 5) : Double.NaN);
            } else {
                fillGlobal(sample, target);
            }
        }

        private void fillGlobal(SampleView sample, Fix target) {
            double latitude = value(sample, 0);
            double longitude = value(sample, 1);
            boolean isReferenced = flag(sample, isGlobal) && (latitude != 0 || longitude != 0);
            if (!isReferenced || !(Math.abs(latitude) <= 90)) {
                return;
            }
            target.setLocal(latitude, longitude, value(sample, 3), value(sample, 4));
            if (flag(sample, isHeightGlobal) && flag(sample, isHeightValid)) {
                target.setAltitude(value(sample, 2) - value(sample, 5));
            }
        }
    }

    /** The ground speed: a column with it, or columns with its northern and eastern parts. */
    private record Speed(
            @Nullable Column whole,
            @Nullable Column north,
            @Nullable Column east,
            @Nullable Column isValid) {
        private static final double CENTIMETRES = 100;

        static Speed of(TopicLayout layout) {
            return new Speed(
                    column(layout, "vel_m_s", "Spd"),
                    column(layout, "vx", "vel_n"),
                    column(layout, "vy", "vel_e"),
                    column(layout, "v_xy_valid"));
        }

        double of(SampleView sample) {
            if (!flag(sample, isValid)) {
                return Double.NaN;
            }
            return whole == null
                    ? Math.hypot(number(sample, north, 1), number(sample, east, 1))
                    : number(sample, whole, CENTIMETRES);
        }
    }
}
