package org.mavlogd.wiring;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mavlogd.cli.Version;
import org.mavlogd.config.Settings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.tags.TagMap;

/** What the recorder is to know of the configuration. */
final class RecordParts {
    private RecordParts() {}

    static RecordSettings of(Settings settings, MemoryBudget memory) {
        return new RecordSettings(
                "mavlogd " + Version.text(),
                infos(settings),
                settings.merge(),
                settings.standalone(),
                settings.blocks(),
                bauds(settings.links()),
                memory);
    }

    private static Map<String, Integer> bauds(List<LinkSettings> links) {
        return links.stream()
                .filter(LinkSettings.SerialPort.class::isInstance)
                .map(LinkSettings.SerialPort.class::cast)
                .collect(Collectors.toMap(LinkSettings.SerialPort::name, LinkSettings.SerialPort::baud));
    }

    /** The names of tags, so that readers of a log need not know this configuration. */
    private static Map<String, String> infos(Settings settings) {
        return Map.of(TagMap.INFO, settings.local().texts().tags().tags().infoText());
    }
}
