package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import org.mavlogd.link.LinkSettings;

/**
 * Everything that can be set.
 *
 * @param links at least one; names are unique
 */
public record Settings(
        LogSettings log,
        VehicleSettings vehicle,
        MavlinkSettings mavlink,
        SigningSettings signing,
        RecorderSettings recorder,
        HttpSettings http,
        List<LinkSettings> links,
        FetchSection fetch,
        MergeSection merge,
        LocalSettings local) {
    public Settings {
        links = List.copyOf(links);
    }

    /** Reads and checks a file; the exception tells everything that is wrong with it. */
    public static Settings load(Path path) throws ConfigException {
        ConfigFile file = ConfigFile.read(path, Schema.SECTIONS);
        SecretFile secrets = new SecretFile(System.getenv());
        List<LinkSettings> links = LinkSection.read(file);
        Settings settings = new Settings(
                LogSettings.read(file.table(LogSettings.SECTION)),
                VehicleSettings.read(file.table(VehicleSettings.SECTION)),
                MavlinkSettings.read(file.table(MavlinkSettings.SECTION)),
                SigningSettings.read(file.table(SigningSettings.SECTION), secrets),
                RecorderSettings.read(file.table(RecorderSettings.SECTION)),
                HttpSettings.read(file.table(HttpSettings.SECTION), secrets),
                links,
                FetchSection.read(file.table(FetchSection.SECTION)),
                MergeSection.read(file.table(MergeSection.SECTION)),
                LocalSettings.read(file, links));
        file.problems().throwIfAny(secrets.unreadable());
        return settings;
    }
}
