package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.publish.TopicDefinition;

/**
 * Section {@code [publish]}, and the topics of {@code [[topic]]}: data that other programs of this computer publish.
 */
final class PublishSection {
    private static final int MEBI = 1 << 20;
    private static final String DEFAULT_SOCKET = "/run/mavlogd/publish.sock";
    private static final String DEFAULT_MODE = "0660";

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", true, "accept samples and messages that other programs publish");
    private static final Key<Optional<String>> SOCKET = Key.withDefault(
            "socket",
            Optional.of(DEFAULT_SOCKET),
            '"' + DEFAULT_SOCKET + '"',
            SocketKeys.PATH,
            "the Unix datagram socket that programs send to; its directory must exist");
    private static final Key<String> MODE = Key.string(
            "mode", DEFAULT_MODE, SocketKeys.MODE, "permissions of the socket: who may write to it may publish");
    private static final Key<String> GROUP =
            Key.string("group", "", SocketKeys.GROUP, "group of the socket; \"\" is the group that mavlogd runs as");
    private static final Key<Optional<HostPort>> UDP = Key.withDefault(
            "udp",
            Optional.empty(),
            "\"\"",
            SocketKeys.LOOPBACK,
            "a loopback address for the same over UDP, open to every user of this computer");
    private static final Key<Boolean> INFER =
            Key.bool("infer", true, "accept topics that are not declared, with the types of their first sample");
    private static final Key<Integer> RING_MIB = Key.integer(
            "ring_mib",
            1,
            ValueType.powerOfTwo(1, 64),
            "MiB for each socket that hold its data while the disk is slow");

    static final Section SECTION = Section.table(
            "publish", "samples and messages from other programs", ENABLED, SOCKET, MODE, GROUP, UDP, INFER, RING_MIB);

    private PublishSection() {}

    static LocalSettings.LinkedSource<LocalSettings.PublishSettings> read(Configuration config) {
        SectionReader section = config.table(SECTION);
        return new LocalSettings.LinkedSource<>(
                section.value(ENABLED) ? sockets(section) : List.of(),
                new LocalSettings.PublishSettings(
                        section.value(INFER), section.value(RING_MIB) * MEBI, TopicSection.read(config)));
    }

    // Their names contain a dot, so that no configured link can have the same name.
    private static List<LinkSettings> sockets(SectionReader section) {
        List<LinkSettings> sockets = new ArrayList<>();
        section.value(SOCKET)
                .ifPresent(path -> sockets.add(new LinkSettings.UnixDatagram(
                        "publish.unix", path, SocketKeys.mode(section.value(MODE)), section.value(GROUP))));
        section.value(UDP)
                .ifPresent(address ->
                        sockets.add(new LinkSettings.UdpListen("publish.udp", address.host(), address.port(), true)));
        return sockets;
    }

    /** Sections {@code [[topic]]}: the formats of topics that other programs publish. */
    static final class TopicSection {
        private static final int MAX_TOPICS = 256;
        /** Replaces a missing or bad name while the fields are checked. */
        private static final String UNNAMED = "unnamed";

        private static final Pattern WORDS = Pattern.compile("\\s+");
        private static final int TYPE = 0;
        private static final int FIELD = 1;
        private static final int UNIT = 2;

        private static final Key<String> NAME = Key.withoutDefault(
                "name",
                "",
                ValueType.matching(
                        Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,126}"), "letters, digits and \"_\", a letter first"),
                "name of the topic; each name once");
        private static final Key<List<FieldText>> FIELDS = Key.withoutDefault(
                "fields",
                List.of(),
                ValueType.listOf(
                        ValueType.of(
                                "\"type name\" or \"type name unit\"",
                                Map.of("type", "string", "pattern", "^\\s*\\S+\\s+\\S+"),
                                FieldText::of),
                        TopicDefinition.MAX_FIELDS,
                        "an array of up to " + TopicDefinition.MAX_FIELDS + " \"type name\" or \"type name unit\""),
                "its fields in order, as in \"float load kg\", \"uint8_t[4] state\" or \"char[16] name\"");

