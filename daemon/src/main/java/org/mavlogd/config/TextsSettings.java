package org.mavlogd.config;

/** Tagged texts: sections {@code [tags]}, {@code [events]}, {@code [journal]} and {@code [syslog]}. */
public record TextsSettings(TagsSection tags, EventsSection events, JournalSection journal, SyslogSection syslog) {
    static TextsSettings read(ConfigFile file) {
        TagsSection tags = TagsSection.read(file.table(TagsSection.SECTION));
        return new TextsSettings(
                tags,
                EventsSection.read(file.table(EventsSection.SECTION)),
                JournalSection.read(file.table(JournalSection.SECTION), tags.tags()),
                SyslogSection.read(file.table(SyslogSection.SECTION), tags.tags()));
    }
}
