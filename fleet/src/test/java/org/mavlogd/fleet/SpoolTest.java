package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no stale compressed copy is sent. */
@Timeout(120)
class SpoolTest {
    private WebServers servers;
    private UploadFixture fixture;

    @SuppressWarnings("NullAway.Init")
    SpoolTest() {}

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        servers = new WebServers();
        fixture = new UploadFixture(directory).web("put", servers, "compress = true", "manifest = false");
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    private byte[] unpacked(int number) throws IOException {
        byte[] packed = servers.logs().get(UploadFixture.name(number) + ".zst");
        return new ZstdInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    }

    @Test
    void aCopyThatAPowerCutLeftIsNotSent() throws IOException, InterruptedException {
        fixture.log(1);
        Path spool = Files.createDirectories(fixture.state().resolve("spool/web"));
        Path copy = Files.createFile(spool.resolve(UploadFixture.name(1) + ".zst"));
        Files.setLastModifiedTime(copy, FileTime.fromMillis(System.currentTimeMillis() + 10_000));

        assertThat(fixture.once()).isTrue();

        assertThat(unpacked(1)).isEqualTo(fixture.content(1));
    }

    @Test
    void aCopyOfAnEarlierVersionIsNotSent() throws IOException, InterruptedException {
        Path log = fixture.log(1);
        fixture.onceRefused(servers);
        // The clock has been set back when a remark is added.
        Files.write(log, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        UploadFixture.makeOld(log);

        assertThat(fixture.once()).isTrue();

        assertThat(unpacked(1)).isEqualTo(fixture.content(1));
    }
}
