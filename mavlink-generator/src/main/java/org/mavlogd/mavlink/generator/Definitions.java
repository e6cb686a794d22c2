package org.mavlogd.mavlink.generator;

import java.util.Comparator;
import java.util.List;

/** All messages that the recorder knows, and the names of those that its code uses. */
final class Definitions {
    /** Order of dialects that disagree, the most common first. */
    private static final List<String> PREFERRED = List.of("minimal", "standard", "common", "ardupilotmega");

    /** Messages that are built and read field by field: a number and a layout is generated for each. */
    static final List<String> WITH_LAYOUT = List.of(
            "HEARTBEAT",
            "SYSTEM_TIME",
            "COMMAND_LONG",
            "COMMAND_ACK",
            "FILE_TRANSFER_PROTOCOL",
            "TIMESYNC",
            "LOG_REQUEST_LIST",
            "LOG_ENTRY",
            "LOG_REQUEST_DATA",
            "LOG_DATA",
            "LOG_REQUEST_END",
            "REMOTE_LOG_BLOCK_STATUS",
            "STATUSTEXT",
            "PARAM_VALUE",
            "LOGGING_ACK");

    /**
     * Messages for which only a number is generated: log messages, whose layouts are written by hand, and messages
     * whose fields are not read.
     */
    static final List<String> WITH_NUMBER = List.of(
            "COMMAND_INT",
            "PARAM_EXT_VALUE",
            "PARAM_EXT_ACK",
            "REMOTE_LOG_DATA_BLOCK",
            "SETUP_SIGNING",
            "LOGGING_DATA",
            "LOGGING_DATA_ACKED");

    /** Messages that only simulated vehicles send: only a layout is generated. */
    static final List<String> SIMULATED = List.of("ATTITUDE");

    private Definitions() {}

    /** All messages, ordered by id, then by preference of the dialect; newer definitions first. */
    static List<Message> all() {
        return all(DronefleetDefinitions.messages(), Supplement.own());
    }

    static List<Message> all(List<Message> library, Supplement supplement) {
        List<Message> all = supplement.complete(library).stream()
                .sorted(Comparator.comparingInt(Message::id)
                        .thenComparingInt(Definitions::preference)
                        .thenComparing(Message::origin))
                .toList();
        for (int i = 1; i < all.size(); i++) {
            Message one = all.get(i - 1);
            Message other = all.get(i);
            if (one.id() == other.id() && one.crcExtra() == other.crcExtra()) {
                throw new IllegalStateException("message " + one.id() + ": " + one.name() + " and " + other.name()
                        + " have the same CRC_EXTRA");
            }
        }
        return all;
    }

    private static int preference(Message message) {
        int index = PREFERRED.indexOf(message.origin());
        return index < 0 ? PREFERRED.size() : index;
    }

    /** The only message with this name; throws if there is another number of them. */
    static Message named(List<Message> all, String name) {
        List<Message> found =
                all.stream().filter(message -> message.name().equals(name)).toList();
        if (found.size() != 1) {
            throw new IllegalStateException(found.size() + " messages are called " + name);
        }
        return found.get(0);
    }
}
