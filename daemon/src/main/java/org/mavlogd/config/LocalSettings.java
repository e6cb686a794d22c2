package org.mavlogd.config;

import java.util.List;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.heard.HeardSettings;

/**
 * What this computer measures, hears and says, and what other programs publish: sections {@code [system]}, {@code [iio]},
 * {@code [gpsd]}, {@code [[nmea]]}, {@code [publish]}, {@code [[topic]]} and {@code [messages]}, and those of texts.
 *
 * @param nmea none or several; their links' names are unique among all links
 */
public record LocalSettings(
        SystemSection system,
        IioSection iio,
        GpsdSection gpsd,
        List<NmeaSection> nmea,
        PublishSection publish,
        TextsSettings texts,
        HeardSettings messages) {
    public LocalSettings {
        nmea = List.copyOf(nmea);
    }

    static LocalSettings read(ConfigFile file, List<LinkSettings> links) {
        return new LocalSettings(
                SystemSection.read(file.table(SystemSection.SECTION)),
                IioSection.read(file.table(IioSection.SECTION)),
                GpsdSection.read(file.table(GpsdSection.SECTION)),
                NmeaSection.read(file, links),
                PublishSection.read(file),
                TextsSettings.read(file),
                MessagesSection.read(file.table(MessagesSection.SECTION)));
    }
}
