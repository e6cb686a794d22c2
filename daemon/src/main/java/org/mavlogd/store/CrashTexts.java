package org.mavlogd.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The strings that mark an appended section as the recorder's own. A log without any other section may be deleted. */
public final class CrashTexts {
    /** Prefix of each line of the recorder's own log. */
    public static final String LINE = "[mavlogd] ";

    /** Start of the text about a crash of the recorder. */
    public static final String RECORDER_CRASHED =
            "The recorder's Java (mavlogd on the companion computer, not the vehicle) crashed";

    /** Start of the text about a crash of the computer. */
    public static final String COMPUTER_CRASHED = "The kernel of the companion computer (not the vehicle) crashed";

    private static final List<String> ALL = List.of(LINE, RECORDER_CRASHED, COMPUTER_CRASHED);

    private CrashTexts() {}

    /**
     * Whether the recorder appended a section.
     *
     * @param start its first bytes
     */
    public static boolean isIn(ByteBuffer start) {
        String text = StandardCharsets.ISO_8859_1.decode(start).toString();
        return ALL.stream().anyMatch(text::contains);
    }
}