        static final Section SECTION = Section.list("topic", "a topic that other programs publish", NAME, FIELDS);

        private TopicSection() {}

        static List<TopicDefinition> read(Configuration config) {
            List<SectionReader> readers = config.list(SECTION);
            if (readers.size() > MAX_TOPICS) {
                readers.get(MAX_TOPICS)
                        .excess(
                                "topic",
                                readers.size() + " are too many",
                                "up to " + MAX_TOPICS + " " + SECTION.header());
            }
            Set<String> names = new HashSet<>();
            List<TopicDefinition> topics = new ArrayList<>();
            for (SectionReader reader : readers) {
                reader.require(NAME);
                reader.require(FIELDS);
                add(reader, names, topics);
            }
            return topics;
        }

        /** Checks name and fields separately, so that all problems of a topic are reported, not only the first. */
        private static void add(SectionReader reader, Set<String> names, List<TopicDefinition> topics) {
            String name = reader.value(NAME);
            boolean isNameGood = reader.hasGood(NAME) && isDone(reader, NAME, () -> checkName(name));
            boolean isFree = names.add(name) || !isNameGood;
            if (!isFree) {
                reader.problem(NAME, "is taken by another topic", "one that no other topic has");
            }
            TopicDefinition.Builder builder = new TopicDefinition.Builder(isNameGood ? name : UNNAMED);
            Set<String> fieldNames = new HashSet<>();
            boolean areFieldsGood = reader.hasGood(FIELDS);
            for (FieldText field : reader.value(FIELDS)) {
                areFieldsGood &= isAdded(reader, field, fieldNames, builder);
            }
            if (areFieldsGood) {
                isDone(reader, FIELDS, () -> {
                    TopicDefinition topic = builder.build();
                    if (isNameGood && isFree) {
                        topics.add(topic);
                    }
                });
            }
        }

        private static void checkName(String name) {
            new TopicDefinition.Builder(name).field("float", "x").build();
        }

        private static boolean isAdded(
                SectionReader reader, FieldText field, Set<String> fieldNames, TopicDefinition.Builder builder) {
            if (!field.problem().isEmpty()) {
                reader.problem(FIELDS, field.problem(), FIELDS.type().allowed());
                return false;
            }
            boolean isUnitGood =
                    isDone(reader, FIELDS, () -> new TopicDefinition.Builder(UNNAMED).unit(field.name(), field.unit()));
            boolean isFieldGood = isDone(
                    reader,
                    FIELDS,
                    () -> new TopicDefinition.Builder(UNNAMED)
                            .field(field.type(), field.name())
                            .build());
            if (isFieldGood && !fieldNames.add(field.name())) {
                reader.problem(
                        FIELDS,
                        "field " + Quoted.text(field.name()) + " is listed twice",
                        FIELDS.type().allowed());
                return false;
            }
            if (isUnitGood && isFieldGood) {
                builder.field(field.type(), field.name()).unit(field.name(), field.unit());
            }
            return isUnitGood && isFieldGood;
        }

        private static boolean isDone(SectionReader reader, Key<?> key, Runnable step) {
            try {
                step.run();
                return true;
            } catch (IllegalArgumentException e) {
                reader.problem(key, String.valueOf(e.getMessage()), key.type().allowed());
                return false;
            }
        }

        /**
         * One element of {@code fields}. A bad one does not hide errors in others: its problem is kept.
         *
         * @param unit empty if there is none
         * @param problem empty if the element has a type and a name
         */
        private record FieldText(String type, String name, String unit, String problem) {
            static FieldText of(Object value) {
                try {
                    String text = ValueType.string(value);
                    String[] words = WORDS.split(text.strip(), UNIT + 1);
                    return words.length > FIELD
                            ? new FieldText(words[TYPE], words[FIELD], words.length > UNIT ? words[UNIT] : "", "")
                            : bad(Quoted.text(text) + " is not valid");
                } catch (ValueType.BadValueException e) {
                    return bad(String.valueOf(e.getMessage()));
                }
            }

            private static FieldText bad(String problem) {
                return new FieldText("", "", "", problem);
            }
        }
    }
}
