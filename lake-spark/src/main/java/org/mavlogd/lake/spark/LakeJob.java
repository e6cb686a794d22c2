package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.PrintStream;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.mavlogd.cli.Version;

/** The job that {@code spark-submit} starts: updates a lake, or the tables of a catalogue, from a folder of logs. */
public final class LakeJob {
    private static final String USAGE =
            "usage: spark-submit --class org.mavlogd.lake.spark.LakeJob ... SOURCE --to LAKE [--catalog NAME[.NAMESPACE]]";
    private static final String NAMESPACE = ".mavlogd";

    private LakeJob() {}

    /**
     * Runs the job. Refused logs do not fail it.
     *
     * @param args SOURCE --to LAKE [--catalog NAME[.NAMESPACE]]
     * @throws IOException if the source cannot be listed or the lake cannot be written; if restarted, the job continues
     */
    public static void main(String[] args) throws IOException {
        Arguments arguments = Arguments.of(args);
        SparkSession session = SparkSession.builder()
                .appName("mavlogd lake " + arguments.source)
                // Fields of a topic may differ only in case.
                .config("spark.sql.caseSensitive", "true")
                .config("spark.sql.session.timeZone", "UTC")
                .getOrCreate();
        try {
            run(session, arguments.source, arguments.lake, arguments.catalog, System.out);
        } finally {
            session.stop();
        }
    }

    static BuildResult run(SparkSession session, String source, String to, String catalog, PrintStream out)
            throws IOException {
        Configuration configuration = session.sparkContext().hadoopConfiguration();
        FileSystem files = Stores.at(to, configuration);
        Path lake = files.makeQualified(new Path(to));
        String job = UUID.randomUUID().toString().substring(0, 8);
        ClusterFiles reader = new ClusterFiles(session.sparkContext());
        String own = catalog.isEmpty() ? "_mavlogd" : "_mavlogd_" + catalog;
        try (Ledger ledger = Ledger.open(files, lake, own, job, reader)) {
            Tables tables = catalog.isEmpty()
                    ? new ParquetTables(files, lake, ledger)
                    : new IcebergTables(session, catalog, ledger);
            LakeBuild build = new LakeBuild(session.sparkContext(), ledger, tables, "mavlogd " + Version.text(), job);
            BuildResult result = build.run(RemoteLog.in(source, configuration));
            result.problems().forEach(problem -> out.println("refused: " + problem));
            out.println(lake + ": " + result.text());
            return result;
        }
    }

    private record Arguments(String source, String lake, String catalog) {
        static Arguments of(String[] args) {
            String source = "";
            String lake = "";
            String catalog = "";
            for (int i = 0; i < args.length; i++) {
                if (args[i].startsWith("--") && i + 1 == args.length) {
                    throw new IllegalArgumentException(args[i] + " needs a value; " + USAGE);
                }
                switch (args[i]) {
                    case "--to" -> lake = args[++i];
                    case "--catalog" -> catalog = args[++i];
                    default -> {
                        if (args[i].startsWith("--") || !source.isEmpty()) {
                            throw new IllegalArgumentException(args[i] + " is not expected; " + USAGE);
                        }
                        source = args[i];
                    }
                }
            }
            if (source.isEmpty() || lake.isEmpty()) {
                throw new IllegalArgumentException((source.isEmpty() ? "SOURCE" : "--to") + " is missing; " + USAGE);
            }
            if (!catalog.matches("|\\w+(\\.\\w+)*")) {
                throw new IllegalArgumentException(
                        "--catalog: " + catalog + " is not NAME or NAME.NAMESPACE; " + USAGE);
            }
            return new Arguments(
                    source, lake, catalog.isEmpty() || catalog.contains(".") ? catalog : catalog + NAMESPACE);
        }
    }
}
