package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.gpsd.GpsdSource;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.local.nmea.NmeaSource;
import org.mavlogd.local.system.SystemSettings;
import org.mavlogd.local.system.SystemSources;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;
import org.mavlogd.ulog.Field;

/** The document's statements about topics match their declarations. */
class CompanionTopicsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "companion-topics.md");

    @Test
    void namesEveryTopicAndFieldWithItsTypeAndUnit() throws IOException {
        LocalFeed feed = new LocalFeed("all", 1 << 16);
        declareAll(feed.publisher());

        for (LocalTopic topic : feed.topics()) {
            Optional<String> row = Files.readAllLines(DOCUMENT).stream()
                    .filter(line -> line.startsWith("| `" + topic.name() + "` |"))
                    .findFirst();
            assertThat(row).as(topic.name()).isPresent();
            for (Field field :
                    topic.format().fields().subList(1, topic.format().fields().size())) {
                assertThat(row.get()).contains(text(topic, field));
            }
        }
    }

    private static String text(LocalTopic topic, Field field) {
        String unit = topic.units().getOrDefault(field.name(), "1");
        boolean perCore = field.name().startsWith("core_");
        String type = perCore ? field.type() + "[n] " + field.name() : field.text();
        return '`' + type + '`' + (unit.equals("1") ? "" : ' ' + unit);
    }

    private static void declareAll(LocalPublisher publisher) {
        Metrics metrics = new Metrics();
        SystemSettings system = new SystemSettings(Path.of("/"), Path.of("/"), 1, Set.of());
        SystemSources.create(system, publisher, metrics, new RecorderFigures(metrics, () -> 0, new Peak()));
        new GpsdSource(publisher, metrics);
        new NmeaSource(new NmeaSource.Settings("x", 0, false), publisher, metrics);
        new ClockTopic("x", publisher, metrics);
    }
}
