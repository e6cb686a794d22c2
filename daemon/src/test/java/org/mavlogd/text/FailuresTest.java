package org.mavlogd.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void namesTheFileAndTheReason() {
        Path log = Path.of("a.ulg");

        assertThat(Failures.text(log, new IOException("is damaged"))).isEqualTo("a.ulg: is damaged");
        assertThat(Failures.text(log, new NoSuchFileException("b"))).isEqualTo("b: no such file or directory");
        assertThat(Failures.text(log, new AccessDeniedException("b"))).isEqualTo("b: permission denied");
        assertThat(Failures.text(log, new FileSystemException("b", null, "Is a directory")))
                .isEqualTo("b: is a directory");
        assertThat(Failures.text(Path.of(""), new IOException("a\nb\u001b[31m")))
                .isEqualTo("\"\": a b [31m");
    }

    @Test
    void aLongNameLeavesRoomForTheReason() {
        Path log = Path.of("/" + "d".repeat(1000), "a.ulg");

        String text = Failures.text(log, new IOException("no ULog".repeat(1000)));

        assertThat(text).startsWith("...ddd").contains("ddd/a.ulg: no ULogno").hasSizeLessThan(720);
    }
}
