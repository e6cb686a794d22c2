package org.mavlogd.local.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenTexts;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

class SyslogSourceTest {
    private static final int UNASSIGNED = 0;
    private static final int CAMERA = 3;
    private static final int IO = 7;
    private static final Peer SENDER = new Peer() {
        @Override
        public String address() {
            return "127.0.0.1:1";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            throw new AssertionError("syslog is never answered");
        }
    };

    private final Metrics metrics = new Metrics();
    private final LocalFeed feed = new LocalFeed("syslog", 1 << 16);
    private final TakenTexts taken = new TakenTexts(feed);

    private SyslogSource source(OptionalInt other) {
        SyslogSource.Settings settings =
                new SyslogSource.Settings(Map.of("camerad", CAMERA, "kern", IO), other, LogLevel.INFO);
        TextOutlet outlet =
                new TextOutlet("syslog", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(10, 3), metrics);
        return new SyslogSource("syslog", settings, outlet, metrics);
    }

    private static void send(SyslogSource source, String message, long nowNs) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        source.onBytes(SENDER, bytes, 0, bytes.length, nowNs);
    }

    private long count(String name) {
        return metrics.counter(name, "", "source", "syslog").get();
    }

    @Test
    void tagsByProgramThenByFacilityThenTheRest() {
        SyslogSource source = source(OptionalInt.of(UNASSIGNED));

        send(source, "<30>Nov 21 09:00:01 camerad[812]: lens stuck", 10);
        send(source, "<4>Nov 21 09:00:01 usb: reset", 20);
        send(source, "<14>Nov 21 09:00:01 host chrony: slewed", 30);

        assertThat(taken.take())
                .containsExactly(
                        new Text(6, CAMERA, 10, "camerad: lens stuck"),
                        new Text(4, IO, 20, "usb: reset"),
                        new Text(6, UNASSIGNED, 30, "chrony: slewed"));
    }

    @Test
    void leavesOutWhatIsNotWanted() {
        SyslogSource source = source(OptionalInt.empty());

        send(source, "<14>Nov 21 09:00:01 host chrony: slewed", 1);
        send(source, "<31>Nov 21 09:00:01 camerad: a detail", 2);

        assertThat(taken.take()).isEmpty();
        assertThat(count("syslog.filtered")).isEqualTo(2);
        assertThat(count("syslog.messages")).isEqualTo(2);
    }

    @Test
    void leavesOutItsOwnMessages() {
        SyslogSource source = source(OptionalInt.of(UNASSIGNED));
        long pid = ProcessHandle.current().pid();

        send(source, "<14>Nov 21 09:00:01 host mavlogd[" + pid + "]: ready", 1);
        send(source, "<14>Nov 21 09:00:01 host mavlogd[" + (pid + 1) + "]: another one", 2);

        assertThat(taken.words()).containsExactly("mavlogd: another one");
    }

    @Test
    void keepsMalformedOnesAsTextAndCountsThem() {
        SyslogSource source = source(OptionalInt.of(UNASSIGNED));

        send(source, "no priority at all", 1);
        send(source, "<11>no form", 2);
        send(source, "", 3);

        assertThat(taken.take())
                .containsExactly(
                        new Text(5, UNASSIGNED, 1, "no priority at all"), new Text(3, UNASSIGNED, 2, "no form"));
        assertThat(count("syslog.malformed")).isEqualTo(3);
        assertThat(count("local.empty.texts")).isEqualTo(1);
    }

    @Test
    void aFloodCostsItsOwnTagOnly() {
        SyslogSource source = source(OptionalInt.of(UNASSIGNED));
        source.onTick(0);
        for (int i = 0; i < 100; i++) {
            send(source, "<14>Nov 21 09:00:01 host chatter: " + i, 5);
        }
        send(source, "<30>Nov 21 09:00:01 camerad: lens stuck", 6);
        source.onTick(1_000_000_000L);

        assertThat(taken.words())
                .containsExactly(
                        "chatter: 0",
                        "chatter: 1",
                        "chatter: 2",
                        "camerad: lens stuck",
                        "97 messages of syslog left out; the limit is 10 a second");
    }
}
