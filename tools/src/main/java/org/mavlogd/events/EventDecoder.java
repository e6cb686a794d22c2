package org.mavlogd.events;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.ulog.KeyedValue;

/** Decodes the events of one log with the definitions that the log carries. Give it the infos, then ask for messages. */
public final class EventDecoder {
    private static final String DEFINITIONS = "metadata_events";
    private static final String CHECKSUM = "metadata_events_sha256";

    // A log has them once; one with many must not keep its reader unpacking.
    private static final int MAX_READS = 8;

    private final PackedDefinitions packed = new PackedDefinitions();
    private Optional<EventDefinitions> definitions = Optional.empty();
    private String problem = "";
    private int reads;

    /**
     * A message.
     *
     * @param isDefined whether the log defines it; otherwise the text has only its number and the bytes of its arguments
     * @param isSummary whether it sums up the checks before arming, for programs rather than people
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
     * The message of an event.
     *
     * @param id as in the log, 32 bits without sign
     */
    public Message message(long id, byte[] arguments) {
        return definitions()
                .event(id)
                .map(event -> new Message(EventText.of(event, arguments), true, event.isSummary()))
                .orElseGet(() -> new Message(undefined(id, arguments), false, false));
    }

    /** Why the definitions in the log are of no use; empty if they are, or if there are none. */
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
        return String.format(Locale.ROOT, "event %d, not defined in the log", id)
                + (bytes.isEmpty() ? "" : ", arguments " + bytes);
    }
}
