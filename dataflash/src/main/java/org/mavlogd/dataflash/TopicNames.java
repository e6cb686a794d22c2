package org.mavlogd.dataflash;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.mavlogd.ulog.FieldType;

/**
 * Converts DataFlash names to names that ULog allows, and back.
 *
 * <p>Letters, digits and {@code _} are kept; every other byte becomes {@code _x} and two hexadecimal digits in
 * capitals, and so does a {@code _} that looks like the start of such a sequence. The first character of a reserved
 * name ({@code timestamp}, {@code bool}, padding) is converted, too. A name that is already used in its place, or
 * empty, gets the suffix {@code _x00}: a zero byte, which ends names in DataFlash. So {@link #original} restores each
 * name exactly.
 */
public final class TopicNames {
    /** Name of the field with the time. */
    static final String TIMESTAMP = "timestamp";

    private static final String PADDING = "_padding";
    private static final String AGAIN = "_x00";
    private static final int MAX_LENGTH = 240;
    private static final String HEX = "0123456789ABCDEF";

    // Number of uses by original name. Escaped names are unique: only a label of more than 60 characters is truncated,
    // and all labels of a type together have 64.
    private final Map<String, Integer> uses = new HashMap<>();

    /** A name that was not returned before. */
    String unique(String original) {
        int before = uses(original);
        uses.put(original, before + 1);
        return escaped(original) + AGAIN.repeat(original.isEmpty() ? before + 1 : before);
    }

    /** Number of names made from this one. */
    int uses(String original) {
        return uses.getOrDefault(original, 0);
    }

    /** The name in ULog, unless it is used already. */
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

    /** The DataFlash name of a result of {@link #escaped}. */
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
