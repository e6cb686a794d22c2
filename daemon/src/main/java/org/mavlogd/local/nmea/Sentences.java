package org.mavlogd.local.nmea;

import java.util.List;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.ulog.FieldType;

/**
 * The kinds of sentences that become topics with typed fields, except XDR.
 *
 * @see <a href="https://gpsd.gitlab.io/gpsd/NMEA.html">NMEA 0183 revealed</a>
 */
final class Sentences {
    private static final double KNOT = 1852.0 / 3600;
    private static final double KM_PER_HOUR = 1 / 3.6;
    private static final double MILE_PER_HOUR = 0.44704;
    private static final double NAUTICAL_MILE = 1852;
    private static final double FOOT = 0.3048;
    private static final double FATHOM = 1.8288;
    private static final double PER_MINUTE = 1 / 60.0;
    private static final int GSA_SATELLITES = 12;

    static final List<SentenceSpec> ALL = List.of(
            rmc(), gga(), vtg(), gsa(), hdt(), hdg(), hdm(), rot(), dbt(), dpt(), mwv(), mwd(), vhw(), mtw(), vlw(),
            zda());

    private Sentences() {}

    private static SentenceSpec rmc() {
        return SentenceSpec.of("RMC")
                .custom(FieldType.UINT64, "utc", "us", Sentences::rmcTime)
                .flag("valid", 2, 'A')
                .position(3)
                .number("speed", "m/s", 7, KNOT)
                .number("course", "deg", 8, 1)
                .eastWest("magnetic_variation", 10)
                .letter("mode", 12)
                .build();
    }

    private static void rmcTime(Sentence sentence, LocalSample sample) {
        int date = sentence.part(9, 0, 311_299); // ddmmyy
        long micros =
                UtcDate.micros(UtcDate.fullYear(date % 100), date / 100 % 100, date / 10_000, sentence.timeOfDay(1));
        if (micros == 0 && !sentence.isEmpty(9) && !sentence.isEmpty(1)) {
            sentence.markBad();
        }
        sample.integer(micros);
    }

    private static SentenceSpec gga() {
        return SentenceSpec.of("GGA")
                .timeOfDay(1)
                .position(2)
                .number("altitude", "m", 9, 1)
                .number("geoid_separation", "m", 11, 1)
                .number("hdop", "1", 8, 1)
                .number("correction_age", "s", 13, 1)
                .count(FieldType.UINT8, "quality", 6)
                .count(FieldType.UINT8, "satellites", 7)
                .count(FieldType.UINT16, "station", 14)
                .build();
    }

    private static SentenceSpec vtg() {
        return SentenceSpec.of("VTG")
                .number("course", "deg", 1, 1)
                .number("magnetic_course", "deg", 3, 1)
                .firstNumber("speed", "m/s", new int[] {5, 7}, new double[] {KNOT, KM_PER_HOUR})
                .letter("mode", 9)
                .build();
    }

    /** One sentence for each satellite system, all from talker GN: newer devices distinguish them by the last field. */
    private static SentenceSpec gsa() {
        return SentenceSpec.of("GSA")
                .number("pdop", "1", 15, 1)
                .number("hdop", "1", 16, 1)
                .number("vdop", "1", 17, 1)
                .array(FieldType.UINT16, GSA_SATELLITES, "satellites", Sentences::gsaSatellites)
                .letter("selection", 1)
                .count(FieldType.UINT8, "fix", 2)
                .letter("system", 18)
                .keyedBy(18)
                .build();
    }

    private static void gsaSatellites(Sentence sentence, LocalSample sample) {
        for (int i = 0; i < GSA_SATELLITES; i++) {
            sample.integer(sentence.count(3 + i, 0xFFFF));
        }
    }

    private static SentenceSpec hdt() {
        return SentenceSpec.of("HDT").number("heading", "deg", 1, 1).build();
    }

    private static SentenceSpec hdg() {
        return SentenceSpec.of("HDG")
                .number("magnetic_heading", "deg", 1, 1)
                .eastWest("deviation", 2)
                .eastWest("variation", 4)
                .build();
    }

    private static SentenceSpec hdm() {
        return SentenceSpec.of("HDM").number("magnetic_heading", "deg", 1, 1).build();
    }

    private static SentenceSpec rot() {
        return SentenceSpec.of("ROT")
                .number("rate", "deg/s", 1, PER_MINUTE)
                .flag("valid", 2, 'A')
                .build();
    }

    private static SentenceSpec dbt() {
        return SentenceSpec.of("DBT")
                .firstNumber("depth", "m", new int[] {3, 1, 5}, new double[] {1, FOOT, FATHOM})
                .build();
    }

