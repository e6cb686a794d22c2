package org.mavlogd.config;

import java.util.List;
import org.mavlogd.link.LinkSettings;

/**
 * What this computer measures itself: sections {@code [system]}, {@code [iio]}, {@code [gpsd]} and {@code [[nmea]]};
 * and the texts of this computer.
 *
 * @param nmea none or several; their links' names are unique among all links
 */
public record LocalSettings(
        SystemSection system, IioSection iio, GpsdSection gpsd, List<NmeaSection> nmea, TextsSettings texts) {
    public LocalSettings {
        nmea = List.copyOf(nmea);
    }

    static LocalSettings read(ConfigFile file, List<LinkSettings> links) {
        return new LocalSettings(
                SystemSection.read(file.table(SystemSection.SECTION)),
                IioSection.read(file.table(IioSection.SECTION)),
                GpsdSection.read(file.table(GpsdSection.SECTION)),
                NmeaSection.read(file, links),
                TextsSettings.read(file));
    }
}
