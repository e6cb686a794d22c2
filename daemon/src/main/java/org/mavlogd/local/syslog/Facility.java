package org.mavlogd.local.syslog;

import java.util.List;

/**
 * Names of facilities by their number, as syslog(3) and logger(1) have them.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5424#section-6.2.1">RFC 5424, table 1</a>
 */
public final class Facility {
    /** From 0 to 23. */
    public static final List<String> NAMES = List.of(
            "kern",
            "user",
            "mail",
            "daemon",
            "auth",
            "syslog",
            "lpr",
            "news",
            "uucp",
            "cron",
            "authpriv",
            "ftp",
            "ntp",
            "audit",
            "alert",
            "clock",
            "local0",
            "local1",
            "local2",
            "local3",
            "local4",
            "local5",
            "local6",
            "local7");

    private Facility() {}
}
