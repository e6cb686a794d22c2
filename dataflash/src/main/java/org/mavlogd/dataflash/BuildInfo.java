package org.mavlogd.dataflash;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extracts the vehicle's software and board from a log as ULog's standard infos: from VER, and from the messages that
 * ArduPilot logs at its start.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Information Message"</a>
 */
final class BuildInfo {
    /** The info with the packed version: 0xAABBCCTT. */
    static final String RELEASE = "ver_sw_release";

    private static final String SYSTEM = "sys_name";
    private static final String SOFTWARE_TEXT = "ver_sw_text";
    private static final String SOFTWARE = "ver_sw";
    private static final String HARDWARE = "ver_hw";

    // Later messages are not from the start of the log.
    private static final int MAX_TEXTS = 1000;
    private static final int NO_SUBTYPE = 0xFFFF;
    private static final int OFFICIAL = 255;

    private static final Pattern FIRMWARE = Pattern.compile(
            "(?<name>Ardu\\w+|AntennaTracker|Blimp)\\S* V(?<version>\\d+\\.\\d+\\S*) \\((?<hash>[0-9a-f]{7,16})\\)");
    private static final Pattern VERSION = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(?:\\.(\\d{1,3}))?(.*)");
    private static final Pattern OPERATING_SYSTEM = Pattern.compile("(ChibiOS|NuttX): ([0-9a-f]{7,40})");
    private static final Pattern BOARD = Pattern.compile("(\\S.*?) ([0-9A-F]{8}) ([0-9A-F]{8}) ([0-9A-F]{8})");

    private final Meanings meanings;
    private final Map<String, String> texts = new LinkedHashMap<>();
    private Optional<Integer> release = Optional.empty();
    private String vehicle = "";
    private int seenTexts;

    BuildInfo(Meanings meanings) {
        this.meanings = meanings;
    }

    /** The strings by the names of their infos. */
    Map<String, String> texts() {
        return texts;
    }

    /** The packed version, if known. */
    Optional<Integer> release() {
        return release;
    }

    /** The kind of vehicle, by its name in {@link Meanings}; empty if unknown. */
    String vehicle() {
        return vehicle;
    }

    void onVersion(RecordType type, byte[] buffer, int offset) {
        texts.put(SYSTEM, "ArduPilot");
        type.text("FWS").ifPresent(field -> put(SOFTWARE_TEXT, text(field, buffer, offset)));
        integer(type, "GH", buffer, offset)
                .ifPresent(hash -> texts.put(SOFTWARE, String.format(Locale.ROOT, "%08x", hash)));
        board(type, buffer, offset);
        Optional<Long> major = integer(type, "Maj", buffer, offset);
        if (major.isPresent()) {
            release = Optional.of(packed(
                    major.get(),
                    integer(type, "Min", buffer, offset).orElse(0L),
                    integer(type, "Pat", buffer, offset).orElse(0L),
                    integer(type, "FWT", buffer, offset).orElse(0L)));
        }
        integer(type, "BU", buffer, offset)
                .flatMap(build -> meanings.of("vehicle", build))
                .ifPresent(kind -> vehicle = kind);
    }

    private void board(RecordType type, byte[] buffer, int offset) {
        Optional<Long> apj = integer(type, "APJ", buffer, offset).filter(id -> id != 0);
        Optional<String> kind =
                integer(type, "BT", buffer, offset).map(board -> meanings.orNumber("board", board, "board type"));
        apj.map(id -> "board " + id).or(() -> kind).ifPresent(board -> texts.putIfAbsent(HARDWARE, board));
        integer(type, "BST", buffer, offset)
                .filter(subtype -> subtype != NO_SUBTYPE)
                .ifPresent(subtype -> texts.put("ver_hw_subtype", Long.toString(subtype)));
    }

    void onText(String text) {
        if (seenTexts++ >= MAX_TEXTS) {
            return;
        }
        Matcher firmware = FIRMWARE.matcher(text);
        Matcher system = OPERATING_SYSTEM.matcher(text);
        Matcher board = BOARD.matcher(text);
        if (firmware.matches()) {
            onFirmware(text, firmware);
        } else if (system.matches()) {
            texts.put("sys_os_name", system.group(1));
            texts.put("sys_os_ver", system.group(2));
        } else if (board.matches()) {
            texts.put(HARDWARE, board.group(1));
            String id = board.group(2) + board.group(3) + board.group(4);
            texts.put("sys_uuid", id.toLowerCase(Locale.ROOT));
        }
    }

    /** VER has the same facts more exactly, but old firmware does not log it. */
    private void onFirmware(String text, Matcher firmware) {
        texts.put(SYSTEM, "ArduPilot");
        texts.putIfAbsent(SOFTWARE_TEXT, text);
        texts.putIfAbsent(SOFTWARE, firmware.group("hash"));
        vehicle = vehicle.isEmpty() ? Meanings.vehicle(firmware.group("name")) : vehicle;
        Matcher version = VERSION.matcher(firmware.group("version"));
        if (release.isEmpty() && version.matches()) {
            release = Optional.of(packed(
                    Long.parseLong(version.group(1)),
                    Long.parseLong(version.group(2)),
                    version.group(3) == null ? 0 : Long.parseLong(version.group(3)),
                    version.group(4).isEmpty() ? OFFICIAL : 0));
        }
    }

    private void put(String name, String text) {
        if (!text.isEmpty()) {
            texts.put(name, text);
        }
    }

    private static int packed(long major, long minor, long patch, long kind) {
        return (int) ((major & 0xFF) << 24 | (minor & 0xFF) << 16 | (patch & 0xFF) << 8 | (kind & 0xFF));
    }

    private static Optional<Long> integer(RecordType type, String label, byte[] buffer, int offset) {
        return type.integer(label).map(field -> Bytes.integer(field.format(), buffer, offset + field.offset()));
    }

    private static String text(RecordType.Field field, byte[] buffer, int offset) {
        return Bytes.utf8(buffer, offset + field.offset(), field.format().length());
    }
}
