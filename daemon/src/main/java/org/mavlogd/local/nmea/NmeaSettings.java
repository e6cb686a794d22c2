package org.mavlogd.local.nmea;

/**
 * One link of instruments.
 *
 * @param link its name
 * @param number which of the links it is, 0 to {@link #MAX_LINKS} - 1; keeps its instances apart from the others'
 * @param requireChecksum whether sentences without checksum are refused; a wrong one always is
 */
public record NmeaSettings(String link, int number, boolean requireChecksum) {
    /** So many links; with {@link Devices#LIMIT} devices each they fill the 256 instances of a topic. */
    public static final int MAX_LINKS = 16;
}
