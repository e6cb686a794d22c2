package org.mavlogd.local.nmea;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.mavlogd.local.Decimals;

/**
 * One parsed sentence: an address of talker and kind, and fields from 1. Missing fields are empty. An empty field is
 * NaN or 0; so is an invalid one, and then {@link #hasBadField} is true. Reused; never throws. Owned by the link's
 * thread. Hot path.
 */
final class Sentence implements CharSequence {
    /** The checksum of a sentence. */
    enum Checksum {
        RIGHT,
        WRONG,
        MISSING
    }

    private static final int ADDRESS_LENGTH = 5; // talker 2, kind 3
    private static final int TALKER_LENGTH = 2;
    private static final double MINUTES = 60;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final Decimals decimals = new Decimals();
    private final byte[] line = new byte[SentenceReader.MAX_LENGTH];
    private final ByteBuffer view = ByteBuffer.wrap(line);
    private final int[] begins = new int[SentenceReader.MAX_LENGTH + 1];
    private int length;
    private int end; // of the last field
    private int fields;
    private Checksum checksum = Checksum.MISSING;
    private boolean badField;

    /** Parses a line from {@code $} or {@code !} to its last character. */
    void set(byte[] source, int sourceLength) {
        length = sourceLength;
        System.arraycopy(source, 0, line, 0, length);
        badField = false;
        checksum = findChecksum();
        fields = 0;
        begins[0] = 1;
        for (int i = 1; i < end; i++) {
            if (line[i] == ',') {
                fields++;
                begins[fields] = i + 1;
            }
        }
    }

    private Checksum findChecksum() {
        int star = length - 1;
        while (star > 0 && line[star] != '*') {
            star--;
        }
        end = star > 0 ? star : length;
        if (star == 0) {
            return Checksum.MISSING;
        }
        int sum = 0;
        for (int i = 1; i < star; i++) {
            sum ^= line[i];
        }
        boolean right = length - star == 3
                && Character.digit(line[star + 1], 16) == sum >> 4
                && Character.digit(line[star + 2], 16) == (sum & 0xF);
        return right ? Checksum.RIGHT : Checksum.WRONG;
    }

    Checksum checksum() {
        return checksum;
    }

    /** Whether it has an address of letters and digits. */
    boolean hasAddress() {
        int to = endOf(0);
        for (int i = 1; i < to; i++) {
            boolean good = (line[i] >= 'A' && line[i] <= 'Z') || (line[i] >= '0' && line[i] <= '9');
            if (!good) {
                return false;
            }
        }
        return to - 1 >= 3;
    }

    /** Whether it is of this kind, three letters, from any talker. */
    boolean isOf(String kind) {
        return line[0] == '$'
                && endOf(0) == 1 + ADDRESS_LENGTH
                && line[1] != 'P' // proprietary
                && line[3] == kind.charAt(0)
                && line[4] == kind.charAt(1)
                && line[5] == kind.charAt(2);
    }

    /** A letter of the talker, index 0 or 1. */
    byte talker(int index) {
        return line[1 + index];
    }

    /** A key that is equal for equal talkers. */
    long talkerKey() {
        return hash(FNV_OFFSET, 1, 1 + TALKER_LENGTH);
    }

    /** A key that also depends on the content of a field. */
    long keyWith(long key, int field) {
        return isEmpty(field) ? key : hash(key, begins[field], endOf(field));
    }

    private long hash(long begin, int from, int to) {
        long hash = begin;
        for (int i = from; i < to; i++) {
            hash = (hash ^ line[i]) * FNV_PRIME;
        }
        return hash;
    }

    /** The number of fields after the address. */
    int fields() {
        return fields;
    }

    boolean isEmpty(int field) {
        return field > fields || begins[field] == endOf(field);
    }

    /** Whether any field read so far was invalid. */
    boolean hasBadField() {
        return badField;
    }

    double number(int field) {
        if (isEmpty(field)) {
            return Double.NaN;
        }
        double value = decimals.parse(view, begins[field], endOf(field));
        badField |= Double.isNaN(value);
        return value;
    }

    /** An integer from 0 to {@code max}; 0 if empty. */
    int count(int field, int max) {
        return (int) bounded(field, max);
    }

    private double bounded(int field, double max) {
        double value = number(field);
        boolean good = value >= 0 && value <= max;
        badField |= !good && !isEmpty(field);
        return good ? value : 0;
    }

    /** The only letter of a field; 0 if empty. */
    byte letter(int field) {
        if (isEmpty(field)) {
            return 0;
        }
        if (endOf(field) - begins[field] > 1) {
            badField = true;
            return 0;
        }
        return line[begins[field]];
    }

    /** A number whose sign is a letter in the next field. */
    double signed(int field, char positive, char negative) {
        double value = number(field);
        byte sign = letter(field + 1);
        if (Double.isNaN(value)) {
            return value;
        }
        if (sign == positive || sign == negative) {
            return sign == positive ? value : -value;
        }
        badField |= sign != 0;
        return Double.NaN; // unknown without the letter
    }

    /** Degrees from {@code dddmm.mmm} and a letter in the next field. */
    double angle(int field, char positive, char negative, double max) {
        double value = signed(field, positive, negative);
        double magnitude = Math.abs(value);
        double degrees = Math.floor(magnitude / 100);
        double minutes = magnitude - degrees * 100;
        double angle = degrees + minutes / MINUTES;
        if (minutes >= MINUTES || angle > max) {
            badField = true;
            return Double.NaN;
        }
        return Math.copySign(angle, value);
    }

    /** Seconds since midnight from {@code hhmmss.sss}; NaN if empty. */
    double timeOfDay(int field) {
        double value = number(field);
        double hours = Math.floor(value / 1e4);
        double minutes = Math.floor((value - hours * 1e4) / 100);
        double seconds = value - hours * 1e4 - minutes * 100;
        if (value < 0 || hours > 23 || minutes > 59 || seconds >= 61) {
            badField = true;
            return Double.NaN;
        }
        return hours * 3600 + minutes * 60 + seconds;
    }

    /** An integer in a range, such as a part of a date; 0 if it is not, or empty. */
    int part(int field, int min, int max) {
        int value = (int) bounded(field, max);
        badField |= value < min && !isEmpty(field);
        return value < min ? 0 : value;
    }

    /** Appends a field's text to {@code target}, truncated to {@code maxLength}. */
    void text(int field, StringBuilder target, int maxLength) {
        if (field <= fields) {
            for (int i = begins[field]; i < endOf(field) && target.length() < maxLength; i++) {
                target.append((char) line[i]);
            }
        }
    }

    void markBad() {
        badField = true;
    }

    private int endOf(int field) {
        return field == fields ? end : begins[field + 1] - 1;
    }

    /** The complete sentence as text. */
    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        return (char) line[index];
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return toString().subSequence(from, to);
    }

    @Override
    public String toString() {
        return new String(line, 0, length, StandardCharsets.US_ASCII);
    }
}
