package org.mavlogd.survey;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.tags.TagMap;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.ULogAppender;
import org.mavlogd.ulog.ULogException;

/** Keeps the last info of each name in a log; only the size of lists, and the start of crash reports. */
final class InfoTally {
    private static final int MAX_NAMES = 4096;
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_CRASH_TEXT = 16 * 1024;

    /** Number of lists, of their pieces, and of their bytes. */
    record MultiInfo(long lists, long pieces, long bytes) {
        MultiInfo plus(boolean continued, int length) {
            return new MultiInfo(lists + (continued ? 0 : 1), pieces + 1, bytes + length);
        }
    }

    private final Map<String, KeyedValue> infos = new LinkedHashMap<>();
    private final Map<String, MultiInfo> multiInfos = new LinkedHashMap<>();
    private final Set<String> localTopics = new HashSet<>();
    private final StringBuilder crashText = new StringBuilder();
    private long keptBytes;

    void onInfo(KeyedValue info) throws ULogException {
        keptBytes += info.name().length() + info.bytes().length;
        KeyedValue replaced = infos.put(info.name(), info);
        if (replaced != null) {
            keptBytes -= replaced.name().length() + replaced.bytes().length;
        }
        if (infos.size() > MAX_NAMES || keptBytes > MAX_BYTES) {
            throw new ULogException("more than " + MAX_NAMES + " infos or " + MAX_BYTES + " bytes of them");
        }
    }

    void onMultiInfo(KeyedValue info, boolean continued) throws ULogException {
        MultiInfo before = multiInfos.getOrDefault(info.name(), new MultiInfo(0, 0, 0));
        multiInfos.put(info.name(), before.plus(continued && before.pieces > 0, info.bytes().length));
        if (multiInfos.size() > MAX_NAMES) {
            throw new ULogException("more than " + MAX_NAMES + " lists of infos");
        }
        if (info.name().equals(LocalMarks.TOPICS)) {
            Stream.of(info.text().split(","))
                    .limit(TopicTally.Table.MAX_TOPICS - localTopics.size())
                    .forEach(localTopics::add);
        }
        if (info.name().equals(ULogAppender.CRASH_TEXT_NAME)) {
            if (!continued && crashText.length() > 0) {
                crashText.append('\n');
            }
            crashText.append(info.text());
            crashText.setLength(Math.min(crashText.length(), MAX_CRASH_TEXT));
        }
    }

    Map<String, KeyedValue> infos() {
        return infos;
    }

    Map<String, MultiInfo> multiInfos() {
        return multiInfos;
    }

    /** Names that the recorder gave to topics of its own computer; the vehicle may use them, too. */
    Set<String> localTopics() {
        return localTopics;
    }

    /** Text of all crashes in the log, at most {@value #MAX_CRASH_TEXT} characters; may be empty. */
    String crashText() {
        return crashText.toString();
    }

    /** The names of tags that the log defines. */
    TagMap tags() {
        KeyedValue info = infos.get(TagMap.INFO);
        return info == null || !info.isText() ? TagMap.NONE : TagMap.read(info.text());
    }

    /** The text of an info, as one line. */
    Optional<String> text(String name) {
        KeyedValue info = infos.get(name);
        return info == null || !info.isText()
                ? Optional.empty()
                : Optional.of(Words.line(info.text(), 120)).filter(text -> !text.isEmpty());
    }

    /** The value of an integer info. */
    Optional<Long> integer(String name) {
        KeyedValue info = infos.get(name);
        return info == null || !info.isInteger() ? Optional.empty() : Optional.of(info.integer());
    }
}
