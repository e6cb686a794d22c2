package org.mavlogd.events;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.events.EventDefinitions.Argument;
import org.mavlogd.events.EventDefinitions.Definition;
import org.mavlogd.events.EventDefinitions.Enumeration;
import org.mavlogd.ulog.FieldType;

/**
 * Inserts the arguments of an event into the template of its message, as PX4's library libevents does: {@code {1}},
 * {@code {2:.1}} and {@code {3:.2m_v}} are arguments with digits and unit; {@code <param>}, {@code <a>} and {@code
 * <profile name="dev">} are tags; a backslash escapes the next character. Other tags are omitted.
 */
final class EventText {
    private static final Pattern PLACE = Pattern.compile("\\{([0-9]{1,3})(?::(?:\\.([0-9]+))?([^}]*))?\\}");
    private static final Pattern TAG = Pattern.compile("<([a-z]+)(?: [^>]*?name=\"([^\"]*)\"[^>]*| [^>]*)?>");
    private static final String PROFILE = "dev";
    private static final int MAX_DIGITS = 20;
    private static final int MAX_LENGTH = 2000;
    private static final int MAX_DEPTH = 4;
    // The digits of a float printed by C++.
    private static final MathContext SIX_DIGITS = new MathContext(6);

    private final Definition definition;
    private final ByteBuffer arguments;

    private EventText(Definition definition, byte[] arguments) {
        this.definition = definition;
        this.arguments = ByteBuffer.wrap(arguments).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The message; placeholders of missing arguments remain. */
    static String of(Definition definition, byte[] arguments) {
        String template = definition.template();
        String bounded = template.substring(0, Math.min(template.length(), MAX_LENGTH));
        return new EventText(definition, arguments).fill(bounded, 0).strip();
    }

    private String fill(String template, int depth) {
        StringBuilder text = new StringBuilder();
        Matcher place = PLACE.matcher(template);
        Matcher tag = TAG.matcher(template);
        int at = 0;
        while (at < template.length()) {
            char c = template.charAt(at);
            if (c == '\\' && at + 1 < template.length()) {
                text.append(template.charAt(at + 1));
                at += 2;
            } else if (c == '{' && startsAt(place, at) && isArgument(place)) {
                text.append(argument(place));
                at = place.end();
            } else if (c == '<' && depth < MAX_DEPTH && startsAt(tag, at) && closes(template, tag) >= 0) {
                int end = closes(template, tag);
                text.append(content(tag, template.substring(tag.end(), end), depth));
                at = end + tag.group(1).length() + "</>".length();
            } else {
                text.append(c);
                at++;
            }
        }
        return text.toString();
    }

    private static boolean startsAt(Matcher matcher, int at) {
        return matcher.region(at, matcher.regionEnd()).lookingAt();
    }

    private static int closes(String template, Matcher tag) {
        return template.indexOf("</" + tag.group(1) + ">", tag.end());
    }

    private String content(Matcher tag, String content, int depth) {
        return switch (tag.group(1)) {
            case "param", "a" -> content;
            case "profile" -> isMine(Optional.ofNullable(tag.group(2)).orElse("")) ? fill(content, depth + 1) : "";
            default -> "";
        };
    }

    private static boolean isMine(String profile) {
        return profile.startsWith("!")
                ? !profile.substring(1).equals(PROFILE)
                : profile.isEmpty() || profile.equals(PROFILE);
    }

    private boolean isArgument(Matcher place) {
        int index = Integer.parseInt(place.group(1));
        return index >= 1 && index <= definition.arguments().size() && offset(index) <= arguments.limit();
    }

    /** Offset of the end of the first {@code count} arguments. */
    private int offset(int count) {
        return definition.arguments().stream()
                .limit(count)
                .mapToInt(argument -> argument.type().length())
                .sum();
    }

    private String argument(Matcher place) {
        int index = Integer.parseInt(place.group(1)) - 1;
        Argument argument = definition.arguments().get(index);
        int at = offset(index);
        if (argument.enumeration().isPresent()) {
            return name(argument.enumeration().get(), integer(argument.type(), at));
        }
        String unit = Optional.ofNullable(place.group(3)).orElse("");
        String digits = Optional.ofNullable(place.group(2)).orElse("");
        return number(argument.type(), at, digits) + (unit.isEmpty() ? "" : " " + (unit.equals("m_v") ? "m" : unit));
    }

    private String number(FieldType type, int at, String digits) {
        return switch (type) {
            case FLOAT -> real(arguments.getFloat(at), digits);
            case DOUBLE -> real(arguments.getDouble(at), digits);
            case UINT64 -> Long.toUnsignedString(arguments.getLong(at));
            default -> Long.toString(integer(type, at));
        };
    }

    private static String real(double value, String digits) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }
        if (digits.isEmpty()) {
            BigDecimal rounded = new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros();
            boolean isShort = rounded.precision() - rounded.scale() <= MAX_DIGITS && rounded.scale() <= MAX_DIGITS;
            return isShort ? rounded.toPlainString() : rounded.toString();
        }
        int places = digits.length() > 2 ? MAX_DIGITS : Math.min(MAX_DIGITS, Integer.parseInt(digits));
        return String.format(Locale.US, "%." + places + "f", value);
    }

    private long integer(FieldType type, int at) {
        return switch (type) {
            case INT8 -> arguments.get(at);
            case UINT16 -> arguments.getShort(at) & 0xFFFF;
            case INT16 -> arguments.getShort(at);
            case UINT32 -> arguments.getInt(at) & 0xFFFF_FFFFL;
            case INT32 -> arguments.getInt(at);
            case UINT64, INT64 -> arguments.getLong(at);
            default -> arguments.get(at) & 0xFF;
        };
    }

    private static String name(Enumeration enumeration, long value) {
        if (!enumeration.isBitfield()) {
            return nameOf(enumeration, value);
        }
        StringJoiner names = new StringJoiner("|");
        int bits = enumeration.type().length() * Byte.SIZE;
        for (int i = 0; i < bits; i++) {
            long bit = 1L << i;
            if ((value & bit) != 0) {
                names.add(nameOf(enumeration, bit));
            }
        }
        return names.toString();
    }

    private static String nameOf(Enumeration enumeration, long value) {
        String name = enumeration.names().get(value);
        return name == null ? "(unknown: " + value + ")" : name;
    }
}
