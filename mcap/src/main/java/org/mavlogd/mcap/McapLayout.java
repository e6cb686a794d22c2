package org.mavlogd.mcap;

import java.util.Map;

/**
 * The constants of the format. All numbers are little endian.
 *
 * <pre>
 * file     magic, Header, data section, DataEnd, [summary section], [summary offset section], Footer, magic
 * record   opcode (1), length of the content (8), content
 * string   length in bytes (4), UTF-8
 * map      length in bytes (4), key and value by turns
 * </pre>
 *
 * @see <a href="https://mcap.dev/spec">MCAP specification</a>
 */
public final class McapLayout {
    public static final int HEADER = 0x01;
    public static final int FOOTER = 0x02;
    public static final int SCHEMA = 0x03;
    public static final int CHANNEL = 0x04;
    public static final int MESSAGE = 0x05;
    public static final int CHUNK = 0x06;
    public static final int MESSAGE_INDEX = 0x07;
    public static final int CHUNK_INDEX = 0x08;
    public static final int ATTACHMENT = 0x09;
    public static final int ATTACHMENT_INDEX = 0x0A;
    public static final int STATISTICS = 0x0B;
    public static final int METADATA = 0x0C;
    public static final int METADATA_INDEX = 0x0D;
    public static final int SUMMARY_OFFSET = 0x0E;
    public static final int DATA_END = 0x0F;

    /** Length of opcode and length. */
    public static final int RECORD_HEADER_BYTES = 9;

    /** Length of a message record before its data: channel, sequence, two times. */
    public static final int MESSAGE_HEADER_BYTES = 22;

    /** Length of the footer's content. */
    public static final int FOOTER_BYTES = 20;

    /** Ids of schemas and channels are below this. */
    public static final int MAX_IDS = 65_536;

    /** Maximum entries of a map, to bound memory. */
    public static final int MAX_MAP_ENTRIES = 65_536;

    /**
     * Maximum content of a record that is not a chunk, message or attachment, to bound memory.
     */
    public static final int MAX_DEFINITION_BYTES = 4 << 20;

    private static final byte[] MAGIC = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(HEADER, "header"),
            Map.entry(FOOTER, "footer"),
            Map.entry(SCHEMA, "schema"),
            Map.entry(CHANNEL, "channel"),
            Map.entry(MESSAGE, "message"),
            Map.entry(CHUNK, "chunk"),
            Map.entry(MESSAGE_INDEX, "message index"),
            Map.entry(CHUNK_INDEX, "chunk index"),
            Map.entry(ATTACHMENT, "attachment"),
            Map.entry(ATTACHMENT_INDEX, "attachment index"),
            Map.entry(STATISTICS, "statistics"),
            Map.entry(METADATA, "metadata"),
            Map.entry(METADATA_INDEX, "metadata index"),
            Map.entry(SUMMARY_OFFSET, "summary offset"),
            Map.entry(DATA_END, "data end"));

    private McapLayout() {}

    /** The 8 bytes at the start and at the end of a file. */
    public static byte[] magic() {
        return MAGIC.clone();
    }

    static boolean isKnown(int opcode) {
        return NAMES.containsKey(opcode);
    }

    /** Name of an opcode, for messages. */
    static String name(int opcode) {
        return NAMES.getOrDefault(opcode, "opcode " + opcode);
    }
}
