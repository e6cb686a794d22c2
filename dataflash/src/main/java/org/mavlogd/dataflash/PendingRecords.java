package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * DataFlash records that cannot be understood yet: holds them between the decoder and its handler until their definitions come.
 *
 * <p>A record of an undeclared type waits for its FMT. If wanted, one of a type whose FMTU has not come waits for that, for
 * it shows which field is the instance; as FMTU follows soon or not at all, no longer than {@value #UNITS_WAIT_BYTES}
 * bytes of log. At most 1 MiB waits; then the oldest continue as they are. Owned by the decoder's thread.
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

    /** @param share of the records that wait */
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

    /** A sound record of a declared type. Hot path. */
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

    /** A record of a type that nobody has declared; where it ends is known from what follows. */
    void onUndeclared(int type, byte[] buffer, int offset, int length, long position) throws IOException {
        hold(type, buffer, offset, length, position);
    }

    /** Records that waited for a type that was declared earlier wait no longer. */
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

    /** Nothing more comes. */
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
                release(type, buffer, offset, length, position); // no memory: as if it had waited in vain
                return;
            }
            room.releaseOldest(this);
        }
        room.hold(type, buffer, offset, length, position);
    }

    /** Definitions may be among those that waited, and free others in turn. */
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
