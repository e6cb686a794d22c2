package org.mavlogd.record.merge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.record.local.LocalOutcome;

/**
 * What was said while no log was there to take it: that a link came up, that a vehicle was heard. The latest of it stands at
 * the begin of the log that comes next. Owned by the recorder's thread.
 */
public final class RecentTexts {
    public static final int CAPACITY = 64;
    static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(1);

    private record Text(int level, int tag, long takenNs, String bytes, LocalCounters counters) {}

    private final ArrayDeque<Text> texts = new ArrayDeque<>(CAPACITY);
    private final LocalRecordView view = new LocalRecordView(0);

    /** Keeps a text; of more than {@link #CAPACITY} the oldest counts as lost for want of a log. */
    void add(LocalRecordView text, LocalCounters counters) {
        if (texts.size() == CAPACITY) {
            lose(texts.removeFirst());
        }
        // Latin-1 in both directions: the bytes as they are, in an object that nobody can change.
        byte[] bytes = new byte[text.length()];
        text.buffer().getBytes(text.offset(), bytes);
        texts.addLast(new Text(
                text.level(), text.tag(), text.takenNs(), new String(bytes, StandardCharsets.ISO_8859_1), counters));
    }

    /** Writes what is not too old into the logs; nothing is kept any more. */
    void moveTo(List<LocalMerge> logs, long nowNs) {
        while (!texts.isEmpty()) {
            Text text = texts.removeFirst();
            if (nowNs - text.takenNs() > MAX_AGE_NS) {
                lose(text);
            } else {
                write(text, logs, nowNs);
            }
        }
    }

    private void write(Text text, List<LocalMerge> logs, long nowNs) {
        byte[] bytes = text.bytes().getBytes(StandardCharsets.ISO_8859_1);
        view.text(text.level(), text.tag(), text.takenNs()).in(new UnsafeBuffer(bytes), 0, bytes.length);
        for (LocalMerge log : logs) {
            text.counters().text(log.onText(view, nowNs), LocalEncoder.TEXT_OVERHEAD + bytes.length);
        }
    }

    /** The end: there will be no log. */
    void loseAll() {
        texts.forEach(RecentTexts::lose);
        texts.clear();
    }

    private static void lose(Text text) {
        text.counters()
                .text(
                        LocalOutcome.NO_LOG,
                        LocalEncoder.TEXT_OVERHEAD + text.bytes().length());
    }
}
