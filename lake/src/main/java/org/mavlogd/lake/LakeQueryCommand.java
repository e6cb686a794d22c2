package org.mavlogd.lake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.tables.CsvText;
import org.mavlogd.tools.LogCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd lake query}: queries a lake in SQL. */
@Command(
        name = "query",
        description = {
            "Query a lake in DuckDB's SQL, or by the name of a ready-made question, and print the answer as CSV.",
            "Topics are views named topic_TOPIC."
        },
        exitCodeList = {"0:answered", "1:not a lake, unreadable, or DuckDB refuses the question", "2:wrong usage"})
final class LakeQueryCommand extends LogCommand {
    @Option(
            names = "--lake",
            paramLabel = "LAKE",
            description = "The directory of the lake (default: the working directory).")
    private Path lake = Path.of(".");

    @Option(names = "--list", description = "List the ready-made questions.")
    private boolean lists;

    @Option(names = "--show", description = "Print the SQL of the question, and do not run it.")
    private boolean shows;

    @Parameters(paramLabel = "QUESTION", arity = "0..1", description = "SQL, or the name of a ready-made question.")
    private String question = "";

    @Override
    protected int execute() {
        if (lists) {
            Questions.all().forEach(ready -> out().printf(Locale.ROOT, "%-16s %s%n", ready.name(), ready.about()));
            return ExitCode.OK;
        }
        if (question.isBlank()) {
            throw new ParameterException(spec().commandLine(), "a question is missing: SQL, or a name of --list");
        }
        String sql = Questions.named(question).map(Questions.Question::sql).orElse(question);
        if (shows) {
            out().print(sql.endsWith("\n") ? sql : sql + "\n");
            return ExitCode.OK;
        }
        return ask(sql);
    }

    private int ask(String sql) {
        Optional<LakeReaders> readers = LakeReaders.begin(lake);
        try (Connection connection = LakeViews.open(lake, sql);
                Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    print(rows);
                }
            }
            return ExitCode.OK;
        } catch (SQLException e) {
            return fail(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return fail(lake, e);
        } finally {
            end(readers);
        }
    }

    private static void end(Optional<LakeReaders> readers) {
        if (readers.isPresent()) {
            try {
                readers.get().close();
            } catch (IOException e) {
                // The process ends with it.
            }
        }
    }

    private void print(ResultSet rows) throws SQLException {
        int count = rows.getMetaData().getColumnCount();
        CsvText line = new CsvText(CsvText.Texts.PRINTABLE);
        for (int i = 1; i <= count; i++) {
            line.text(rows.getMetaData().getColumnName(i));
        }
        print(line);
        while (rows.next() && !out().checkError()) {
            for (int i = 1; i <= count; i++) {
                Object value = rows.getObject(i);
                if (value instanceof Number) {
                    line.number(value.toString());
                } else {
                    line.text(value == null ? "" : value.toString());
                }
            }
            print(line);
        }
    }

    private void print(CsvText line) {
        line.endRow();
        out().print(new String(line.bytes(), 0, line.length(), StandardCharsets.UTF_8));
        line.clear();
    }
}
