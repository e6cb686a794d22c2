package org.mavlogd.local.syslog;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.ulog.LogLevel;

/**
 * Publishes the syslog messages of a datagram link, with the time of their arrival: their own times are whole seconds
 * of a clock that may be wrong. Owned by the link's thread.
 */
public final class SyslogSource implements LinkListener {
    /**
     * Which syslog messages are taken.
     *
     * @param tags by name of the program, or of the facility if the program has no entry
     * @param otherTag of all others; without it they are left out
     * @param level minimum severity of a message
     */
    public record Settings(Map<String, Integer> tags, OptionalInt otherTag, LogLevel level) {
        public Settings {
            tags = Map.copyOf(tags);
        }
    }

    private static final String OWN_NAME = "mavlogd";

    private final Settings settings;
    private final TextOutlet outlet;
    private final String ownPid;
    private final Counter messages;
    private final Counter malformed;
    private final Counter filtered;

    /** @param name of the source in the metrics */
    public SyslogSource(String name, Settings settings, TextOutlet outlet, Metrics metrics) {
        this.settings = settings;
        this.outlet = outlet;
        this.ownPid = Long.toString(ProcessHandle.current().pid());
        this.messages = metrics.counter("syslog.messages", "Syslog messages received", "source", name);
        this.malformed = metrics.counter(
                "syslog.malformed", "Syslog messages of no known form, recorded as they came", "source", name);
        this.filtered = metrics.counter(
                "syslog.filtered", "Syslog messages that the settings leave out, and our own", "source", name);
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        // A sender is known only by its messages.
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        messages.increment();
        SyslogMessage message = SyslogMessage.of(buffer, offset, length);
        if (!message.isSound()) {
            malformed.increment();
        }
        int tag = tag(message);
        boolean own = message.program().equals(OWN_NAME) && message.pid().equals(ownPid);
        if (tag < 0 || own || message.level().compareTo(settings.level()) > 0) {
            filtered.increment();
            return;
        }
        outlet.text(message.level(), tag, nowNs, message.program(), message.text());
    }

    /** Negative if the message is not wanted. */
    private int tag(SyslogMessage message) {
        Integer ofProgram = settings.tags().get(message.program());
        if (ofProgram != null) {
            return ofProgram;
        }
        Integer ofFacility = settings.tags().get(Facility.NAMES.get(message.facility()));
        return ofFacility == null ? settings.otherTag().orElse(-1) : ofFacility;
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        // No state is kept for a sender.
    }

    @Override
    public void onTick(long nowNs) {
        outlet.tick(nowNs);
    }

    @Override
    public boolean mayWait() {
        return true;
    }

    /**
     * Names of facilities by number, as in syslog(3) and logger(1).
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc5424#section-6.2.1">RFC 5424, table 1</a>
     */
    public static final class Facility {
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
}
