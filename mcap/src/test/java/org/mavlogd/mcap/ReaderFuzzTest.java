package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file is read or refused, from its start and by its index. */
class ReaderFuzzTest {
    static Stream<byte[]> seeds() {
        return LongStream.range(1, 20).mapToObj(ReaderFuzzTest::seed).filter(file -> file.length <= 4096);
    }

    private static byte[] seed(long seed) {
        try {
            return new GeneratedFile(seed, 20).bytes;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void readsOrRefuses(byte[] file) throws IOException {
        Contents contents = Contents.ofDamaged(file);
        assertThat(contents.ending.position()).isLessThanOrEqualTo(file.length);

        Path path = Files.createTempFile("fuzz", ".mcap");
        try {
            readByIndex(Files.write(path, file));
        } catch (McapException refused) {
            assertThat(refused.getMessage()).doesNotContain("\n");
        } finally {
            Files.delete(path);
        }
    }

    private static void readByIndex(Path path) throws IOException {
        List<McapRecord.ChunkIndex> chunks = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(path)) {
            McapIndex index = new McapIndex(channel, new McapHandler() {
                @Override
                public void onRecord(McapRecord record) {
                    if (record instanceof McapRecord.ChunkIndex chunk) {
                        chunks.add(chunk);
                    }
                }
            });
            index.readSummary();
            for (McapRecord.ChunkIndex chunk : chunks) {
                index.readChunk(chunk);
            }
        }
    }
}
