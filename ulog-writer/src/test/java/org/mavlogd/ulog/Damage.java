package org.mavlogd.ulog;

import java.util.Arrays;
import java.util.Random;

/** Damages a log, and records where each remaining byte came from. */
final class Damage {
    enum Kind {
        BYTE_FLIPS,
        ZEROS,
        REMOVED,
        RANDOM,
        ERASED
    }

    final byte[] bytes;
    /** For each remaining byte its position in the original, or -1 if it was changed. */
    final int[] origins;

    private Damage(byte[] bytes, int[] origins) {
        this.bytes = bytes;
        this.origins = origins;
    }

    /** Damages a copy of a log. The amounts suit real logs; smaller logs get less damage. */
    static Damage of(Kind kind, byte[] log, long seed) {
        Random random = new Random(seed);
        byte[] bytes = log.clone();
        int[] origins = new int[log.length];
        Arrays.setAll(origins, i -> i);
        Damage damage = new Damage(bytes, origins);
        return switch (kind) {
            case BYTE_FLIPS -> damage.flip(20, random);
            case ZEROS -> damage.fill(3, 4096, 0, random);
            case ERASED -> damage.fill(8, 512, 0xFF, random);
            case RANDOM -> damage.randomize(32 * 1024, random);
            case REMOVED -> damage.remove(3, 4096, random);
        };
    }

    /** Whether the bytes from {@code position} on are unchanged and consecutive in the original. */
    boolean isUntouched(int position, int length) {
        for (int i = 0; i < length; i++) {
            if (origins[position + i] < 0 || origins[position + i] != origins[position] + i) {
                return false;
            }
        }
        return true;
    }

    private Damage flip(int count, Random random) {
        for (int i = 0; i < count; i++) {
            int at = place(1, random);
            bytes[at] ^= (byte) (1 + random.nextInt(255));
            origins[at] = -1;
        }
        return this;
    }

    private Damage fill(int count, int length, int value, Random random) {
        for (int i = 0; i < count; i++) {
            int at = place(length, random);
            Arrays.fill(bytes, at, at + length, (byte) value);
            Arrays.fill(origins, at, at + length, -1);
        }
        return this;
    }

    private Damage randomize(int length, Random random) {
        int at = place(length, random);
        for (int i = at; i < at + length; i++) {
            bytes[i] = (byte) random.nextInt(256);
            origins[i] = -1;
        }
        return this;
    }

    private Damage remove(int count, int length, Random random) {
        Damage damage = this;
        for (int i = 0; i < count; i++) {
            int at = damage.place(length, random);
            int left = damage.bytes.length - length;
            byte[] bytesLeft = Arrays.copyOf(damage.bytes, left);
            int[] originsLeft = Arrays.copyOf(damage.origins, left);
            System.arraycopy(damage.bytes, at + length, bytesLeft, at, left - at);
            System.arraycopy(damage.origins, at + length, originsLeft, at, left - at);
            damage = new Damage(bytesLeft, originsLeft);
        }
        return damage;
    }

    /** A random position after the flag bits, without which no reader can read the log. */
    private int place(int length, Random random) {
        int from = ULogLayout.HEADER_LENGTH + MessageEncoder.FLAG_BITS_LENGTH;
        return from + random.nextInt(bytes.length - from - length);
    }
}
