package org.mavlogd.local.journal;

import java.util.ArrayList;
import java.util.List;

/** The command line of journalctl that follows the configured entries from a position on. */
final class JournalCommand {
    private static final String OR = "+";

    private JournalCommand() {}

    static List<String> of(JournalSource.Settings settings, PlaceKeeper.Place place) {
        List<String> command = new ArrayList<>(settings.program());
        command.addAll(List.of(
                "--system",
                "--follow",
                // Else "--follow" silently leaves out the previous boot; and everything, if a sandbox hides which boot
                // this is.
                "--merge",
                // Else journalctl shows only the last ten entries.
                "--no-tail",
                "--no-pager",
                // Else values of more than 4 KiB are null.
                "--all",
                "--output=json",
                "--output-fields=" + JournalEntry.FIELDS,
                place.argument()));
        if (settings.otherTag().isEmpty()) {
            addMatches(settings, command);
        }
        return command;
    }

    /** Adds matches for the messages of a unit, and for systemd's messages about it. */
    private static void addMatches(JournalSource.Settings settings, List<String> command) {
        boolean first = true;
        for (String unit : settings.tags().keySet().stream().sorted().toList()) {
            if (!first) {
                command.add(OR);
            }
            first = false;
            if (unit.equals(JournalSource.Settings.KERNEL)) {
                command.add("_TRANSPORT=kernel");
            } else {
                command.addAll(List.of("_SYSTEMD_UNIT=" + unit, OR, "UNIT=" + unit, "_PID=1"));
            }
        }
    }
}
