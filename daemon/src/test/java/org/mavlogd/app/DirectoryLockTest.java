package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    private static final int SOMEBODY = 12345;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path file() {
        return directory.resolve(DirectoryLock.FILE);
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    @Test
    void onlyTheOwnerCanOpenTheFile() throws Exception {
        try (DirectoryLock lock = DirectoryLock.take(directory)) {
            assertThat(lock).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                    .isEqualTo("rw-------");
            assertThatThrownBy(() -> DirectoryLock.take(directory)).hasMessageContaining("in use by another mavlogd");
            assertThat(DirectoryLock.isHeld(directory)).isTrue();
        }
        assertThat(DirectoryLock.isHeld(directory)).isFalse();
    }

    @Test
    void fileOfAnOlderVersionIsClosedToOthers() throws Exception {
        Files.createFile(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

        try (DirectoryLock lock = DirectoryLock.take(directory)) {
            assertThat(lock).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void userWhoMayNotOpenTheFileAsksTheKernel() throws Exception {
        Path kernel = Path.of("/proc/locks");
        try (DirectoryLock lock = DirectoryLock.take(directory)) {
            assertThat(lock).isNotNull();
            // A sandbox may hide all locks.
            assumeTrue(Files.isReadable(kernel) && !Files.readString(kernel).isEmpty(), "no locks are listed here");
            assertThat(DirectoryLock.isHeldByKernel(file(), kernel)).isTrue();
        }
        assertThat(DirectoryLock.isHeldByKernel(file(), kernel)).isFalse();
    }

    @Test
    void kernelsListIsReadAsItIsWritten() throws Exception {
        Files.createFile(file());
        Object inode = Files.getAttribute(file(), "unix:ino");
        Path locks = directory.resolve("locks");
        String others = "1: FLOCK  ADVISORY  WRITE 12 00:19:" + inode + "1 0 EOF\n2: POSIX  ADVISORY  READ 4 08:01:"
                + inode + " 0 EOF\n2: -> POSIX\n\n";

        Files.writeString(locks, others);
        assertThat(DirectoryLock.isHeldByKernel(file(), locks)).isFalse();
        Files.writeString(locks, others + "3: POSIX  ADVISORY  WRITE 4711 08:01:" + inode + " 0 EOF\n");
        assertThat(DirectoryLock.isHeldByKernel(file(), locks)).isTrue();
        assertThat(DirectoryLock.isHeldByKernel(file(), directory.resolve("none")))
                .isFalse();
    }

    @Test
    void directoryThatCannotBeWrittenIsReportedWithItsReason() throws Exception {
        // Not even root may make a file there.
        Path closed = Path.of("/sys");
        Path isFile = Files.createFile(directory.resolve("logs"));
        try (WarningLog warnings = new WarningLog()) {
            DirectoryLock.take(closed).close();
            DirectoryLock.take(isFile).close();

            List<String> messages = warnings.about("a second recorder cannot be kept out");
            assertThat(messages).hasSize(2).noneMatch(message -> message.contains("Exception"));
            assertThat(messages.get(0)).contains(closed.toString()).doesNotContain("no such file");
            assertThat(messages.get(1)).endsWith(isFile + ": exists already");
        }
    }

    @Test
    void rootIsRefusedInTheDirectoryOfAnotherUsersRecorder() throws Exception {
        assumeTrue(isRoot(), "only root can be refused");
        Files.createFile(file());
        Files.setAttribute(file(), "unix:uid", SOMEBODY);

        assertThatThrownBy(() -> DirectoryLock.take(directory))
                .isInstanceOf(DirectoryLock.StartException.class)
                .hasMessageContaining("belongs to another user")
                .hasMessageContaining("systemctl start mavlogd");

        assertThat(Files.getAttribute(file(), "unix:uid")).isEqualTo(SOMEBODY);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void rootIsWelcomeInADirectoryOfItsOwnAndInOneWithoutARecorder() throws Exception {
        assumeTrue(isRoot(), "only root would be refused");
        DirectoryLock.take(directory).close();
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.setAttribute(other, "unix:uid", SOMEBODY);

        DirectoryLock.take(other).close();
        DirectoryLock.take(other).close();
    }
}
