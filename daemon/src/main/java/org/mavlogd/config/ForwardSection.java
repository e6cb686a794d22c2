package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.forward.FrameFilter;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.MessageLayout;

/** Section {@code [forward]}, and the keys of {@code [[link]]} that define how a link forwards. */
final class ForwardSection {
    private static final int MAX_IDS = 256;
    private static final int MAX_ID = 255;

    private static final ValueType<List<Integer>> IDS = ValueType.listOf(
            ValueType.range(0, MAX_ID), MAX_IDS, "an array of up to " + MAX_IDS + " whole numbers from 0 to " + MAX_ID);
    private static final ValueType<List<Integer>> MESSAGES = ValueType.listOf(
            ValueType.of("a message", ForwardSection::message),
            MAX_IDS,
            "an array of up to " + MAX_IDS + " names of messages in quotes, or numbers from 0 to "
                    + MessageLayout.MAX_ID);

    private static final Key<Boolean> SHARE_LOG_STREAM = Key.bool(
            "share_log_stream",
            false,
            "forward log data and acknowledgements, too: if another program acknowledges, vehicles do not repeat what mavlogd missed");

    static final Section SECTION = Section.table("forward", "what is forwarded between links", SHARE_LOG_STREAM);

    private static final Key<Boolean> FORWARD =
            Key.bool("forward", false, "pass MAVLink frames between this link and all others that forward");
    private static final Key<Boolean> RECORD =
            Key.bool("record", true, "record what is heard on this link; false for links to other people's vehicles");
    private static final Key<String> GROUP = Key.string(
            "group",
            "",
            ValueType.matching(
                    Pattern.compile("[A-Za-z0-9_-]{0,32}"), "up to 32 letters, digits, \"_\" and \"-\", or \"\""),
            "forward: links of one group lead to the same place; frames from one are not sent to the others");
    private static final Key<Boolean> SNIFFER =
            Key.bool("sniffer", false, "forward: send every frame to this link, whatever its target");
    private static final Direction ACCEPTED = new Direction("accept", "refuse", "from");
    private static final Direction SENT = new Direction("send", "withhold", "to");

    /** The keys of every kind of link. */
    static final List<Key<?>> LINK_KEYS = linkKeys();

    private ForwardSection() {}

    /** Filters of frames from a link, or to it. */
    private static final class Direction {
        final Key<List<Integer>> messages;
        final Key<List<Integer>> notMessages;
        final Key<List<Integer>> systems;
        final Key<List<Integer>> notSystems;
        final Key<List<Integer>> components;
        final Key<List<Integer>> notComponents;

        Direction(String only, String not, String way) {
            String link = " " + way + " this link";
            messages = key(only + "_messages", MESSAGES, "forward only these messages" + link + "; [] for all");
            notMessages = key(not + "_messages", MESSAGES, "forward none of these messages" + link);
            systems = key(only + "_systems", IDS, "forward only frames of these system ids" + link + "; [] for all");
            notSystems = key(not + "_systems", IDS, "forward no frames of these system ids" + link);
            components = key(
                    only + "_components", IDS, "forward only frames of these component ids" + link + "; [] for all");
            notComponents = key(not + "_components", IDS, "forward no frames of these component ids" + link);
        }

        private static Key<List<Integer>> key(String name, ValueType<List<Integer>> type, String why) {
            return Key.withDefault(name, List.of(), "[]", type, why);
        }

        List<Key<List<Integer>>> keys() {
            return List.of(messages, notMessages, systems, notSystems, components, notComponents);
        }

        FrameFilter read(SectionReader link) {
            boolean isEmpty = keys().stream().allMatch(key -> link.value(key).isEmpty());
            return isEmpty
                    ? FrameFilter.ALL
                    : new FrameFilter(
                            new FrameFilter.Ids(link.value(messages), link.value(notMessages)),
                            new FrameFilter.Ids(link.value(systems), link.value(notSystems)),
                            new FrameFilter.Ids(link.value(components), link.value(notComponents)));
        }
    }

    private static List<Key<?>> linkKeys() {
        List<Key<?>> keys = new ArrayList<>(List.of(FORWARD, RECORD, GROUP, SNIFFER));
        keys.addAll(ACCEPTED.keys());
        keys.addAll(SENT.keys());
        return List.copyOf(keys);
    }

    static ForwardSettings read(SectionReader section, List<SectionReader> links) {
        List<ForwardRules> rules = new ArrayList<>();
        Set<String> withoutVehicles = new HashSet<>();
        for (SectionReader link : links) {
            String name = LinkSection.name(link);
            if (!link.value(RECORD)) {
                withoutVehicles.add(name);
                if (!link.value(FORWARD)) {
                    link.problem(RECORD, "neither records nor forwards", "record = true or forward = true");
                }
            }
            if (link.value(FORWARD)) {
                rules.add(new ForwardRules(
                        name, link.value(GROUP), link.value(SNIFFER), ACCEPTED.read(link), SENT.read(link)));
            } else {
                checkUnused(link);
            }
        }
        return new ForwardSettings(section.value(SHARE_LOG_STREAM), rules, withoutVehicles);
    }

    /** A filter without forwarding has no effect, and is reported as an error. */
    private static void checkUnused(SectionReader link) {
        for (Key<?> key : LINK_KEYS) {
            boolean isOfForwarding = !key.equals(FORWARD) && !key.equals(RECORD);
            if (isOfForwarding && link.hasGood(key) && !link.value(key).equals(key.fallback())) {
                link.problem(key, "has no effect without forward = true", "forward = true, or no " + key.name());
            }
        }
    }

    private static int message(Object value) throws ValueType.BadValueException {
        if (value instanceof Long number && number >= 0 && number <= MessageLayout.MAX_ID) {
            return number.intValue();
        }
        if (!(value instanceof String name)) {
            throw new ValueType.BadValueException(ValueType.describe(value) + " is not a message");
        }
        Dialect dialect = Dialect.standard();
        String capitals = name.toUpperCase(Locale.ROOT);
        return IntStream.range(0, dialect.count())
                .filter(i -> dialect.name(i).equals(capitals))
                .map(dialect::id)
                .findFirst()
                .orElseThrow(() -> new ValueType.BadValueException("no message is called " + Quoted.text(name)));
    }
}
