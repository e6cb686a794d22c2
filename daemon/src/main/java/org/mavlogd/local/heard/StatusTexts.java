package org.mavlogd.local.heard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.StatustextLayout;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Makes log messages of STATUSTEXT. Long messages are joined from their pieces, and published with a mark for missing
 * pieces if nothing more came for {@link #PATIENCE_NS}. The number of incomplete texts is limited, and the tag limits
 * the rate. Owned by the link's thread.
 */
final class StatusTexts {
    /** How long the next piece of a text may take: it shares a slow line with all other messages. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    static final int MAX_WAITING = 8;
    private static final int MAX_DONE = 16;
    private static final LogLevel[] LEVELS = LogLevel.values();

    private final HeardSettings.StatusTextMode mode;
    private final TextOutlet outlet;
    private final int tag;
    private final HeardMessages.Counters counters;
    private final byte[] piece = new byte[StatustextLayout.TEXT_LENGTH];
    private final List<LongText> waiting = new ArrayList<>();
    private final List<LongText> spare = new ArrayList<>();
    private final Deque<Done> done = new ArrayDeque<>();

    /** A long text that was published. */
    private record Done(int source, int id, long atNs) {}

    StatusTexts(HeardSettings.StatusTextMode mode, TextOutlet outlet, HeardMessages.Counters counters) {
        this.mode = mode;
        this.outlet = outlet;
        this.tag = outlet.tags().defaultId(TagMap.MAVLINK_HANDLER);
        this.counters = counters;
    }

    void onFrame(FrameView frame, boolean isLogged, boolean isNamed, long nowNs) {
        if (mode == HeardSettings.StatusTextMode.NEVER) {
            return;
        }
        if (mode == HeardSettings.StatusTextMode.AUTO && isLogged) {
            counters.repeatedTexts().increment();
        } else if (StatustextLayout.id(frame) == 0) {
            frame.copyPayload(StatustextLayout.TEXT_OFFSET, piece, 0, piece.length);
            String text = new String(piece, 0, StatusText.length(piece, 0), StandardCharsets.UTF_8);
            publish(StatustextLayout.severity(frame), LongText.source(frame), isNamed, nowNs, text);
        } else {
            onPiece(frame, isNamed, nowNs);
        }
    }

    /** Publishes messages that stay incomplete. */
    void onTick(long nowNs) {
        outlet.tick(nowNs);
        for (int i = waiting.size() - 1; i >= 0; i--) {
            if (nowNs - waiting.get(i).lastNs() >= PATIENCE_NS) {
                finish(waiting.get(i), nowNs);
            }
        }
    }

    private void onPiece(FrameView frame, boolean isNamed, long nowNs) {
        LongText text = find(frame);
        if (text == null) {
            if (isDone(frame, nowNs)) {
                counters.repeatedTexts().increment();
                return;
            }
            text = begin(frame, isNamed, nowNs);
        }
        LongText.Verdict verdict = text.add(frame, nowNs);
        if (verdict == LongText.Verdict.OTHER_TEXT) {
            finish(text, nowNs);
            text = begin(frame, isNamed, nowNs);
            text.add(frame, nowNs);
        } else if (verdict == LongText.Verdict.REPEATED) {
            counters.repeatedTexts().increment();
        }
        if (text.isWhole()) {
            finish(text, nowNs);
        }
    }

    private @Nullable LongText find(FrameView frame) {
        for (LongText text : waiting) {
            if (text.isOf(frame)) {
                return text;
            }
        }
        return null;
    }

    private LongText begin(FrameView frame, boolean isNamed, long nowNs) {
        if (waiting.size() == MAX_WAITING) {
            finish(waiting.get(0), nowNs);
        }
        LongText text = spare.isEmpty() ? new LongText() : spare.remove(spare.size() - 1);
        text.begin(frame, isNamed, nowNs);
        waiting.add(text);
        return text;
    }

    private void finish(LongText text, long nowNs) {
        waiting.remove(text);
        spare.add(text);
        counters.missingPieces().add(text.missing());
        if (done.size() == MAX_DONE) {
            done.removeFirst();
        }
        done.addLast(new Done(text.source(), text.id(), nowNs));
        publish(text.severity(), text.source(), text.isNamed(), text.firstNs(), text.text());
    }

    /** Whether the frame is a repeated or late piece of a text that was published a moment ago. */
    private boolean isDone(FrameView frame, long nowNs) {
        for (Done text : done) {
            if (text.source() == LongText.source(frame)
                    && text.id() == StatustextLayout.id(frame)
                    && nowNs - text.atNs() < PATIENCE_NS) {
                return true;
            }
        }
        return false;
    }

    private void publish(int severity, int source, boolean isNamed, long takenNs, String text) {
        if (text.isEmpty()) {
            return;
        }
        String named = isNamed ? "[" + (source >>> 8) + '/' + (source & 0xFF) + "] " + text : text;
        // Other numbers are undefined, and become the lowest severity.
        LogLevel level = LEVELS[Math.min(severity, LEVELS.length - 1)];
        outlet.text(level, tag, takenNs, named);
    }
}
