package org.mavlogd.app;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.mavlogd.cli.Version;
import org.mavlogd.config.ArduPilotFiles;
import org.mavlogd.config.LogSettings;
import org.mavlogd.config.MergeSection;
import org.mavlogd.config.Settings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.record.files.BlockFiles;
import org.mavlogd.record.files.MergeSettings;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.files.StandaloneSettings;
import org.mavlogd.tags.TagMap;

/** What the recorder is to know of the configuration. */
final class RecordParts {
    private static final int KIBI = 1 << 10;

    private RecordParts() {}

    static RecordSettings of(Settings settings, MemoryBudget memory) {
        return new RecordSettings(
                "mavlogd " + Version.text(),
                infos(settings),
                merge(settings.merge()),
                standalone(settings.log()),
                blocks(settings.log().arduPilot()),
                bauds(settings.links()),
                memory);
    }

    private static Map<String, Integer> bauds(List<LinkSettings> links) {
        return links.stream()
                .filter(LinkSettings.SerialPort.class::isInstance)
                .map(LinkSettings.SerialPort.class::cast)
                .collect(Collectors.toMap(LinkSettings.SerialPort::name, LinkSettings.SerialPort::baud));
    }

    private static BlockFiles blocks(ArduPilotFiles files) {
        return new BlockFiles(files.bin(), files.ulg());
    }

    /** The names of tags, so that readers of a log need not know this configuration. */
    private static Map<String, String> infos(Settings settings) {
        return Map.of(TagMap.INFO, settings.local().texts().tags().tags().infoText());
    }

    private static StandaloneSettings standalone(LogSettings log) {
        return new StandaloneSettings(
                log.standalone().enabled(),
                TimeUnit.SECONDS.toNanos(log.standalone().afterS()),
                ZoneId.systemDefault());
    }

    private static MergeSettings merge(MergeSection merge) {
        MergeSettings.NewTopics newTopics = switch (merge.newTopics()) {
            case NEXT_FILE -> MergeSettings.NewTopics.NEXT_FILE;
            case NEW_FILE -> MergeSettings.NewTopics.NEW_FILE;
        };
        return new MergeSettings((long) merge.maxKibPerS() * KIBI, merge.prefix(), newTopics);
    }
}
