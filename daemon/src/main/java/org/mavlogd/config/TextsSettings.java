package org.mavlogd.config;

import java.util.Optional;
import org.mavlogd.local.TagSettings;
import org.mavlogd.local.journal.JournalSettings;
import org.mavlogd.local.syslog.SyslogSettings;
import org.mavlogd.ulog.LogLevel;

/**
 * Tagged texts: sections {@code [tags]}, {@code [events]}, {@code [journal]} and {@code [syslog]}.
 *
 * @param events minimum severity of mavlogd's own messages; empty when they are not recorded
 * @param journal empty when it is not read
 */
public record TextsSettings(
        TagSettings tags,
        Optional<LogLevel> events,
        Optional<JournalSettings> journal,
        LinkedSource<SyslogSettings> syslog) {
    static TextsSettings read(ConfigFile file) {
        TagSettings tags = TagsSection.read(file.table(TagsSection.SECTION));
        return new TextsSettings(
                tags,
                EventsSection.read(file.table(EventsSection.SECTION)),
                JournalSection.read(file.table(JournalSection.SECTION), tags.tags()),
                SyslogSection.read(file.table(SyslogSection.SECTION), tags.tags()));
    }
}
