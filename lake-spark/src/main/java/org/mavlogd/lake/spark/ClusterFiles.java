package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/** Reads small files in tasks, because an object store answers each after some milliseconds. */
final class ClusterFiles implements Ledger.Reader {
    private static final int FILES_PER_TASK = 500;

    private final JavaSparkContext context;

    ClusterFiles(SparkContext context) {
        this.context = new JavaSparkContext(context);
    }

    @Override
    public List<byte[]> read(List<Path> files) throws IOException {
        if (files.isEmpty()) {
            return List.of();
        }
        List<String> names = files.stream().map(Path::toString).toList();
        Broadcast<SerializableConfiguration> configuration =
                context.broadcast(new SerializableConfiguration(context.hadoopConfiguration()));
        try {
            return context.parallelize(names, (names.size() - 1) / FILES_PER_TASK + 1)
                    .map(name ->
                            Ledger.content(Stores.at(name, configuration.value().value()), new Path(name)))
                    .collect();
        } catch (Exception e) {
            // Scala does not declare its exceptions.
            if (e instanceof SparkException) {
                throw new IOException("the ledger cannot be read: " + e.getMessage(), e);
            }
            throw e;
        }
    }
}
