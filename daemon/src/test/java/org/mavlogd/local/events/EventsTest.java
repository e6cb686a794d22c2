package org.mavlogd.local.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenTexts;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

class EventsTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Metrics metrics = new Metrics();
    private final LocalFeed feed = new LocalFeed("events", 1 << 18);
    private final TakenTexts taken = new TakenTexts(feed);
    private final List<String> watched = new ArrayList<>();
    private long nowNs = 5;
    private int rung;

    private EventHandler handler(LogLevel level) {
        return new EventHandler(
                TagMap.of(Map.of("ulg", 40)),
                level,
                () -> nowNs,
                () -> rung++,
                ContainedPart.unlisted("log.events", Recovery.PAUSES));
    }

    private EventAgent agent(EventHandler handler, LogLevel level) {
        TagMap tags = TagMap.of(Map.of("ulg", 40));
        TextOutlet outlet =
                new TextOutlet("events", feed.publisher(), tags, new TextLimiter.Limits(1000, 1000), metrics);
        EventAgent.Watch watch = (now, listener) -> {
            watched.add("look at " + now);
            listener.onEvent(LogLevel.WARNING, TagMap.ULG, "a gap");
            listener.onEvent(LogLevel.INFO, TagMap.MAVLINK_HANDLER, "heard again");
        };
        return new EventAgent(handler, outlet, watch, level, () -> nowNs, metrics);
    }

    private static void log(EventHandler handler, Level level, String logger, String message) {
        LogRecord logged = new LogRecord(level, message);
        logged.setLoggerName(logger);
        handler.publish(logged);
    }

    @Test
    void publishesWhatIsLoggedWithTheTimeAtWhichItWasSaid() {
        EventHandler handler = handler(LogLevel.INFO);
        EventAgent agent = agent(handler, LogLevel.ERROR);
        log(handler, Level.INFO, "org.mavlogd.record.Px4Recording", "recording a.ulg");
        nowNs = 6;
        log(handler, Level.SEVERE, "org.mavlogd.store.Keeper", "disk full");
        nowNs = 100;
        assertThat(rung).as("times that the publishing thread was woken").isEqualTo(2);

        agent.doWork();

        assertThat(taken.take()).containsExactly(new Text(6, 40, 5, "recording a.ulg"), new Text(3, 7, 6, "disk full"));
    }

    @ParameterizedTest
    @CsvSource({
        "org.mavlogd.link.Link, 1",
        "org.mavlogd.link.SerialLink, 5",
        "org.mavlogd.vehicle.Vehicle, 1",
        "org.mavlogd.vehicle.px4.Px4LogSession, 1",
        "org.mavlogd.signing.Signing, 1",
        "org.mavlogd.record.Px4Recording, 40",
        "org.mavlogd.recovery.UnfinishedLogs, 7",
        "org.mavlogd.wiring.FinishedLogs, 7",
        "org.mavlogd.app.DirectoryLock, 7",
        "org.mavlogd.app.WatchdogFeeder, 6",
        "org.mavlogd.local.Sampler, 7",
        "org.mavlogd.app.RunCommand, 0"
    })
    void theTagIsThatOfThePart(String logger, int tag) throws ClassNotFoundException {
        Class.forName(logger, false, getClass().getClassLoader()); // a rule for a class that has moved adds no tag
        EventHandler handler = handler(LogLevel.INFO);
        log(handler, Level.INFO, logger, "text");

        agent(handler, LogLevel.ERROR).doWork();

        assertThat(taken.take()).extracting(Text::tag).containsExactly(tag);
    }

    @Test
    void takesNothingBelowItsLevelAndNothingOfLibraries() {
        EventHandler handler = handler(LogLevel.WARNING);
        log(handler, Level.INFO, "org.mavlogd.link.Link", "up");
        log(handler, Level.FINE, "org.mavlogd.link.Link", "a detail");
        log(handler, Level.SEVERE, "io.netty.Loop", "a library");
        log(handler, Level.SEVERE, "org.mavlogdish.Loop", "another program");
        handler.publish(new LogRecord(Level.SEVERE, "nobody"));
        log(handler, Level.WARNING, "org.mavlogd.link.Link", "down");

        agent(handler, LogLevel.ERROR).doWork();

        assertThat(taken.words()).containsExactly("down");
    }

    @Test
    void saysWhatWasThrown() {
        EventHandler handler = handler(LogLevel.INFO);
        LogRecord logged = new LogRecord(Level.SEVERE, "broken");
        logged.setLoggerName("org.mavlogd.app.Fatal");
        logged.setThrown(new IllegalStateException("a\nb"));
        handler.publish(logged);

        agent(handler, LogLevel.ERROR).doWork();

        assertThat(taken.words()).containsExactly("broken: java.lang.IllegalStateException: a\\nb");
    }

    @Test
    void whoeverLogsTooMuchNeverWaitsAndIsCounted() {
        EventHandler handler = handler(LogLevel.INFO);
        for (int i = 0; i < EventHandler.CAPACITY + 10; i++) {
            log(handler, Level.INFO, "org.mavlogd.link.Link", "line " + i);
        }
        EventAgent agent = agent(handler, LogLevel.ERROR);

        agent.onClose();
        agent.doWork();

        List<String> words = taken.words();
        assertThat(words).hasSize(EventHandler.CAPACITY + 1).endsWith("10 events left out: too many at once");
        assertThat(metrics.counter("events.dropped", "").get()).isEqualTo(10);
    }

    @Test
    void looksAtFiguresOnceASecond() {
        EventAgent agent = agent(handler(LogLevel.INFO), LogLevel.WARNING);
        nowNs = 0;
        agent.doWork();
        nowNs = SECOND_NS - 1;
        agent.doWork();
        nowNs = SECOND_NS;
        agent.doWork();

        assertThat(watched).containsExactly("look at 0", "look at " + SECOND_NS);
        assertThat(taken.take()).containsExactly(new Text(4, 40, 0, "a gap"), new Text(4, 40, SECOND_NS, "a gap"));
    }
}
