package org.mavlogd.local.publish;

import java.util.List;

/**
 * The tags that the specification gives as an example.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Tagged Logged String Message"</a>
 */
public final class DefaultTags {
    private static final List<String> NAMES = List.of(
            "unassigned",
            "mavlink_handler",
            "ppk_handler",
            "camera_handler",
            "ptp_handler",
            "serial_handler",
            "watchdog",
            "io_service",
            "cbuf",
            "ulg");

    private DefaultTags() {}

    /** The number of a tag; -1 when there is none of this name. */
    public static int find(String name) {
        return NAMES.indexOf(name);
    }
}
