package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkFiles;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.SerializableConfiguration;
import org.mavlogd.text.Words;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Runs a task for each log, in order. Owned by the driver's main thread. */
final class ClusterConversion {
    /** A log whose conversion ended its process in each attempt. */
    record Lost(RemoteLog log, String reason) {}

    /** Spark's message, with the index of the task. */
    private static final Pattern TASK_FAILED = Pattern.compile("Task (\\d+) in stage \\S+ failed (\\d+) times");

    private static final int MAX_REASON_LENGTH = 400;

    private final JavaSparkContext context;
    private final Converter converter;

    /**
     * @param staging directory of the lake
     * @param library name and version of the writing program
     * @param job unique name of this job
     * @param known logs of the lake by the SHA-256 of their bytes
     */
    ClusterConversion(
            SparkContext context,
            org.apache.hadoop.fs.Path staging,
            String library,
            String job,
            Map<String, String> known) {
        this.context = new JavaSparkContext(context);
        this.converter = new Converter(
                staging.toString(),
                library,
                job,
                this.context.broadcast(known),
                this.context.broadcast(new SerializableConfiguration(this.context.hadoopConfiguration())));
    }

    /**
     * Converts until all logs are done, or until one of them ends its processes: then some others may remain.
     *
     * @param done receives each result once, in one thread; must not wait
     * @throws IOException if the lake or the disks of workers cannot be written, or the job was stopped
     */
    Optional<Lost> run(List<RemoteLog> logs, Consumer<Outcome> done) throws IOException {
        RDD<RemoteLog> tasks = context.parallelize(logs, logs.size()).rdd();
        try {
            context.sc().runJob(tasks, converter, new Handler(done), ClassTag$.MODULE$.apply(Outcome.class));
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(lost(logs, e));
        }
    }

    /**
     * Finds the log that made a job fail.
     *
     * @throws IOException if no log did
     */
    static Lost lost(List<RemoteLog> logs, Exception failure) throws IOException {
        String text = String.valueOf(failure.getMessage());
        Matcher task = TASK_FAILED.matcher(text);
        if (!task.find() || text.contains(LakeFault.class.getName())) {
            throw new IOException(text, failure);
        }
        String reason = "the process that converted it ended " + task.group(2) + " times: "
                + text.substring(task.end()).lines().findFirst().orElse("");
        return new Lost(logs.get(Integer.parseInt(task.group(1))), Words.line(reason, MAX_REASON_LENGTH));
    }

    /** Creates its row of failures, on the driver. */
    Outcome refuse(Lost lost) throws IOException {
        return converter.task(lost.log, "refused").refuse(Path.of(SparkFiles.getRootDirectory()), lost.reason);
    }

    /** Runs on the workers. */
    private static final class Converter extends AbstractFunction2<TaskContext, Iterator<RemoteLog>, Outcome>
            implements Serializable {
        private static final long serialVersionUID = 1;

        private final String staging;
        private final String library;
        private final String job;
        private final Broadcast<Map<String, String>> known;
        private final Broadcast<SerializableConfiguration> configuration;

        Converter(
                String staging,
                String library,
                String job,
                Broadcast<Map<String, String>> known,
                Broadcast<SerializableConfiguration> configuration) {
            this.staging = staging;
            this.library = library;
            this.job = job;
            this.known = known;
            this.configuration = configuration;
        }

        LogTask task(RemoteLog log, String attempt) {
            return new LogTask(
                    log,
                    staging,
                    job + "-" + attempt,
                    library,
                    configuration.value().value());
        }

        @Override
        public Outcome apply(TaskContext task, Iterator<RemoteLog> logs) {
            try {
                return task(logs.next(), Long.toString(task.taskAttemptId()))
                        .run(Path.of(SparkFiles.getRootDirectory()), known.value());
            } catch (LakeFault e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Runs on the driver. */
    private static final class Handler extends AbstractFunction2<Object, Outcome, BoxedUnit> {
        private final Consumer<Outcome> done;

        Handler(Consumer<Outcome> done) {
            this.done = done;
        }

        @Override
        public BoxedUnit apply(Object index, Outcome outcome) {
            done.accept(outcome);
            return BoxedUnit.UNIT;
        }
    }
}
