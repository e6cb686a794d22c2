package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class McapWriterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private McapWriter writer(McapCompression compression, int chunkBytes, int maxIndexBytes) throws IOException {
        return new McapWriter(
                Channels.newChannel(out),
                new McapWriter.Settings("profile", "library", compression, chunkBytes, maxIndexBytes));
    }

    private McapWriter writer() throws IOException {
        return writer(McapCompression.ZSTD, 1 << 20, 1 << 20);
    }

    private Contents contents() throws IOException {
        return Contents.of(out.toByteArray());
    }

    @Test
    void fileWithoutMessagesIsComplete() throws IOException {
        writer().finish();

        Contents contents = contents();

        assertThat(contents.ending.isComplete()).isTrue();
        assertThat(contents.all(McapRecord.Chunk.class)).isEmpty();
        assertThat(contents.all(McapRecord.Statistics.class))
                .containsExactly(new McapRecord.Statistics(0, 0, 0, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void compressibleChunkIsCompressedAndNoiseIsNot() throws IOException {
        McapWriter writer = writer(McapCompression.ZSTD, 5000, 1 << 20);
        int channel = writer.addChannel("topic", McapWriter.NO_SCHEMA, "", Map.of());
        byte[] noise = new byte[4900];
        new Random(1).nextBytes(noise);

        writer.message(channel, 0, 1, 1, new byte[4900], 0, 4900);
        writer.message(channel, 0, 2, 2, noise, 0, noise.length);
        writer.finish();

        assertThat(contents().all(McapRecord.Chunk.class))
                .extracting(McapRecord.Chunk::compression)
                .containsExactly("zstd", "");
    }

    @Test
    void messageLargerThanAChunkGetsOneOfItsOwn() throws IOException {
        McapWriter writer = writer(McapCompression.NONE, 100, 1 << 20);
        int channel = writer.addChannel("topic", McapWriter.NO_SCHEMA, "", Map.of());

        for (int i = 0; i < 3; i++) {
            writer.message(channel, i, i, i, new byte[200], 0, 200);
        }
        writer.finish();

        Contents contents = contents();
        assertThat(contents.all(McapRecord.Chunk.class)).hasSize(4);
        assertThat(contents.messages).hasSize(3);
    }

    @Test
    void messageUpToTheLimitIsTakenAndOneByteMoreRefused() throws IOException {
        McapWriter writer = writer();
        int channel = writer.addChannel("topic", McapWriter.NO_SCHEMA, "", Map.of());
        byte[] data = new byte[McapWriter.MAX_MESSAGE_BYTES + 1];

        writer.message(channel, 0, 1, 1, data, 0, McapWriter.MAX_MESSAGE_BYTES);
        assertThatThrownBy(() -> writer.message(channel, 0, 1, 1, data, 0, data.length))
                .isInstanceOf(McapException.class)
                .hasMessageContaining("4194305 bytes exceeds the limit of 4194304");
        writer.finish();

        int[] messages = {0};
        new McapReader(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())), new McapHandler() {
                    @Override
                    public void onMessage(McapMessageView message) {
                        messages[0] += message.length();
                    }
                })
                .read();
        assertThat(messages[0]).isEqualTo(McapWriter.MAX_MESSAGE_BYTES);
    }

    @Test
    void longNamesAndMapsAreRefusedAndNothingOfThemIsWritten() throws IOException {
        McapWriter writer = writer();
        String name = "n".repeat(McapWriter.MAX_NAME_CHARS + 1);
        Map<String, String> large = Map.of("key", "v".repeat(McapLayout.MAX_DEFINITION_BYTES));
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i <= McapLayout.MAX_MAP_ENTRIES; i++) {
            many.put("" + i, "");
        }

        assertThatThrownBy(() -> writer.addSchema(name, "", new byte[0]))
                .isInstanceOf(McapException.class)
                .hasMessageContaining("65536 characters exceed the limit of 65535")
                .hasMessageContaining("nnn...");
        assertThatThrownBy(() -> writer.addChannel(name, 0, "", Map.of())).isInstanceOf(McapException.class);
        assertThatThrownBy(() -> writer.addChannel("topic", 0, "", large)).isInstanceOf(McapException.class);
        assertThatThrownBy(() -> writer.metadata("name", many))
                .isInstanceOf(McapException.class)
                .hasMessageContaining("65537 entries exceed the limit of 65536");
        assertThatThrownBy(() -> writer.attachment(0, 0, name, "", ByteBuffer.allocate(1)))
                .isInstanceOf(McapException.class);
        writer.addSchema("n".repeat(McapWriter.MAX_NAME_CHARS), "", new byte[0]);
        writer.finish();

        Contents contents = contents();
        assertThat(contents.all(McapRecord.Schema.class)).hasSize(2); // in a chunk and in the summary
        assertThat(contents.all(McapRecord.Channel.class)).isEmpty();
        assertThat(contents.all(McapRecord.Metadata.class)).isEmpty();
        assertThat(contents.all(McapRecord.Attachment.class)).isEmpty();
    }

    @Test
    void definitionsBeyondTheLimitAreRefused() throws IOException {
        McapWriter writer = writer();
        byte[] data = new byte[3 << 20];

        writer.addSchema("a", "", data);
        writer.addSchema("b", "", data);
        assertThatThrownBy(() -> writer.addSchema("c", "", data))
                .isInstanceOf(McapException.class)
                .hasMessage("schema \"c\": schemas and channels exceed the limit of 8388608 bytes");
        writer.finish();
    }

    @Test
    void idsEndWithTheFormat() throws IOException {
        McapWriter writer = writer();
        for (int i = 0; i < McapLayout.MAX_IDS; i++) {
            assertThat(writer.addChannel("", 0, "", Map.of())).isEqualTo(i);
        }

        assertThatThrownBy(() -> writer.addChannel("", 0, "", Map.of()))
                .isInstanceOf(McapException.class)
                .hasMessage("more than 65536 channels");
        writer.message(65_535, 0, 1, 1, new byte[1], 0, 1);
        writer.finish();

        assertThat(contents().messages).hasSize(1);
    }

    @Test
    void withoutRoomForTheIndexesThereIsNoSummary() throws IOException {
        McapWriter writer = writer(McapCompression.ZSTD, 100, 1000);
        int channel = writer.addChannel("topic", McapWriter.NO_SCHEMA, "", Map.of());
        for (int i = 0; i < 100; i++) {
            writer.message(channel, i, i, i, new byte[50], 0, 50);
        }
        writer.finish();

        Contents contents = contents();

        assertThat(contents.ending.isComplete()).isTrue();
        assertThat(contents.messages).hasSize(100);
        assertThat(contents.all(McapRecord.ChunkIndex.class)).isEmpty();
        assertThat(contents.all(McapRecord.Footer.class).get(0).summaryPosition())
                .isZero();
    }

    @Test
    void wrongUseIsRefused() throws IOException {
        McapWriter writer = writer();

        assertThatIllegalArgumentException().isThrownBy(() -> writer.addChannel("topic", 1, "", Map.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> writer.message(0, 0, 0, 0, new byte[1], 0, 1));
        writer.finish();
        assertThatIllegalStateException().isThrownBy(writer::finish);
        assertThatIllegalStateException().isThrownBy(() -> writer.addSchema("", "", new byte[0]));
    }

    @Test
    void failureOfTheChannelReachesTheCaller() throws IOException {
        OutputStream full = new OutputStream() {
            private int left = 100;

            @Override
            public void write(int b) throws IOException {
                if (left-- == 0) {
                    throw new IOException("no space left on device");
                }
            }
        };
        McapWriter writer = new McapWriter(Channels.newChannel(full), McapWriter.Settings.of("", ""));
        writer.addSchema("a", "", new byte[1000]);

        assertThatThrownBy(writer::finish).hasMessage("no space left on device");
    }
}
