package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * Holds DataFlash records between the decoder and its handler until their definitions arrive.
 *
 * <p>A record of an undeclared type waits for its FMT. If requested, a record of a type without FMTU waits for that,
 * which shows the instance field; since an FMTU follows soon or never, it waits for at most {@value #UNITS_WAIT_BYTES}
 * bytes of log. At most 1 MiB waits; when it is full, the oldest records are passed on as they are. Owned by the
 * decoder's thread.
 */
final class PendingRecords implements HeldRecords.Release {
    static final long UNITS_WAIT_BYTES = 256 * 1024;

    private static final byte PLAIN = 0;
    private static final byte DEFINITION = 1;
    private static final byte WITHOUT_UNITS = 2;

    private final MemoryShare share;
    private final Definitions definitions;
    private final DataFlashDecoder.Handler handler;
    private final boolean waitForUnits;
    private final byte[] care = new byte[DataFlashLayout.TYPES];
    private final long[] patientUntil = new long[DataFlashLayout.TYPES];
    private final BitSet free = new BitSet(DataFlashLayout.TYPES);
    private @Nullable HeldRecords held;
    private boolean releasing;

    /** @param share memory for waiting records */
    PendingRecords(Definitions definitions, DataFlashDecoder.Handler handler, boolean waitForUnits, MemoryShare share) {
        this.share = share;
        this.definitions = definitions;
        this.handler = handler;
        this.waitForUnits = waitForUnits;
        for (int id = 0; id < DataFlashLayout.TYPES; id++) {
            RecordType type = definitions.type(id);
            if (type != null) {
                care[id] = Definitions.isDefinition(type) ? DEFINITION : PLAIN;
            }
        }
    }

    /** Takes an intact record of a declared type. Hot path. */
    void onRecord(RecordType type, byte[] buffer, int offset, long position) throws IOException {
        if (care[type.id()] != PLAIN) {
            onRecordToCareFor(type, buffer, offset, position);
        } else {
            handler.onRecord(type, buffer, offset);
        }
    }

    private void onRecordToCareFor(RecordType type, byte[] buffer, int offset, long position) throws IOException {
        int id = type.id();
        if (care[id] == DEFINITION) {
            learn(type, buffer, offset, position);
            handler.onRecord(type, buffer, offset);
            releaseFree();
        } else if (position < patientUntil[id]) {
            hold(id, buffer, offset, type.length(), position);
        } else {
            care[id] = PLAIN;
            free.set(id);
            releaseFree();
            handler.onRecord(type, buffer, offset);
        }
    }

    /** Takes a record of an undeclared type; its end is known from the bytes after it. */
    void onUndeclared(int type, byte[] buffer, int offset, int length, long position) throws IOException {
        hold(type, buffer, offset, length, position);
    }

    /** Releases records whose types were declared before the part that is read. */
    void learn(Definitions earlier) throws IOException {
        for (int id = 0; id < DataFlashLayout.TYPES; id++) {
            RecordType type = definitions.adopt(earlier, id);
            if (type != null) {
                care[id] = Definitions.isDefinition(type) ? DEFINITION : PLAIN;
                free.set(id);
            }
        }
        releaseFree();
    }

    /** Ends the log: releases all records. */
    void finish() throws IOException {
        if (held != null) {
            held.releaseAll(this);
        }
    }

    private void learn(RecordType type, byte[] buffer, int offset, long position) {
        RecordType declared = definitions.learn(type, buffer, offset);
        if (declared != null) {
            int id = declared.id();
            boolean isDefinition = Definitions.isDefinition(declared);
            boolean waits =
                    waitForUnits && !isDefinition && definitions.declaresUnits() && !definitions.hasUnits(declared);
            care[id] = isDefinition ? DEFINITION : waits ? WITHOUT_UNITS : PLAIN;
            patientUntil[id] = position + UNITS_WAIT_BYTES;
            if (!waits) {
                free.set(id);
            }
        } else if (waitForUnits && type.name().equals("FMTU")) {
            freeDescribed(definitions.describedBy(type, buffer, offset));
        }
    }

    private void freeDescribed(@Nullable RecordType described) {
        if (described != null && care[described.id()] == WITHOUT_UNITS && definitions.hasUnits(described)) {
            care[described.id()] = PLAIN;
            free.set(described.id());
        }
    }

    private void hold(int type, byte[] buffer, int offset, int length, long position) throws IOException {
        HeldRecords room = held;
        if (room == null) {
            room = new HeldRecords(share);
            held = room;
        }
        while (!room.hasRoom(length)) {
            if (room.isEmpty()) {
                release(type, buffer, offset, length, position); // no memory: pass it on at once
                return;
            }
            room.releaseOldest(this);
        }
        room.hold(type, buffer, offset, length, position);
    }

    /** Releases records whose definitions have arrived; they may be definitions themselves, and release others. */
    private void releaseFree() throws IOException {
        if (held == null) {
            free.clear();
            return;
        }
        if (releasing) {
            return;
        }
        releasing = true;
        for (int id = free.nextSetBit(0); id >= 0; id = free.nextSetBit(0)) {
            free.clear(id);
            held.release(id, this);
        }
        releasing = false;
    }

    @Override
    public void release(int id, byte[] buffer, int offset, int length, long position) throws IOException {
        RecordType type = definitions.type(id);
        if (type == null) {
            handler.onUndeclared(id, position, length);
        } else if (type.length() > length) {
            handler.onDamage(position, length);
        } else {
            give(type, buffer, offset, position);
            if (type.length() < length) {
                handler.onDamage(position + type.length(), length - type.length());
            }
        }
    }

    private void give(RecordType type, byte[] buffer, int offset, long position) throws IOException {
        if (care[type.id()] == DEFINITION) {
            learn(type, buffer, offset, position);
        }
        handler.onRecord(type, buffer, offset);
    }
}
