package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.local.iio.IioSettings;
import org.mavlogd.local.nmea.NmeaSettings;
import org.mavlogd.local.publish.PublishSettings;
import org.mavlogd.local.system.SystemSettings;

/**
 * What this computer measures, hears and says, and what other programs publish: sections {@code [system]}, {@code [iio]},
 * {@code [gpsd]}, {@code [[nmea]]}, {@code [publish]}, {@code [[topic]]} and {@code [messages]}, and those of texts.
 *
 * @param system empty when this computer's state is not recorded
 * @param iio empty when its sensors are not recorded
 * @param gpsd where it is asked; empty when it is not
 * @param nmea none or several; their links' names are unique among all links
 */
public record LocalSettings(
        Optional<SystemSettings> system,
        Optional<IioSettings> iio,
        Optional<LinkSettings> gpsd,
        List<LinkedSource<NmeaSettings>> nmea,
        LinkedSource<PublishSettings> publish,
        TextsSettings texts,
        HeardSettings messages) {
    public LocalSettings {
        nmea = List.copyOf(nmea);
    }

    static LocalSettings read(ConfigFile file, List<LinkSettings> links, Path logDirectory) {
        return new LocalSettings(
                SystemSection.read(file.table(SystemSection.SECTION), logDirectory),
                IioSection.read(file.table(IioSection.SECTION)),
                GpsdSection.read(file.table(GpsdSection.SECTION)),
                NmeaSection.read(file, links),
                PublishSection.read(file),
                TextsSettings.read(file),
                MessagesSection.read(file.table(MessagesSection.SECTION)));
    }
}
