package org.mavlogd.local.events;

import java.util.List;
import org.mavlogd.tags.TagMap;

/** Which part of this program speaks, by the name of its logger. */
final class EventTags {
    private record Rule(String prefix, String tag) {}

    private static final String ROOT = "org.mavlogd.";

    // The first that fits decides.
    private static final List<Rule> RULES = List.of(
            new Rule("link.Serial", TagMap.SERIAL_HANDLER),
            new Rule("link.", TagMap.MAVLINK_HANDLER),
            new Rule("mavlink.", TagMap.MAVLINK_HANDLER),
            new Rule("vehicle.", TagMap.MAVLINK_HANDLER),
            new Rule("signing.", TagMap.MAVLINK_HANDLER),
            new Rule("record.", TagMap.ULG),
            new Rule("store.", TagMap.IO_SERVICE),
            new Rule("recovery.", TagMap.IO_SERVICE),
            new Rule("wiring.FinishedLogs", TagMap.IO_SERVICE),
            new Rule("app.DirectoryLock", TagMap.IO_SERVICE),
            new Rule("app.WatchdogFeeder", TagMap.WATCHDOG),
            new Rule("control.Systemd", TagMap.WATCHDOG),
            new Rule("feed.", TagMap.CBUF),
            new Rule("time.", TagMap.PTP_HANDLER),
            new Rule("local.", TagMap.IO_SERVICE));

    private final TagMap tags;

    EventTags(TagMap tags) {
        this.tags = tags;
    }

    /** Whether a logger is one of ours. */
    static boolean isOurs(String logger) {
        return logger.startsWith(ROOT);
    }

    /** The tag of one of our loggers. */
    int tag(String logger) {
        for (Rule rule : RULES) {
            if (logger.startsWith(rule.prefix, ROOT.length())) {
                return tags.defaultId(rule.tag);
            }
        }
        return tags.defaultId(TagMap.UNASSIGNED);
    }
}
