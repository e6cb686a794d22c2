package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketFileTest {
    @TempDir
    private Path directory;

    private Path path() {
        return directory.resolve("s");
    }

    private UnixSocketFile file() {
        return new UnixSocketFile(new LinkSettings.UnixDatagram("unix0", path().toString(), 0660, ""));
    }

    @Test
    void permissionsOfAFileThatALinkPointsToAreNotChanged() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "x");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(path(), secret);

        assertThatThrownBy(() -> file().open()).isInstanceOf(IOException.class).hasMessageContaining("replaced");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
    }

    @Test
    void directoryInWhichOthersMayReplaceTheSocketIsReported() throws IOException {
        UnixSender.leaveBehind(path());
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxr-x"));

        assertThat(file().open()).contains("chmod +t");

        Files.setAttribute(directory, "unix:mode", 01775);
        assertThat(file().open()).isEmpty();
    }

    @Test
    void senderWhosePathIsNoneForJavaIsNotAnswered() {
        UnixPeer peer = new UnixPeer("/run/\0x.sock", (to, buffer, offset, length) -> {}, 0);

        assertThat(peer.isInPlace()).isFalse();
    }

    @Test
    void onlyAnAbsolutePathOfASocketItselfIsDirect() throws IOException {
        UnixSender.leaveBehind(path());
        Path link = Files.createSymbolicLink(directory.resolve("link"), path());
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(SocketPath.isDirect(path())).isTrue();
        assertThat(SocketPath.isDirect(link)).isFalse();
        assertThat(SocketPath.isDirect(file)).isFalse();
        assertThat(SocketPath.isDirect(directory.resolve("nothing"))).isFalse();
        assertThat(SocketPath.isDirect(Path.of("s"))).isFalse();
    }
}
