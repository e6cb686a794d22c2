package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest {
    @TempDir
    private Path temp;

    @Test
    void createsItsDirectoryWithTheFirstFile() throws IOException {
        FileDisk disk = new FileDisk(temp.resolve("a/b"));
        assertThat(disk.names()).isEmpty();
        assertThat(disk.usableBytes()).isPositive();

        write(disk, "x.part", 1, 2, 3);

        assertThat(disk.names()).containsExactly("x.part");
        assertThat(Files.readAllBytes(temp.resolve("a/b/x.part"))).containsExactly(1, 2, 3);
    }

    @Test
    void neverReplacesAFile() throws IOException {
        FileDisk disk = new FileDisk(temp);
        write(disk, "x", 1);
        write(disk, "y", 2);

        assertThatThrownBy(() -> disk.create("x")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> disk.rename("x", "y")).isInstanceOf(FileAlreadyExistsException.class);
        disk.rename("x", "z");

        assertThat(disk.names()).containsExactlyInAnyOrder("y", "z");
        assertThat(Files.readAllBytes(temp.resolve("y"))).containsExactly(2);
    }

    @Test
    void takesPlainFileNamesOnly() {
        FileDisk disk = new FileDisk(temp);

        for (String name : new String[] {"../x", "a/b", "/etc/x", "..", ""}) {
            assertThatThrownBy(() -> disk.create(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void saysThatItsPlaceIsTakenByAFile() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));

        assertThatThrownBy(() -> new FileDisk(file).create("x")).isInstanceOf(IOException.class);
    }

    private static void write(FileDisk disk, String name, int... bytes) throws IOException {
        try (Disk.Output output = disk.create(name)) {
            ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
            for (int value : bytes) {
                buffer.put((byte) value);
            }
            output.write(buffer.flip());
            output.force();
            assertThat(buffer.hasRemaining()).isFalse();
        }
    }
}
