package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The results of a decoder. At the end every byte must be accounted for exactly once. */
final class Decoded implements DataFlashDecoder.Handler {
    /** The name and bytes of each record. */
    final List<String> records = new ArrayList<>();

    final List<String> damage = new ArrayList<>();
    final List<String> undeclared = new ArrayList<>();
    long recordBytes;
    long damagedBytes;
    long cutBytes;
    long undeclaredBytes;

    static Decoded of(byte[] log, int piece) throws IOException {
        return of(log, piece, DataFlashDecoder.Units.DO_NOT_WAIT);
    }

    static Decoded of(byte[] log, int piece, DataFlashDecoder.Units units) throws IOException {
        return of(log, piece, new Definitions(), units);
    }

    static Decoded of(byte[] log, int piece, Definitions definitions, DataFlashDecoder.Units units) throws IOException {
        Decoded decoded = new Decoded();
        DataFlashDecoder decoder = new DataFlashDecoder(definitions, units, decoded);
        for (int at = 0; at < log.length; at += piece) {
            // The decoder must not keep the array, so it is overwritten.
            byte[] bytes = Arrays.copyOfRange(log, at, Math.min(at + piece, log.length));
            decoder.feed(bytes, 0, bytes.length);
            Arrays.fill(bytes, (byte) 0xA3);
        }
        decoder.finish();
        long accounted = decoded.recordBytes + decoded.damagedBytes + decoded.cutBytes + decoded.undeclaredBytes;
        if (accounted != log.length) {
            throw new AssertionError("of " + log.length + " bytes " + accounted + " are accounted for");
        }
        return decoded;
    }

    long named(String name) {
        return records.stream().filter(record -> record.startsWith(name + " ")).count();
    }

    @Override
    public void onRecord(RecordType type, byte[] buffer, int offset) {
        recordBytes += type.length();
        records.add(type.name() + " " + HexFormat.of().formatHex(buffer, offset, offset + type.length()));
    }

    @Override
    public void onDamage(long position, long length) {
        damagedBytes += length;
        damage.add(position + "+" + length);
    }

    @Override
    public void onCut(long position, long length) {
        cutBytes += length;
    }

    @Override
    public void onUndeclared(int type, long position, int length) {
        undeclaredBytes += length;
        undeclared.add(type + "@" + position);
    }
}
