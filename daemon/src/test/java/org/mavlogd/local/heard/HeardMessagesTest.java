package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.mavlink.BrokenFrames;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;

class HeardMessagesTest {
    private static final byte[] ATTITUDE = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    };

    @Test
    void aMessageBecomesATopicWithItsPayloadAsItIsOnTheWire() {
        HeardLink link = new HeardLink(HeardLink.including("ATTITUDE"));

        link.send(HeardFrames.of("ATTITUDE").from(3, 7).payload(ATTITUDE));

        HeardLink.Sample sample = link.take().get(0);
        assertThat(sample.topic().format().text())
                .isEqualTo(
                        "mavlink_attitude:uint64_t timestamp;uint32_t time_boot_ms;float roll;float pitch;float yaw;"
                                + "float rollspeed;float pitchspeed;float yawspeed;uint8_t source_system;uint8_t source_component;");
        assertThat(sample.topic().units()).containsEntry("roll", "rad").containsEntry("time_boot_ms", "ms");
        assertThat(sample.takenNs()).isEqualTo(link.nowNs);
        assertThat(sample.instance()).isZero();
        assertThat(Arrays.copyOf(sample.bytes(), 28)).isEqualTo(ATTITUDE);
        assertThat(sample.field("source_system")).containsExactly(3);
        assertThat(sample.field("source_component")).containsExactly(7);
    }

    @Test
    @SuppressWarnings("NullAway") // this is the error under test
    void leavesOutAMessageThatThrows() {
        HeardLink link = new HeardLink(HeardLink.ALL);

        link.heard.onFrame(null, false, false, link.nowNs);
        link.send(HeardFrames.of("ATTITUDE").from(3, 7).payload(ATTITUDE));

        assertThat(link.errors()).isOne();
        assertThat(link.take()).hasSize(1);
    }

    /** The recorder would wait for the rest of this message before it takes later ones of the link. */
    @Test
    void aMessageThatCannotBeCopiedHoldsUpNoOther() {
        HeardLink link = new HeardLink(HeardLink.ALL);
        byte[] frame = HeardFrames.of("ATTITUDE").from(3, 7).payload(ATTITUDE).bytes();
        new FrameDecoder(
                        (view, now) -> {
                            link.heard.onFrame(view, false, false, now);
                            BrokenFrames.breakPayload(view);
                            link.heard.onFrame(view, false, false, now);
                        },
                        FrameCounters.unregistered())
                .decode(frame, 0, frame.length, link.nowNs);
        link.send(HeardFrames.of("ATTITUDE").from(3, 7).payload(ATTITUDE));

        assertThat(link.errors()).isOne();
        assertThat(link.take()).hasSize(2);
        assertThat(link.metrics.scrape()).contains("mavlogd_local_lost_samples_total{source=\"link.a\"} 1.0");
    }

    @Test
    void everyKnownMessageCanBeATopic() {
        Dialect dialect = Dialect.standard();
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < dialect.count(); i++) {
            MessageLayout message = dialect.layout(i);

            HeardFormat format = HeardFormat.of(HeardFormat.topic(dialect, i), message);

            topics.add(format.format().name());
            assertThat(LocalTopic.problem(format.format())).as(message.name()).isEmpty();
            // Only names that a log does not allow are changed.
            List<Field> fields = format.format().fields();
            for (int f = 0; f < message.fields().size(); f++) {
                String name = message.fields().get(f).name();
                assertThat(fields.get(f + 1).name()).isEqualTo(name.equals("timestamp") ? "timestamp_2" : name);
            }
        }
        assertThat(topics).doesNotHaveDuplicates().contains("mavlink_obstacle_distance_3d");
    }

    @Test
    void zerosThatWereNotSentAreFilledIn() {
        HeardLink link = new HeardLink(HeardLink.including("GPS_RAW_INT"));
        byte[] payload = new byte[52];
        payload[8] = 5;
        link.send(HeardFrames.of("GPS_RAW_INT").payload(full((byte) -1, 52)));
        link.take();

        link.send(HeardFrames.of("GPS_RAW_INT").payload(payload));
        link.send(HeardFrames.v1("GPS_RAW_INT").payload(full((byte) 9, 30)));

        List<HeardLink.Sample> samples = link.take();
        assertThat(Arrays.copyOf(samples.get(0).bytes(), 52)).isEqualTo(payload);
        assertThat(Arrays.copyOf(samples.get(1).bytes(), 30)).isEqualTo(full((byte) 9, 30));
        assertThat(Arrays.copyOfRange(samples.get(1).bytes(), 30, 52)).isEqualTo(new byte[22]);
    }

    @Test
    void newerExtensionFieldsThatNobodyKnowsAreCutOff() {
        HeardLink link = new HeardLink(HeardLink.including("ATTITUDE"));

        link.send(HeardFrames.of("ATTITUDE").payload(full((byte) 8, 40)));

        assertThat(link.take().get(0).bytes()).hasSize(30).endsWith(8, 1, 1);
    }

    @Test
    void includesAndExcludesByPattern() {
        HeardLink link = new HeardLink(new HeardSettings(
                List.of("GPS_*", "ATTITUDE?QUATERNION"),
                List.of("GPS_STATUS"),
                0,
                List.of(),
                HeardSettings.StatusTextMode.NEVER,
                HeardSettings.SenderChoice.ANYONE));

        for (String name : List.of("GPS_RAW_INT", "GPS_STATUS", "ATTITUDE", "ATTITUDE_QUATERNION", "GPS_RAW_INT")) {
            link.send(HeardFrames.of(name).payload(new byte[] {1}));
        }

        assertThat(link.take())
                .extracting(HeardLink.Sample::name)
                .containsExactly("mavlink_gps_raw_int", "mavlink_attitude_quaternion", "mavlink_gps_raw_int");
        assertThat(link.count("messages.excluded")).isEqualTo(2);
        assertThat(link.count("local.samples")).isEqualTo(3);
    }

    @Test
    void piecesOfLogsAndSecretsAreNeverRecorded() {
        HeardLink link = new HeardLink(HeardLink.ALL);

        for (String name : List.of(
                "LOGGING_DATA",
                "LOGGING_DATA_ACKED",
                "LOGGING_ACK",
                "LOG_DATA",
                "REMOTE_LOG_DATA_BLOCK",
                "REMOTE_LOG_BLOCK_STATUS",
                "SETUP_SIGNING",
                "AUTH_KEY",
                "AIRLINK_AUTH",
                "WIFI_CONFIG_AP",
                "CELLULAR_CONFIG")) {
            link.send(HeardFrames.of(name).payload(new byte[] {1}));
        }

        assertThat(link.take()).isEmpty();
        assertThat(link.feed.topics()).isEmpty();
        assertThat(link.count("messages.excluded")).isEqualTo(11);
    }

    @Test
    void messagesAskedForByNameHaveTheirTopicFromTheBeginning() {
        HeardLink link = new HeardLink(HeardLink.including("ATTITUDE", "GPS_*", "VFR_HUD"));

        link.send(HeardFrames.of("HEARTBEAT").payload(new byte[9]));

        assertThat(link.feed.topics())
                .extracting(LocalTopic::name)
                .containsExactlyInAnyOrder("mavlink_attitude", "mavlink_vfr_hud");
    }

    @Test
    void eachSenderHasAnInstanceInTheOrderHeardAndKeepsIt() {
        HeardMessages.Instances instances = new HeardMessages.Instances();
        HeardLink one = new HeardLink(HeardLink.ALL, "one", instances, 1 << 18);
        HeardLink two = new HeardLink(HeardLink.ALL, "two", instances, 1 << 18);

        one.send(HeardFrames.of("ATTITUDE").from(1, 1).payload(ATTITUDE));
        one.send(HeardFrames.of("ATTITUDE").from(1, 154).payload(ATTITUDE));
        two.send(HeardFrames.of("ATTITUDE").from(1, 1).payload(ATTITUDE));
        one.send(HeardFrames.of("HEARTBEAT").from(1, 154).payload(new byte[9]));
        one.send(HeardFrames.of("ATTITUDE").from(2, 1).payload(ATTITUDE));
        one.send(HeardFrames.of("ATTITUDE").from(1, 1).payload(ATTITUDE));

        assertThat(one.take()).extracting(HeardLink.Sample::instance).containsExactly(0, 1, 0, 3, 0);
        assertThat(two.take()).extracting(HeardLink.Sample::instance).containsExactly(2);
    }

    @Test
    void sendersBeyondTheLimitAreCounted() {
        HeardLink link = new HeardLink(HeardLink.including("ATTITUDE"));

        for (int sender = 0; sender < 40; sender++) {
            link.send(HeardFrames.of("ATTITUDE").from(sender, 1).payload(ATTITUDE));
        }

        assertThat(link.take()).hasSize(HeardTopic.MAX_SENDERS);
        assertThat(link.count("messages.refused")).isEqualTo(40 - HeardTopic.MAX_SENDERS);
    }

    @Test
    void messagesOfATopicForWhichThereIsNoMemoryAreCountedAsRefused() {
        MemoryBudget tiny = new MemoryBudget(1024);
        HeardLink link = new HeardLink(
                HeardLink.including("ATTITUDE"),
                new HeardMessages.Instances(),
                new LocalFeed("a", 1 << 18, tiny.share(Requester.LOCAL_SOURCE)));

        for (int i = 0; i < 3; i++) {
            link.send(HeardFrames.of("ATTITUDE").payload(ATTITUDE));
        }

        assertThat(link.take()).isEmpty();
        assertThat(link.count("messages.refused")).isEqualTo(3);
        assertThat(link.count("messages.excluded")).isZero();
    }

    @Test
    void instancesOfATopicAreBounded() {
        HeardMessages.Instances instances = new HeardMessages.Instances();

        for (int sender = 0; sender < 256; sender++) {
            assertThat(instances.of("t", "a", sender)).isEqualTo(sender);
        }

        assertThat(instances.of("t", "a", 256)).isEqualTo(HeardMessages.Instances.NONE);
        assertThat(instances.of("t", "a", 7)).isEqualTo(7);
        assertThat(instances.of("u", "a", 256)).isZero();
    }

    @Test
    void ratesAreLimitedByMessageAndSender() {
        HeardLink link = new HeardLink(new HeardSettings(
                List.of("*"),
                List.of(),
                10,
                List.of(new HeardSettings.Limit("ATT*", 5), new HeardSettings.Limit("VFR_HUD", 0)),
                HeardSettings.StatusTextMode.NEVER,
                HeardSettings.SenderChoice.ANYONE));

        for (int i = 0; i < 50 * 60; i++) {
            link.send(HeardFrames.of("ATTITUDE").from(1, 1).payload(ATTITUDE));
            link.send(HeardFrames.of("ATTITUDE").from(1, 2).payload(ATTITUDE));
            link.send(HeardFrames.of("RAW_IMU").payload(ATTITUDE));
            link.send(HeardFrames.of("VFR_HUD").payload(new byte[20]));
            link.pass(20);
            link.drain();
        }

        assertThat(count(link, "mavlink_attitude", 0)).isBetween(300L, 305L);
        assertThat(count(link, "mavlink_attitude", 1)).isBetween(300L, 305L);
        assertThat(count(link, "mavlink_raw_imu", 0)).isBetween(600L, 610L);
        assertThat(count(link, "mavlink_vfr_hud", 0)).isEqualTo(3000);
        assertThat(link.count("messages.limited") + link.count("local.samples")).isEqualTo(4 * 3000);
    }

    @Test
    void whatComesAtItsRateIsNotLimitedThoughItComesUnevenly() {
        HeardLink link = new HeardLink(new HeardSettings(
                List.of("*"),
                List.of(),
                1,
                List.of(),
                HeardSettings.StatusTextMode.NEVER,
                HeardSettings.SenderChoice.ANYONE));

        for (int i = 0; i < 100; i++) {
            link.pass(i % 2 == 0 ? 700 : 1300);
            link.send(HeardFrames.of("HEARTBEAT").payload(new byte[9]));
        }

        assertThat(link.take()).hasSize(100);
    }

    @Test
    void alikeThingsThatOneMessageTellsOfHaveRatesOfTheirOwn() {
        HeardLink link = new HeardLink(new HeardSettings(
                List.of("*"),
                List.of(),
                1,
                List.of(),
                HeardSettings.StatusTextMode.NEVER,
                HeardSettings.SenderChoice.ANYONE));
        byte[] payload = full((byte) 1, 54);

        for (int i = 0; i < 20; i++) {
            for (int battery = 0; battery < 4; battery++) {
                payload[32] = (byte) battery; // id, after all wider fields
                link.send(HeardFrames.of("BATTERY_STATUS").payload(payload));
            }
            link.pass(1000);
        }

        assertThat(link.take()).hasSize(80);
    }

    @Test
    void aFullRingCostsSamplesAndIsCounted() {
        HeardLink link = new HeardLink(HeardLink.ALL, "a", new HeardMessages.Instances(), 1 << 16);

        for (int i = 0; i < 2000; i++) {
            link.send(HeardFrames.of("ATTITUDE").payload(ATTITUDE));
        }

        long taken = link.take().size();
        assertThat(taken).isBetween(500L, 1999L);
        assertThat(link.count("local.lost.samples")).isEqualTo(2000 - taken);
        link.send(HeardFrames.of("ATTITUDE").payload(ATTITUDE));
        assertThat(link.take()).hasSize(1);
    }

    @Test
    void furtherMessagesAreTopicsLikeAllOthers() {
        MessageLayout winch = MessageLayout.of(
                42_000,
                "_Winch",
                List.of(
                        new MessageLayout.Field(FieldType.UINT8, 0, "timestamp", false, false, ""),
                        new MessageLayout.Field(FieldType.FLOAT, 0, "source_system", false, false, "kg"),
                        new MessageLayout.Field(FieldType.CHAR, 4, "_padding0", false, false, ""),
                        new MessageLayout.Field(FieldType.UINT8, 0, "n".repeat(300), true, false, "")));
        MessageLayout other = MessageLayout.of(
                42_001, "ATTITUDE", List.of(new MessageLayout.Field(FieldType.UINT8, 0, "x", false, false, "")));
        Dialect dialect = Dialect.with(List.of(winch, other));
        HeardLink link = new HeardLink(HeardLink.allOf(dialect), "a", new HeardMessages.Instances(), 1 << 16);

        link.send(HeardFrames.of(winch).payload(new byte[] {1, 2, 3, 4, 5, 'a', 'b', 0, 0, 6}));
        link.send(HeardFrames.of(other).payload(new byte[] {1}));

        List<HeardLink.Sample> samples = link.take();
        assertThat(samples)
                .extracting(HeardLink.Sample::name)
                .containsExactly("mavlink_message__winch", "mavlink_attitude_2");
        assertThat(samples.get(0).topic().format().fields())
                .extracting(Field::text)
                .startsWith(
                        "uint64_t timestamp",
                        "float source_system_2",
                        "uint8_t timestamp_2",
                        "char[4] field__padding0");
        assertThat(samples.get(0).topic().units()).containsEntry("source_system_2", "kg");
    }

    private static long count(HeardLink link, String topic, int instance) {
        return link.samples.stream()
                .filter(sample -> sample.name().equals(topic) && sample.instance() == instance)
                .count();
    }

    private static byte[] full(byte value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, value);
        return bytes;
    }
}
