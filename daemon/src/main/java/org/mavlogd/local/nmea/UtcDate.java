package org.mavlogd.local.nmea;

/** UTC microseconds from the parts that sentences give. */
final class UtcDate {
    private static final int PIVOT = 80; // two digits of a year: 80 is 1980, when GPS began
    private static final long MARCH_OF_YEAR_0 = 719_468; // days before 1970
    private static final long SECONDS_PER_DAY = 86_400;
    private static final double MICROS = 1e6;

    private UtcDate() {}

    static int fullYear(int twoDigits) {
        return twoDigits >= PIVOT ? 1900 + twoDigits : 2000 + twoDigits;
    }

    /** Microseconds since 1970; 0 when a part is missing or there is no such day. */
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

    /** As java.time.LocalDate counts, without making one for each sentence. The year begins in March here. */
    private static long epochDay(int year, int month, int day) {
        int years = month > 2 ? year : year - 1;
        int months = month > 2 ? month - 3 : month + 9;
        long days = 365L * years + years / 4 - years / 100 + years / 400;
        return days + (153 * months + 2) / 5 + day - 1 - MARCH_OF_YEAR_0;
    }
}
