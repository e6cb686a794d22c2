package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another program can see which logs are being written. */
class WriteLocksSystemTest {
    private static final String NAME = "2026-11-21_14-03-59_sys001_000042.ulg.part";
    private static final String OTHER = "2026-11-21_14-03-59_sys001_000041.ulg.part";

    @TempDir
    Path temp;

    /** The other program. */
    static final class Asks {
        private Asks() {}

        public static void main(String[] arguments) {
            System.out.print(new FileDisk(Path.of(arguments[0])).isGrowing(arguments[1]));
        }
    }

    private String asked(String name) throws Exception {
        return TestProgram.run(Asks.class, List.of(), temp, name);
    }

    @Test
    void logIsBeingWrittenUntilItIsClosedWhoeverElseReadsIt() throws Exception {
        FileDisk disk = new FileDisk(temp);
        Disk.Output output = disk.create(NAME);
        Disk.Output other = disk.create(OTHER);
        disk.open(NAME).close();
        try (InputStream in = Files.newInputStream(temp.resolve(NAME))) {
            assertThat(in.read()).isEqualTo(-1);
        }

        assertThat(asked(NAME)).isEqualTo("true");
        assertThat(new FileDisk(temp).isGrowing(NAME)).isTrue();
        other.close();
        assertThat(asked(OTHER)).isEqualTo("false");
        assertThat(asked(NAME)).isEqualTo("true");
        output.close();
        assertThat(asked(NAME)).isEqualTo("false");
        try (Disk.Output grown = disk.grow(NAME, 0)) {
            assertThat(grown).isNotNull();
            assertThat(asked(NAME)).isEqualTo("true");
        }
        assertThat(disk.list()).extracting(Disk.Entry::name).containsExactlyInAnyOrder(NAME, OTHER);
    }

    @Test
    void lockFileThatWasTakenAwayIsMadeAnew() throws Exception {
        FileDisk disk = new FileDisk(temp);
        disk.create(OTHER).close();
        Files.delete(temp.resolve(WriteLocks.FILE));

        try (Disk.Output output = disk.create(NAME)) {
            assertThat(output).isNotNull();
            assertThat(asked(NAME)).isEqualTo("true");
        }
    }
}
