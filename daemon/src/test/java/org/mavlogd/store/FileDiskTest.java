package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest {
    @TempDir
    private Path temp;

    @Test
    void createsItsDirectoryWithTheFirstFile() throws IOException {
        FileDisk disk = new FileDisk(temp.resolve("a/b"));
        assertThat(names(disk)).isEmpty();
        assertThat(disk.usableBytes()).isPositive();

        write(disk, "x.part", 1, 2, 3);

        assertThat(names(disk)).containsExactly("x.part");
        assertThat(Files.readAllBytes(temp.resolve("a/b/x.part"))).containsExactly(1, 2, 3);
    }

    @Test
    void probeMakesTheDirectoryAndLeavesNothingInIt() throws IOException {
        FileDisk disk = new FileDisk(temp.resolve("a/b"));
        disk.probe();
        Files.createFile(temp.resolve("a/b/.probe")); // left by a killed run

        disk.probe();

        assertThat(temp.resolve("a/b")).isEmptyDirectory();
        Path file = Files.createFile(temp.resolve("file"));
        assertThatThrownBy(() -> new FileDisk(file).probe())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exists and is not a directory");
    }

    @Test
    void neverReplacesAFile() throws IOException {
        FileDisk disk = new FileDisk(temp);
        write(disk, "x", 1);
        write(disk, "y", 2);

        assertThatThrownBy(() -> disk.create("x")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> disk.rename("x", "y")).isInstanceOf(FileAlreadyExistsException.class);
        disk.rename("x", "z");

        assertThat(names(disk)).containsExactlyInAnyOrder("y", "z");
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

    @Test
    void goesOnWithAFileThatItCutBefore() throws IOException {
        FileDisk disk = new FileDisk(temp);
        write(disk, "x", 1, 2, 3, 4);

        try (Disk.Output output = disk.grow("x", 2)) {
            output.write(ByteBuffer.wrap(new byte[] {9, 8}));
        }

        assertThat(Files.readAllBytes(temp.resolve("x"))).containsExactly(1, 2, 9, 8);
        assertThat(disk.list()).containsExactly(new Disk.Entry("x", 4));
    }

    @Test
    void readsMendsAndCutsAFile() throws IOException {
        FileDisk disk = new FileDisk(temp);
        write(disk, "x", 1, 2, 3, 4);

        try (Disk.Access file = disk.open("x")) {
            ByteBuffer tail = ByteBuffer.allocate(8);
            file.read(2, tail);
            assertThat(tail.position()).isEqualTo(2);
            file.write(1, ByteBuffer.wrap(new byte[] {7}));
            file.truncate(3);
            file.force();
            assertThat(file.length()).isEqualTo(3);
        }

        assertThat(Files.readAllBytes(temp.resolve("x"))).containsExactly(1, 7, 3);
    }

    @Test
    void replacesSmallFilesAsAWholeAndDeletes() throws IOException {
        FileDisk disk = new FileDisk(temp);

        disk.replace("state", ByteBuffer.wrap(new byte[] {1, 2, 3}));
        disk.replace("state", ByteBuffer.wrap(new byte[] {4}));

        assertThat(Files.readAllBytes(temp.resolve("state"))).containsExactly(4);
        assertThat(names(disk)).containsExactly("state");
        disk.delete("state");
        assertThat(names(disk)).isEmpty();
        assertThatThrownBy(() -> disk.delete("state")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void doesNotFollowLinks() throws IOException {
        Files.createSymbolicLink(temp.resolve("link"), Path.of("/etc/hostname"));
        Files.createDirectory(temp.resolve("directory"));

        assertThat(new FileDisk(temp).list()).isEmpty();
    }

    @Test
    void writesOverWhatIsThereAndGoesOnAtTheEnd() throws IOException {
        FileDisk disk = new FileDisk(temp);
        try (Disk.Output output = disk.create("x")) {
            output.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
            output.rewrite(1, ByteBuffer.wrap(new byte[] {8, 9}));
            output.write(ByteBuffer.wrap(new byte[] {5}));
        }

        assertThat(Files.readAllBytes(temp.resolve("x"))).containsExactly(1, 8, 9, 4, 5);
    }

    private static List<String> names(FileDisk disk) throws IOException {
        return disk.list().stream().map(Disk.Entry::name).toList();
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
