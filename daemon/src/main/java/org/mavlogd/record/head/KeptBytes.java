package org.mavlogd.record.head;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * Stores entries of bytes one after another, in pieces whose memory is reserved before they are allocated, and which
 * never move. An entry lies in one piece, so that it can be read without a copy. Owned by the recorder's thread.
 */
public final class KeptBytes {
    private static final int FIRST_PIECE = 4 << 10;
    // A place is the index of the piece and the offset in it; no entry begins after this offset.
    private static final int MAX_PIECE = 1 << 16;
    private static final int PLACE_BITS = 16;
    private static final int PLACE_MASK = MAX_PIECE - 1;
    // Heap for the array, the view and the list's entry.
    private static final int PIECE_OVERHEAD = 96;
    private static final int GROWTH_SHIFT = 2;
    private static final int MAX_PIECES = 1 << 14;

    private static final class Piece {
        private final byte[] bytes;
        private final UnsafeBuffer view;
        private int used;

        Piece(int capacity) {
            bytes = new byte[capacity];
            view = new UnsafeBuffer(bytes);
        }
    }

    private static final Piece NONE = new Piece(0);

    private final MemoryShare share;
    private final List<Piece> pieces = new ArrayList<>();
    private int length;

    public KeptBytes(MemoryShare share) {
        this.share = share;
    }

    /** Length of all entries in bytes. */
    public int length() {
        return length;
    }

    /** Adds an entry; false if there is no memory for it. */
    public boolean add(DirectBuffer buffer, int offset, int count) {
        int place = allocate(count);
        if (place < 0) {
            return false;
        }
        put(place, buffer, offset, count);
        return true;
    }

    /** Makes room for an entry; returns its place, or -1 if there is no memory for it. */
    int allocate(int count) {
        Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
        if (last == null || last.used >= MAX_PIECE || last.bytes.length - last.used < count) {
            last = newPiece(count);
            if (last == null) {
                return -1;
            }
        }
        int place = (pieces.size() - 1) << PLACE_BITS | last.used;
        last.used += count;
        length += count;
        return place;
    }

    private @Nullable Piece newPiece(int count) {
        int wanted = Math.max(FIRST_PIECE, Math.min(MAX_PIECE, Integer.highestOneBit(length >> GROWTH_SHIFT)));
        if (wanted > count && share.reserve(wanted + PIECE_OVERHEAD)) {
            return add(new Piece(wanted));
        }
        if (pieces.size() < MAX_PIECES && share.reserve(count + PIECE_OVERHEAD)) {
            return add(new Piece(count));
        }
        return null;
    }

    public Piece add(Piece piece) {
        pieces.add(piece);
        return piece;
    }

    /** Writes bytes into an entry. */
    void put(int place, DirectBuffer buffer, int offset, int count) {
        buffer.getBytes(offset, pieces.get(place >>> PLACE_BITS).bytes, offset(place), count);
    }

    void putByte(int place, byte value) {
        pieces.get(place >>> PLACE_BITS).bytes[offset(place)] = value;
    }

    byte getByte(int place) {
        return pieces.get(place >>> PLACE_BITS).bytes[offset(place)];
    }

    /** The buffer of the entry at that place, which starts at {@link #offset}. */
    DirectBuffer buffer(int place) {
        return pieces.get(place >>> PLACE_BITS).view;
    }

    static int offset(int place) {
        return place & PLACE_MASK;
    }

    /** Reads the entries piece by piece. */
    public interface Reader<E extends Exception> {
        void onPiece(DirectBuffer buffer, int firstPlace, int used) throws E;
    }

    public <E extends Exception> void forEachPiece(Reader<E> reader) throws E {
        for (int i = 0; i < pieces.size(); i++) {
            reader.onPiece(pieces.get(i).view, i << PLACE_BITS, pieces.get(i).used);
        }
    }

    /**
     * Rewrites the entries that {@code copier} keeps, piece by piece, because there is no memory for all of them twice.
     */
    public <E extends Exception> void rewrite(Reader<E> copier) throws E {
        List<Piece> before = new ArrayList<>(pieces);
        pieces.clear();
        length = 0;
        for (int i = 0; i < before.size(); i++) {
            Piece piece = before.set(i, NONE);
            copier.onPiece(piece.view, i << PLACE_BITS, piece.used);
            share.release(piece.bytes.length + PIECE_OVERHEAD);
        }
    }

    /** Keeps an entry during {@link #rewrite}; there is always memory for it, its own. */
    void keep(DirectBuffer buffer, int offset, int count) {
        if (add(buffer, offset, count)) {
            return;
        }
        share.take(count + PIECE_OVERHEAD);
        add(new Piece(count));
        put(allocate(count), buffer, offset, count);
    }
}
