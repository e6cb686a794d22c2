package org.mavlogd.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.mavlogd.local.NamePatterns;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.mavlink.DefinitionException;
import org.mavlogd.mavlink.DefinitionFiles;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.text.SimilarWord;
import org.tomlj.TomlTable;

/** Section {@code [messages]}: MAVLink messages that become topics. */
final class MessagesSection {
    private static final int MAX_PATTERNS = 64;
    private static final int MAX_FILES = 16;
    private static final int MAX_HZ = 1000;
    private static final List<String> INCLUDED = List.of("HEARTBEAT", "RADIO_STATUS");

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9_*?]{1,64}");
    private static final String HZ_RULE = "a whole number from 0 to " + MAX_HZ;
    private static final ValueType<List<String>> PATTERNS = ValueType.listOf(
            ValueType.matching(PATTERN, "a name"),
            MAX_PATTERNS,
            "an array of up to " + MAX_PATTERNS + " names of messages, \"*\" for any characters and \"?\" for one");
    private static final ValueType<List<HeardSettings.Limit>> LIMITS = ValueType.listOf(
            ValueType.of(
                    "{ message = \"NAME\", max_hz = 5 }",
                    Map.of(
                            "type",
                            "object",
                            "properties",
                            Map.of(
                                    "message",
                                    ValueType.TEXT,
                                    "max_hz",
                                    ValueType.range(0, MAX_HZ).schema()),
                            "required",
                            List.of("message", "max_hz"),
                            "additionalProperties",
                            false),
                    MessagesSection::limit),
            MAX_PATTERNS,
            "an array of up to " + MAX_PATTERNS + " like { message = \"ATTITUDE\", max_hz = 5 }, a pattern and "
                    + HZ_RULE);

    private static final Key<List<String>> INCLUDE = Key.withDefault(
            "include", INCLUDED, "[\"HEARTBEAT\", \"RADIO_STATUS\"]", PATTERNS, "messages to record; [\"*\"] for all");
    private static final Key<List<String>> EXCLUDE =
            Key.withDefault("exclude", List.of(), "[]", PATTERNS, "messages to leave out, even if included");
    private static final Key<Integer> MAX_RATE = Key.integer(
            "max_hz",
            10,
            ValueType.range(0, MAX_HZ),
            "samples a second of one message from one sender, on average; 0 for no limit");
    private static final Key<List<HeardSettings.Limit>> LIMIT =
            Key.withDefault("limits", List.of(), "[]", LIMITS, "other rates for some messages; the first match counts");
    private static final Key<HeardSettings.StatusTextMode> STATUSTEXT = Key.choice(
            "statustext",
            HeardSettings.StatusTextMode.AUTO,
            List.of(HeardSettings.StatusTextMode.values()),
            "record STATUSTEXT as messages; \"auto\" leaves out those of an autopilot whose log is being recorded");
    private static final Key<HeardSettings.SenderChoice> SENDERS = Key.choice(
            "senders",
            HeardSettings.SenderChoice.VEHICLES,
            List.of(HeardSettings.SenderChoice.values()),
            "whose messages: vehicles with their components, all systems heard from the same peers, or anyone");
    private static final Key<List<String>> DEFINITIONS = Key.withDefault(
            "definitions",
            List.of(),
            "[]",
            ValueType.listOf(
                    ValueType.ABSOLUTE_PATH, MAX_FILES, "an array of up to " + MAX_FILES + " absolute paths in quotes"),
            "MAVLink XML files with further messages");

    static final Section SECTION = Section.table(
            "messages",
            "MAVLink messages as topics",
            INCLUDE,
            EXCLUDE,
            MAX_RATE,
            LIMIT,
            STATUSTEXT,
            SENDERS,
            DEFINITIONS);

    private MessagesSection() {}

    static HeardSettings read(SectionReader section) {
        Dialect dialect = dialect(section);
        List<String> include = capitals(section.value(INCLUDE));
        List<String> exclude = capitals(section.value(EXCLUDE));
        List<HeardSettings.Limit> limits = section.value(LIMIT);
        checkKnown(section, INCLUDE, include, dialect);
        checkKnown(section, EXCLUDE, exclude, dialect);
        checkKnown(
                section,
                LIMIT,
                limits.stream().map(HeardSettings.Limit::message).toList(),
                dialect);
        return new HeardSettings(
                include,
                exclude,
                section.value(MAX_RATE),
                limits,
                section.value(STATUSTEXT),
                section.value(SENDERS),
                dialect);
    }

    private static Dialect dialect(SectionReader section) {
        List<Path> files = section.value(DEFINITIONS).stream().map(Path::of).toList();
        if (files.isEmpty()) {
            return Dialect.standard();
        }
        try {
            return Dialect.with(DefinitionFiles.read(files));
        } catch (DefinitionException e) {
            section.problem(DEFINITIONS, e.problem(), e.allowed());
            return Dialect.standard();
        }
    }

    /** Refuses a pattern that matches no message, which is probably a typing error. */
    private static void checkKnown(SectionReader section, Key<?> key, List<String> patterns, Dialect dialect) {
        if (!section.hasGood(key)) {
            return;
        }
        List<String> names = new ArrayList<>(new TreeSet<>(names(dialect)));
        for (String pattern : patterns) {
            if (names.stream().noneMatch(name -> NamePatterns.anyFits(List.of(pattern), name))) {
                section.problem(
                        key,
                        Quoted.text(pattern) + " matches no known message" + SimilarWord.hint(pattern, names),
                        "names of messages, as in MAVLink's definitions");
            }
        }
    }

    private static List<String> names(Dialect dialect) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < dialect.count(); i++) {
            names.add(dialect.name(i));
        }
        return names;
    }

    private static List<String> capitals(List<String> patterns) {
        return patterns.stream()
                .map(pattern -> pattern.toUpperCase(Locale.ROOT))
                .toList();
    }

    private static HeardSettings.Limit limit(Object value) throws ValueType.BadValueException {
        if (!(value instanceof TomlTable table)) {
            throw new ValueType.BadValueException(
                    "expected { message = \"NAME\", max_hz = 5 }, found " + ValueType.describe(value));
        }
        for (String key : table.keySet()) {
            if (!key.equals("message") && !key.equals("max_hz")) {
                throw new ValueType.BadValueException("unknown key " + Quoted.text(key));
            }
        }
        Object message = table.get(List.of("message"));
        Object hz = table.get(List.of("max_hz"));
        if (!(message instanceof String name) || !PATTERN.matcher(name).matches()) {
            throw new ValueType.BadValueException("message must be a name or a pattern of names");
        }
        if (!(hz instanceof Long number) || number < 0 || number > MAX_HZ) {
            throw new ValueType.BadValueException("max_hz must be " + HZ_RULE);
        }
        return new HeardSettings.Limit(name.toUpperCase(Locale.ROOT), number.intValue());
    }
}
