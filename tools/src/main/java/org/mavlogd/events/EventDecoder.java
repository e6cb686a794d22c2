package org.mavlogd.events;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.ulog.KeyedValue;

/** Decodes the events of a log with the definitions in the log. Pass it all infos, then request messages. */
public final class EventDecoder {
    private static final String DEFINITIONS = "metadata_events";
    private static final String CHECKSUM = "metadata_events_sha256";

    // A log has one set of definitions; many sets must not keep its reader unpacking.
    private static final int MAX_READS = 8;

    private final PackedDefinitions packed = new PackedDefinitions();
    private Optional<EventDefinitions> definitions = Optional.empty();
    private String problem = "";
    private int reads;

    /**
     * A message of an event.
     *
     * @param isDefined whether the log defines the event; otherwise the text has its number and the bytes of its
     *     arguments
     * @param isSummary whether it summarises the checks before arming, for programs rather than people
     */
    public record Message(String text, boolean isDefined, boolean isSummary) {}

    public void onInfo(KeyedValue info) {
        if (info.name().equals(CHECKSUM)) {
            packed.setSha256(info.text());
            forget();
        }
    }

    public void onMultiInfo(KeyedValue info, boolean continued) {
        if (info.name().equals(DEFINITIONS)) {
            packed.add(info.bytes(), continued);
            forget();
        }
    }

    private void forget() {
        if (reads < MAX_READS) {
            definitions = Optional.empty();
        }
    }

    /**
     * Returns the message of an event.
     *
     * @param id as in the log, unsigned 32 bits
     */
    public Message message(long id, byte[] arguments) {
        return definitions()
                .event(id)
                .map(event -> new Message(EventText.of(event, arguments), true, event.isSummary()))
                .orElseGet(() -> new Message(undefined(id, arguments), false, false));
    }

    /** The reason why the definitions in the log are unusable; empty if they are usable or missing. */
    public String problem() {
        definitions();
        return problem;
    }

    private EventDefinitions definitions() {
        if (definitions.isEmpty()) {
            definitions = Optional.of(read());
        }
        return definitions.get();
    }

    private EventDefinitions read() {
        problem = "";
        reads++;
        if (packed.isEmpty()) {
            return EventDefinitions.NONE;
        }
        try {
            return EventDefinitions.read(packed.unpack());
        } catch (IOException e) {
            problem = "the definitions of its events cannot be read: " + e.getMessage();
            return EventDefinitions.NONE;
        }
    }

    private static String undefined(long id, byte[] arguments) {
        int end = arguments.length;
        while (end > 0 && arguments[end - 1] == 0) {
            end--;
        }
        String bytes = HexFormat.of().formatHex(arguments, 0, end);
        return String.format(Locale.US, "event %d, not defined in the log", id)
                + (bytes.isEmpty() ? "" : ", arguments " + bytes);
    }
}
