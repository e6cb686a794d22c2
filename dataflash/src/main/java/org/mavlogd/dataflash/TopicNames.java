package org.mavlogd.dataflash;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.mavlogd.ulog.FieldType;

/**
 * Turns DataFlash names into such as ULog allows, and back.
 *
 * <p>Letters, digits and {@code _} stay; every other byte becomes {@code _x} and its two hexadecimal digits in capitals, as
 * does a {@code _} that would look like such. The first character of a name that ULog has taken ({@code timestamp},
 * {@code bool}, padding) is written so, too. A name that is taken already in its place, or empty, gets {@code _x00} behind
 * it, for a zero ends names in DataFlash. Thus {@link #original} gives back each name exactly.
 */
public final class TopicNames {
    /** What a field is called that holds the time. */
    static final String TIMESTAMP = "timestamp";

    private static final String PADDING = "_padding";
    private static final String AGAIN = "_x00";
    private static final int MAX_LENGTH = 240;
    private static final String HEX = "0123456789ABCDEF";

    // By the original. Two never have the same escaped name: only a label of more than 60 characters is cut off, and
    // all labels of a type together have 64.
    private final Map<String, Integer> uses = new HashMap<>();

    /** A name that none before had. */
    String unique(String original) {
        int before = uses(original);
        uses.put(original, before + 1);
        return escaped(original) + AGAIN.repeat(original.isEmpty() ? before + 1 : before);
    }

    /** How many names were made of this one. */
    int uses(String original) {
        return uses.getOrDefault(original, 0);
    }

    /** The name in ULog, if nobody else has it. */
    public static String escaped(String original) {
        StringBuilder name = new StringBuilder(original.length());
        byte[] bytes = original.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length && name.length() < MAX_LENGTH; i++) {
            boolean stays = isLetterOrDigit(bytes[i]) || (bytes[i] == '_' && !isEscape(original, i));
            if (stays && !(i == 0 && isReserved(original))) {
                name.append((char) bytes[i]);
            } else {
                name.append("_x").append(HEX.charAt(bytes[i] >> 4 & 0xF)).append(HEX.charAt(bytes[i] & 0xF));
            }
        }
        return name.toString();
    }

    /** The name in DataFlash of a name that {@link #escaped} made. */
    public static String original(String name) {
        StringBuilder original = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            if (isEscape(name, i)) {
                original.append((char) Integer.parseInt(name, i + 2, i + 4, 16));
                i += 3;
            } else {
                original.append(name.charAt(i));
            }
        }
        int end = original.length();
        while (end > 0 && original.charAt(end - 1) == 0) {
            end--;
        }
        return original.substring(0, end);
    }

    private static boolean isReserved(String name) {
        return name.equals(TIMESTAMP)
                || name.startsWith(PADDING)
                || FieldType.of(name).isPresent();
    }

    private static boolean isEscape(String text, int at) {
        return at + 3 < text.length()
                && text.charAt(at) == '_'
                && text.charAt(at + 1) == 'x'
                && HEX.indexOf(text.charAt(at + 2)) >= 0
                && HEX.indexOf(text.charAt(at + 3)) >= 0;
    }

    private static boolean isLetterOrDigit(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
