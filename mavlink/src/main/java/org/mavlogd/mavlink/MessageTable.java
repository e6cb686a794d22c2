package org.mavlogd.mavlink;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is known of each message: its CRC_EXTRA, payload lengths and name.
 *
 * <p>Several dialects use the same numbers for different messages; then a frame is right when its checksum fits any of
 * them. Read once from a text resource, because asking some hundreds of annotated classes would cost a good part of the
 * start-up time. Immutable. {@link #isKnown} and {@link #match} are hot path.
 */
final class MessageTable {
    private static final String RESOURCE = "messages.tsv";

    /** Ids below are found by index, all others by search. */
    private static final int DIRECT_IDS = 512;

    private static final int COLUMNS = 6;
    private static final MessageTable STANDARD = load();

    /**
     * One message of one dialect.
     *
     * @param coreLength payload length without extension fields: what MAVLink 1 sends
     * @param fullLength payload length with them
     * @param origin where the definition comes from
     */
    record Definition(int id, int crcExtra, int coreLength, int fullLength, String name, String origin) {}

    /** Ordered by id, then by preference. */
    private final List<Definition> definitions;

    private final int[] ids;
    private final byte[] crcExtras;
    /** Per id below {@link #DIRECT_IDS}: index of its first definition, or -1. */
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

    /** All messages this program knows. */
    static MessageTable standard() {
        return STANDARD;
    }

    boolean isKnown(int id) {
        return find(id) >= 0;
    }

    /**
     * Which message of that number a frame's checksum is right for, as an index of {@link #definitions}; negative if none.
     *
     * @param crc of header and payload, without CRC_EXTRA
     * @param checksum as the frame has it
     */
    int match(int id, int crc, int checksum) {
        for (int index = find(id); index >= 0 && index < ids.length && ids[index] == id; index++) {
            if (Crc16.update(crc, crcExtras[index]) == checksum) {
                return index;
            }
        }
        return -1;
    }

    /**
     * The preferred definition's CRC_EXTRA: the common dialect's, where it has the message.
     *
     * @throws IllegalArgumentException for an unknown id
     */
    int crcExtra(int id) {
        int index = find(id);
        if (index < 0) {
            throw new IllegalArgumentException("message " + id + " is not known");
        }
        return crcExtras[index] & 0xFF;
    }

    List<Definition> definitions() {
        return definitions;
    }

    private int find(int id) {
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

    private static MessageTable load() {
        try (InputStream in = MessageTable.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing");
            }
            return new MessageTable(read(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource " + RESOURCE, e);
        }
    }

    private static List<Definition> read(BufferedReader reader) throws IOException {
        List<Definition> definitions = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (!line.startsWith("#")) {
                definitions.add(parse(line));
            }
        }
        return definitions;
    }

    private static Definition parse(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalStateException("resource " + RESOURCE + " has a line of " + columns.length + " columns");
        }
        return new Definition(
                Integer.parseInt(columns[0]),
                Integer.parseInt(columns[1]),
                Integer.parseInt(columns[2]),
                Integer.parseInt(columns[3]),
                columns[4],
                columns[5]);
    }
}
