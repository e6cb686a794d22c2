package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.record.MergedLog;
import org.mavlogd.whole.LogContent;

/** Examines a directory with one recording, which must be complete and without loss. */
public final class RecordedLogs {
    private RecordedLogs() {}

    /** The part of a recording that the vehicle streamed. */
    public static byte[] vehicleBytes(Path directory, boolean isArduPilot) throws IOException {
        byte[] ulog = Files.readAllBytes(only(directory, ".ulg"));
        LogContent content = LogContent.of("ulg", ulog);
        assertThat(content.isComplete()).isTrue();
        assertThat(content.count('O')).as("dropouts").isZero();
        if (!isArduPilot) {
            return content.fromVehicle();
        }
        // The log of an armed ArduPilot stays unfinished for the next run.
        byte[] bin = Files.readAllBytes(only(directory, ".bin", ".bin.part"));
        assertThat(Mapped.read(MergedLog.withoutLocal(ulog)).samples())
                .isEqualTo(Mapped.of(bin, ULogMapper.Values.RAW, 4096).samples());
        return bin;
    }

    public static Path only(Path directory, String... kinds) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.filter(path -> {
                        String name = String.valueOf(path.getFileName());
                        return !name.startsWith(".") && Arrays.stream(kinds).anyMatch(name::endsWith);
                    })
                    .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }
}
