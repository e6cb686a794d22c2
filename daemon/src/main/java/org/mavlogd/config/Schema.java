package org.mavlogd.config;

import java.util.List;

/** Everything that a configuration file may hold: the one table behind reading, checking and documenting. */
final class Schema {
    static final List<Section> SECTIONS = List.of(
            LogSection.SECTION,
            VehicleSection.SECTION,
            MavlinkSection.SECTION,
            SigningSection.SECTION,
            RecorderSection.SECTION,
            HttpSection.SECTION,
            LinkSection.SECTION,
            FetchSection.SECTION,
            MergeSection.SECTION,
            SystemSection.SECTION,
            IioSection.SECTION,
            GpsdSection.SECTION,
            NmeaSection.SECTION,
            MessagesSection.SECTION,
            PublishSection.SECTION,
            TopicSection.SECTION,
            TagsSection.SECTION,
            EventsSection.SECTION,
            JournalSection.SECTION,
            SyslogSection.SECTION);

    private Schema() {}
}
