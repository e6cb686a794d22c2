package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random files are read back unchanged, from the start and by the index; the seed is the test's name. */
class RoundTripPropertyTest {
    static LongStream seeds() {
        long first = Long.getLong("mcap.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("mcap.seeds", 150));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed);

        Contents contents = Contents.of(file.bytes);

        assertThat(contents.ending).isEqualTo(new McapReader.Ending(true, file.bytes.length));
        assertThat(contents.records.get(0))
                .isEqualTo(new McapRecord.Header(file.settings.profile(), file.settings.library()));
        assertThat(contents.messages).isEqualTo(file.messages);
        // Schemas and channels are written twice: before their first message, and in the summary.
        assertThat(contents.all(McapRecord.Schema.class)).isEqualTo(twice(file.schemas));
        assertThat(contents.all(McapRecord.Channel.class)).isEqualTo(twice(file.channels));
        assertThat(contents.all(McapRecord.Metadata.class)).isEqualTo(file.metadata);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void attachmentsLieWhereTheReaderSays(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed);

        Contents contents = Contents.of(file.bytes);

        List<ByteBuffer> read = contents.all(McapRecord.Attachment.class).stream()
                .map(found -> ByteBuffer.wrap(file.bytes).slice((int) found.dataPosition(), (int) found.dataLength()))
                .toList();
        assertThat(read)
                .isEqualTo(file.attachments.stream().map(ByteBuffer::wrap).toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void totalsAreRight(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed);

        Contents contents = Contents.of(file.bytes);

        McapRecord.Statistics statistics =
                contents.all(McapRecord.Statistics.class).get(0);
        assertThat(statistics.messages()).isEqualTo(file.messages.size());
        assertThat(statistics.schemas()).isEqualTo(file.schemas.size());
        assertThat(statistics.channels()).isEqualTo(file.channels.size());
        assertThat(statistics.attachments()).isEqualTo(file.attachments.size());
        assertThat(statistics.metadata()).isEqualTo(file.metadata.size());
        assertThat(statistics.chunks())
                .isEqualTo(contents.all(McapRecord.Chunk.class).size());
        statistics
                .messagesByChannel()
                .forEach((channel, count) -> assertThat(
                                file.messages.stream().filter(line -> line.startsWith(channel + " ")))
                        .hasSize(count.intValue()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void indexLeadsToEveryMessage(long seed, @TempDir Path directory) throws IOException {
        GeneratedFile file = new GeneratedFile(seed);
        Path path = Files.write(directory.resolve("file.mcap"), file.bytes);
        Contents whole = Contents.of(file.bytes);

        List<String> messages = new ArrayList<>();
        List<McapRecord.ChunkIndex> chunks = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(path)) {
            McapIndex index = new McapIndex(channel, new McapHandler() {
                @Override
                public void onRecord(McapRecord record) {
                    if (record instanceof McapRecord.ChunkIndex chunk) {
                        chunks.add(chunk);
                    }
                }

                @Override
                public void onMessage(McapMessageView message) {
                    messages.add(Contents.line(message));
                }
            });
            index.readSummary();
            for (McapRecord.ChunkIndex chunk : chunks) {
                index.readChunk(chunk);
            }
        }

        assertThat(messages).isEqualTo(file.messages);
        long indexed = whole.all(McapRecord.MessageIndex.class).stream()
                .mapToLong(McapRecord.MessageIndex::count)
                .sum();
        assertThat(indexed).isEqualTo(file.messages.size());
        assertThat(chunks.stream()
                        .mapToLong(chunk -> chunk.messageIndexes().size())
                        .sum())
                .isEqualTo(whole.all(McapRecord.MessageIndex.class).size());
    }

    private static <T> List<T> twice(List<T> list) {
        List<T> twice = new ArrayList<>(list);
        twice.addAll(list);
        return twice;
    }
}
