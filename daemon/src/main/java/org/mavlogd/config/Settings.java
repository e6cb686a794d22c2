package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import org.mavlogd.control.HttpSettings;
import org.mavlogd.fetch.FetchSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;

/**
 * Everything that can be set, as the packages that need it want it.
 *
 * @param logDirectory relative ones start at the working directory
 * @param space how much of the disk logs may take
 * @param blocks what an ArduPilot's log becomes
 * @param standalone whether this computer's data get logs of their own
 * @param merge how this computer's data go into vehicles' logs
 * @param links at least one; names are unique
 * @param ringBytes memory of each link, a power of two
 */
public record Settings(
        Path logDirectory,
        StoreSettings store,
        SpaceLimits space,
        RecordSettings.BlockFiles blocks,
        RecordSettings.Standalone standalone,
        RecordSettings.Merge merge,
        ConversationSettings vehicles,
        Signing.Settings signing,
        List<LinkSettings> links,
        int ringBytes,
        HttpSettings http,
        FetchSettings fetch,
        LocalSettings local) {
    public Settings {
        links = List.copyOf(links);
    }

    /** Reads and checks a file; the exception tells everything that is wrong with it. */
    public static Settings load(Path path) throws ConfigException {
        ConfigFile file = ConfigFile.read(path, Schema.SECTIONS);
        SecretFile secrets = new SecretFile(System.getenv());
        List<LinkSettings> links = LinkSection.read(file);
        SectionReader log = file.table(LogSection.SECTION);
        SectionReader vehicle = file.table(VehicleSection.SECTION);
        SectionReader mavlink = file.table(MavlinkSection.SECTION);
        Signing.Settings signing = SigningSection.read(file.table(SigningSection.SECTION), secrets);
        SectionReader recorder = file.table(RecorderSection.SECTION);
        Settings settings = new Settings(
                LogSection.directory(log),
                RecorderSection.store(recorder, LogSection.rotation(log)),
                LogSection.space(log),
                LogSection.blocks(log),
                LogSection.standalone(log),
                MergeSection.read(file.table(MergeSection.SECTION)),
                VehicleSection.read(vehicle, log, mavlink),
                signing,
                links,
                RecorderSection.ringBytes(recorder),
                HttpSection.read(file.table(HttpSection.SECTION), secrets),
                FetchSection.read(file.table(FetchSection.SECTION)),
                LocalSettings.read(file, links, LogSection.directory(log)));
        file.problems().throwIfAny(secrets.unreadable());
        return settings;
    }
}
