package org.mavlogd.app;

import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mavlogd.config.LogSettings;
import org.mavlogd.config.MergeSection;
import org.mavlogd.config.Settings;
import org.mavlogd.record.MergeSettings;
import org.mavlogd.record.RecordSettings;
import org.mavlogd.record.StandaloneSettings;

/** What the recorder is to know of the configuration. */
final class RecordParts {
    private static final int KIBI = 1 << 10;

    private RecordParts() {}

    static RecordSettings of(Settings settings) {
        return new RecordSettings(
                "mavlogd " + Version.text(), Map.of(), merge(settings.merge()), standalone(settings.log()));
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
