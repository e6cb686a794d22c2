package org.mavlogd.fleet;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates names at targets from a template. The contents of a log cannot choose a folder: values are reduced to plain
 * characters.
 */
final class KeyName {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]*)}");
    private static final int MAX_VALUE = 128;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String UNDATED = "undated";

    private final String template;
    private final String vehicle;

    /** @param vehicle from the configuration; empty to use the logs' own */
    KeyName(String template, String vehicle) {
        this.template = template;
        this.vehicle = vehicle;
    }

    /** The name of a file of a log. */
    String of(LogFile file, String name, String vehicleId) {
        Map<String, String> values = values(file, name, vehicleId);
        Matcher placeholder = PLACEHOLDER.matcher(template);
        return placeholder.replaceAll(
                found -> Matcher.quoteReplacement(plain(values.getOrDefault(found.group(1), ""))));
    }

    /** Values by placeholder. */
    private Map<String, String> values(LogFile file, String name, String vehicleId) {
        String date = file.begin().map(DATE::format).orElse(UNDATED);
        boolean isDated = !date.equals(UNDATED);
        String system = file.systemId() == 0 ? "local" : String.format(Locale.ROOT, "sys%03d", file.systemId());
        String id = vehicleId.isEmpty() ? system : vehicleId;
        return Map.of(
                "name",
                name,
                "log",
                file.log(),
                "system",
                system,
                "vehicle",
                vehicle.isEmpty() ? id : vehicle,
                "date",
                date,
                "year",
                isDated ? date.substring(0, 4) : UNDATED,
                "month",
                isDated ? date.substring(5, 7) : UNDATED,
                "day",
                isDated ? date.substring(8) : UNDATED);
    }

    /** Reduces a value to letters, digits, ".", "_" and "-", not starting with ".". */
    static String plain(String value) {
        String text = value.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^\\.+", "_");
        return text.isEmpty() ? "_" : text.substring(0, Math.min(MAX_VALUE, text.length()));
    }
}
