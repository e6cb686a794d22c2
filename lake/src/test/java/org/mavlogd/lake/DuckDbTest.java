package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckDbTest {
    /** 128 MB. */
    private static final String MANY_ROWS =
            "CREATE TABLE many AS SELECT range AS a, hash(range) AS b FROM range(8_000_000)";

    @TempDir
    private Path directory;

    private Path spill() {
        return directory.resolve("spill");
    }

    private static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(MANY_ROWS);
        }
    }

    /** The working directory may be read-only, as for a service. */
    @Test
    void rowsThatDoNotFitInMemoryGoIntoTheGivenDirectory() throws IOException, SQLException {
        try (Connection first = DuckDb.open(spill(), "memory_limit = '64MB'");
                Connection second = DuckDb.open(spill(), "memory_limit = '64MB'")) {
            fill(first);
            fill(second);
            assertThat(LakeFiles.inside(spill())).hasSizeGreaterThan(1);
        }
        assertThat(LakeFiles.inside(spill())).isEmpty();
        assertThat(Path.of(".tmp")).doesNotExist();
    }

    @Test
    void aDirectoryThatCannotBeCreatedIsNamed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> DuckDb.open(file.resolve("spill")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("file");
    }

    @Test
    void rowsOfAQueryAreNotForOthers() throws IOException {
        assertThat(Files.getPosixFilePermissions(DuckDb.spillOfQuery())).hasSize(3);
    }
}