    private static SentenceSpec dpt() {
        return SentenceSpec.of("DPT")
                .number("depth", "m", 1, 1)
                .number("offset", "m", 2, 1)
                .number("range", "m", 3, 1)
                .build();
    }

    /** Apparent and true wind come alternately; each has its own instance. */
    private static SentenceSpec mwv() {
        return SentenceSpec.of("MWV")
                .number("angle", "deg", 1, 1)
                .custom(
                        FieldType.FLOAT,
                        "speed",
                        "m/s",
                        (s, out) -> out.float32((float) (s.number(3) * speedUnit(s, 4))))
                .flag("is_true", 2, 'T')
                .flag("valid", 5, 'A')
                .keyedBy(2)
                .build();
    }

    private static double speedUnit(Sentence sentence, int field) {
        double factor = switch (sentence.letter(field)) {
            case 'N' -> KNOT;
            case 'K' -> KM_PER_HOUR;
            case 'M' -> 1;
            case 'S' -> MILE_PER_HOUR;
            default -> Double.NaN;
        };
        if (Double.isNaN(factor) && !sentence.isEmpty(field)) {
            sentence.markBad();
        }
        return factor;
    }

    private static SentenceSpec mwd() {
        return SentenceSpec.of("MWD")
                .number("direction", "deg", 1, 1)
                .number("magnetic_direction", "deg", 3, 1)
                .firstNumber("speed", "m/s", new int[] {7, 5}, new double[] {1, KNOT})
                .build();
    }

    private static SentenceSpec vhw() {
        return SentenceSpec.of("VHW")
                .number("heading", "deg", 1, 1)
                .number("magnetic_heading", "deg", 3, 1)
                .firstNumber("speed", "m/s", new int[] {5, 7}, new double[] {KNOT, KM_PER_HOUR})
                .build();
    }

    private static SentenceSpec mtw() {
        return SentenceSpec.of("MTW").number("temperature", "degC", 1, 1).build();
    }

    private static SentenceSpec vlw() {
        return SentenceSpec.of("VLW")
                .number("water_total", "m", 1, NAUTICAL_MILE)
                .number("water_trip", "m", 3, NAUTICAL_MILE)
                .number("ground_total", "m", 5, NAUTICAL_MILE)
                .number("ground_trip", "m", 7, NAUTICAL_MILE)
                .build();
    }

    private static SentenceSpec zda() {
        return SentenceSpec.of("ZDA")
                .custom(FieldType.UINT64, "utc", "us", Sentences::zdaTime)
                .number("zone_hours", "h", 5, 1)
                .number("zone_minutes", "min", 6, 1)
                .build();
    }

    private static void zdaTime(Sentence sentence, LocalSample sample) {
        long micros = UtcDate.micros(
                sentence.part(4, 1970, 9999), sentence.part(3, 1, 12), sentence.part(2, 1, 31), sentence.timeOfDay(1));
        sample.integer(micros);
    }

    /** Computes UTC microseconds from the parts in sentences. */
    private static final class UtcDate {
        private static final int PIVOT = 80; // two digits of a year: 80 is 1980, when GPS began
        private static final long MARCH_OF_YEAR_0 = 719_468; // days before 1970
        private static final long SECONDS_PER_DAY = 86_400;
        private static final double MICROS = 1e6;

        private UtcDate() {}

        static int fullYear(int twoDigits) {
            return twoDigits >= PIVOT ? 1900 + twoDigits : 2000 + twoDigits;
        }

        /** Microseconds since 1970; 0 if a part is missing or there is no such day. */
        static long micros(int year, int month, int day, double secondsOfDay) {
            boolean known = year > 0 && month >= 1 && month <= 12 && day >= 1 && !Double.isNaN(secondsOfDay);
            if (!known || day > daysOf(year, month)) {
                return 0;
            }
            return epochDay(year, month, day) * SECONDS_PER_DAY * (long) MICROS + Math.round(secondsOfDay * MICROS);
        }

        private static int daysOf(int year, int month) {
            boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            return month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
        }

        /**
         * Computed like java.time.LocalDate, without making an object for each sentence. Here the year begins in March.
         */
        private static long epochDay(int year, int month, int day) {
            int years = month > 2 ? year : year - 1;
            int months = month > 2 ? month - 3 : month + 9;
            long days = 365L * years + years / 4 - years / 100 + years / 400;
            return days + (153 * months + 2) / 5 + day - 1 - MARCH_OF_YEAR_0;
        }
    }
}
