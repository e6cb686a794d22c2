package org.mavlogd.local.publish;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of one source; its outlet counts samples. Written by the source's thread.
 *
 * @param lines lines and samples in the binary form, good or bad
 * @param messages log messages published
 * @param lostMessages not published because the ring was full
 * @param cut truncated messages and values of char arrays
 * @param answers sent
 * @param unanswered answers not sent because of the limit
 * @param notRecorded answers that a sample or message is in no log
 * @param bad by fault
 */
record PublishCounters(
        Counter lines,
        Counter messages,
        Counter lostMessages,
        Counter cut,
        Counter answers,
        Counter unanswered,
        Counter notRecorded,
        Map<BadLineException.Fault, Counter> bad) {

    static PublishCounters register(Metrics metrics, String source) {
        return new PublishCounters(
                counter(metrics, "publish.lines", "Lines and binary samples of other programs, good or bad", source),
                counter(metrics, "publish.texts", "Messages published by other programs", source),
                counter(metrics, "publish.lost.texts", "Messages lost because the source's ring was full", source),
                counter(metrics, "publish.cut.texts", "Messages cut because they were too long", source),
                counter(metrics, "publish.answers", "Answers sent to other programs", source),
                counter(metrics, "publish.unanswered", "Answers not sent because there were too many", source),
                counter(
                        metrics,
                        "publish.not.recorded",
                        "Answers, sent or not, that a sample or message is in no log",
                        source),
                bad(metrics, source));
    }

    private static Map<BadLineException.Fault, Counter> bad(Metrics metrics, String source) {
        Map<BadLineException.Fault, Counter> counters = new EnumMap<>(BadLineException.Fault.class);
        for (BadLineException.Fault fault : BadLineException.Fault.values()) {
            counters.put(
                    fault,
                    metrics.counter(
                            "publish.bad.lines",
                            "Lines and binary samples that were rejected",
                            "source",
                            source,
                            "fault",
                            fault.name().toLowerCase(Locale.ROOT)));
        }
        return counters;
    }

    private static Counter counter(Metrics metrics, String name, String help, String source) {
        return metrics.counter(name, help, "source", source);
    }

    Counter bad(BadLineException.Fault fault) {
        return Objects.requireNonNull(bad.get(fault), fault::name);
    }
}
