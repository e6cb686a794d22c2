package org.mavlogd.mavlink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The table of known messages with their CRC_EXTRA, payload lengths and names.
 *
 * <p>Several dialects use the same ids for different messages; a frame is valid if its checksum fits any of them. Read
 * once from rows that the build generates from the definitions ({@code mavlink-generator}), without reflection at run
 * time. Immutable. {@link #first} and {@link #match} are hot path.
 */
final class MessageTable {
    /** Ids below are found by index, all others by binary search. */
    private static final int DIRECT_IDS = 512;

    private static final MessageTable STANDARD = new MessageTable(rows(MessageRows.text()));

    /**
     * One message of one dialect.
     *
     * @param coreLength payload length without extension fields, as in MAVLink 1
     * @param fullLength payload length including extension fields
     * @param origin dialect of the definition
     */
    record Definition(int id, int crcExtra, int coreLength, int fullLength, String name, String origin) {}

    /** Ordered by id, then by preference. */
    private final List<Definition> definitions;

    private final int[] ids;
    private final byte[] crcExtras;
    /** For each id below {@link #DIRECT_IDS}: index of its first definition, or -1. */
    private final short[] direct = new short[DIRECT_IDS];

    MessageTable(List<Definition> definitions) {
        this.definitions = List.copyOf(definitions);
        ids = new int[definitions.size()];
        crcExtras = new byte[definitions.size()];
        Arrays.fill(direct, (short) -1);
        for (int index = definitions.size() - 1; index >= 0; index--) {
            Definition definition = definitions.get(index);
            if (index + 1 < ids.length && definition.id() > ids[index + 1]) {
                throw new IllegalArgumentException("message " + definition.id() + " is out of order");
            }
            ids[index] = definition.id();
            crcExtras[index] = (byte) definition.crcExtra();
            if (definition.id() < DIRECT_IDS) {
                direct[definition.id()] = (short) index;
            }
        }
    }

    /** The messages of this program. */
    static MessageTable standard() {
        return STANDARD;
    }

    boolean isKnown(int id) {
        return first(id) >= 0;
    }

    /**
     * Index in {@link #definitions} of the message with this id for which a frame's checksum is valid; negative if
     * there is none.
     *
     * @param first index of the id's first definition
     * @param crc of header and payload, without CRC_EXTRA
     * @param checksum of the frame
     */
    int match(int first, int crc, int checksum) {
        int id = ids[first];
        for (int index = first; index < ids.length && ids[index] == id; index++) {
            if (Crc16.update(crc, crcExtras[index]) == checksum) {
                return index;
            }
        }
        return -1;
    }

    /**
     * CRC_EXTRA of the preferred definition: that of the common dialect, if it has the message.
     *
     * @throws IllegalArgumentException if the id is unknown
     */
    int crcExtra(int id) {
        int index = first(id);
        if (index < 0) {
            throw new IllegalArgumentException("message " + id + " is not known");
        }
        return crcExtras[index] & 0xFF;
    }

    List<Definition> definitions() {
        return definitions;
    }

    /** Index of the preferred definition of this id, which others of it follow; negative if there is none. */
    int first(int id) {
        if (id < DIRECT_IDS) {
            return direct[id];
        }
        int low = 0;
        int high = ids.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ids[middle] < id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < ids.length && ids[low] == id ? low : -1;
    }

    private static List<Definition> rows(String text) {
        List<Definition> definitions = new ArrayList<>();
        int end;
        for (int at = 0; at < text.length(); at = end + 1) {
            end = text.indexOf('\n', at);
            definitions.add(row(text.substring(at, end)));
        }
        return definitions;
    }

    private static Definition row(String line) {
        String[] columns = line.split("\t", -1);
        return new Definition(
                Integer.parseInt(columns[0]),
                Integer.parseInt(columns[1]),
                Integer.parseInt(columns[2]),
                Integer.parseInt(columns[3]),
                columns[4],
                columns[5]);
    }
}
