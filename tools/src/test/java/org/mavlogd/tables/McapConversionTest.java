package org.mavlogd.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.mcap.McapHandler;
import org.mavlogd.mcap.McapMessageView;
import org.mavlogd.mcap.McapReader;
import org.mavlogd.mcap.McapRecord;
import org.mavlogd.ulog.MessageEncoder;

/** A part of a log as MCAP. */
class McapConversionTest {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void whatHasNoTimeHasThatOfTheSampleBeforeAlsoOfATopicThatIsNotChosen() throws IOException {
        Path log = Files.write(directory.resolve("a.ulg"), log());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapConversion.Choice choice = new McapConversion.Choice(new TopicChoice(List.of("timeless")), TimeRange.ALL);

        McapConversion.write(log, "test", choice, Channels.newChannel(out), Progress.NONE);

        assertThat(times(out.toByteArray()))
                .isEqualTo(Map.of(
                        "timeless/0", List.of(1_000_000_000L, 5_000_000_000L),
                        "parameters", List.of(5_000_000_000L),
                        "dropout", List.of(5_000_000_000L)));
    }

    /** A topic with time, and one without. */
    private static byte[] log() {
        ByteBuffer log = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 0);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "timed:uint64_t timestamp;");
        MessageEncoder.format(log, "timeless:float value;");
        MessageEncoder.subscription(log, 0, 0, "timed");
        MessageEncoder.subscription(log, 0, 1, "timeless");
        for (long us : new long[] {1_000_000, 5_000_000}) {
            byte[] time = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(us)
                    .array();
            MessageEncoder.data(log, 0, time, 0, time.length);
            MessageEncoder.data(log, 1, new byte[Float.BYTES], 0, Float.BYTES);
        }
        MessageEncoder.parameterInt32(log, "P", 1);
        MessageEncoder.dropouts(log, 10);
        byte[] bytes = new byte[log.flip().remaining()];
        log.get(bytes);
        return bytes;
    }

    /** The times of the messages of each channel. */
    private static Map<String, List<Long>> times(byte[] mcap) throws IOException {
        Map<Integer, String> topics = new HashMap<>();
        Map<String, List<Long>> times = new HashMap<>();
        new McapReader(Channels.newChannel(new ByteArrayInputStream(mcap)), new McapHandler() {
                    @Override
                    public void onRecord(McapRecord record) {
                        if (record instanceof McapRecord.Channel channel) {
                            topics.put(channel.id(), channel.topic());
                        }
                    }

                    @Override
                    public void onMessage(McapMessageView message) {
                        times.computeIfAbsent(
                                        String.valueOf(topics.get(message.channelId())), topic -> new ArrayList<>())
                                .add(message.logTimeNs());
                    }
                })
                .read();
        return times;
    }
}
