package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void writesWhatMemoryHolds() throws IOException {
        Path file = directory.resolve("log");
        MemorySink memory = new MemorySink();
        try (FileSink sink = FileSink.create(file, 10)) {
            for (int length : new int[] {0, 1, 9, 10, 11, 3, 25, 7}) {
                sink.write(bytes(length));
                memory.write(bytes(length));
                assertThat(sink.position()).isEqualTo(memory.position());
            }
            sink.patch(5, bytes(3));
            memory.patch(5, bytes(3));
            sink.write(bytes(4));
            memory.write(bytes(4));
            sink.force();
            assertThat(Files.readAllBytes(file)).isEqualTo(memory.toByteArray());
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(memory.toByteArray());
    }

    @Test
    void refusesPatchesOutsideAndFilesThatExist() throws IOException {
        Path file = directory.resolve("log");
        try (FileSink sink = FileSink.create(file)) {
            sink.write(bytes(4));
            assertThatThrownBy(() -> sink.patch(2, bytes(3))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> sink.patch(-1, bytes(1))).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> FileSink.create(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.size(file)).isEqualTo(4);
    }

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (i + length));
        }
        return bytes;
    }
}
