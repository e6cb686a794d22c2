package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.text.Failures;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

class LogBytesTest {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void aTemporaryCopyThatCannotBeWrittenIsNamed() throws IOException {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };

        try (LogBytes log = LogBytes.open(Logs.real("yule_powers", directory))) {
            IOException failure =
                    catchThrowableOfType(IOException.class, () -> log.copyTo(full, Path.of("/tmp/copy.log")));

            assertThat(Failures.text(Path.of("-"), failure))
                    .isEqualTo("/tmp/copy.log: cannot be written, a copy of the log that is read twice: "
                            + "No space left on device");
        }
    }

    /** The uploader can send logs compressed with zstd. */
    @Test
    void aLogThatIsCompressedWithZstdIsRefusedWithWhatToDo() throws IOException {
        Path log = Files.write(
                directory.resolve("flight.ulg.zst"), new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 4, 0x60, 0});

        assertThatExceptionOfType(ULogException.class)
                .isThrownBy(() -> LogSource.read(log, new ULogHandler() {}, Progress.NONE))
                .withMessage("it is compressed with zstd; unpack it with \"zstd -d\"");
    }
}
