package org.mavlogd.lake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** Opens databases of DuckDB in memory, each with its own rows and settings. Times are UTC. */
final class DuckDb {
    private DuckDb() {}

    /**
     * Opens a database.
     *
     * @param spill directory, created if missing, for rows that do not fit in memory. By default they would go into the
     *     working directory, which may be read-only, and several databases would use the same files. DuckDB deletes its
     *     own when the database is closed
     * @param settings such as {@code threads = 1}
     * @throws IOException if DuckDB does not start
     */
    static Connection open(Path spill, String... settings) throws IOException {
        Files.createDirectories(spill);
        try {
            Connection connection = DriverManager.getConnection("jdbc:duckdb:");
            try (Statement statement = connection.createStatement()) {
                Path own = spill.resolve(UUID.randomUUID().toString());
                statement.execute("SET temp_directory = " + Sql.text(own.toString()));
                statement.execute("SET TimeZone = 'UTC'");
                for (String setting : settings) {
                    statement.execute("SET " + setting);
                }
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
            return connection;
        } catch (SQLException e) {
            throw new IOException("DuckDB does not start: " + e.getMessage(), e);
        }
    }

    /** A directory for the rows of one query, which nobody else can read; deleted when the program ends. */
    static Path spillOfQuery() throws IOException {
        Path spill = Files.createTempDirectory("mavlogd-lake");
        spill.toFile().deleteOnExit();
        return spill;
    }
}
