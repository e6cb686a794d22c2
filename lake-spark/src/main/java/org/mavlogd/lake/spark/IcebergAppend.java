package org.mavlogd.lake.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Appends Parquet files to the tables of a catalogue, which get the columns of the files. Threads may append to
 * different tables.
 */
final class IcebergAppend {
    private static final int FILES_PER_TASK = 200;
    private static final int FILES_PER_OUTPUT = 500;
    private static final String NO_VALUE = "__HIVE_DEFAULT_PARTITION__";

    private final SparkSession session;
    private final String namespace;

    /** @param namespace with the name of the catalogue: NAME.NAMESPACE */
    IcebergAppend(SparkSession session, String namespace) {
        this.session = session;
        this.namespace = namespace;
        session.sql("CREATE NAMESPACE IF NOT EXISTS " + namespace);
    }

    /** Deletes the rows of logs. */
    void delete(String table, Collection<String> logs) {
        if (session.catalog().tableExists(name(table))) {
            // Names of logs have no quotation marks.
            String list = logs.stream().map(log -> "'" + log + "'").collect(Collectors.joining(", "));
            session.sql("DELETE FROM " + name(table) + " WHERE log IN (" + list + ")");
        }
    }

    /** The columns of files, as a text that is equal for equal columns. */
    Map<String, String> schemas(List<String> files) {
        if (files.isEmpty()) {
            return Map.of();
        }
        JavaSparkContext context = new JavaSparkContext(session.sparkContext());
        Broadcast<SerializableConfiguration> configuration =
                context.broadcast(new SerializableConfiguration(context.hadoopConfiguration()));
        return new HashMap<>(context.parallelize(files, (files.size() - 1) / FILES_PER_TASK + 1)
                .mapToPair(file -> new Tuple2<>(file, schema(file, configuration.value())))
                .collectAsMap());
    }

    private static String schema(String file, SerializableConfiguration configuration) throws IOException {
        try (ParquetFileReader reader =
                ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file), configuration.value()))) {
            return reader.getFileMetaData().getSchema().toString();
        }
    }

    /**
     * Appends files to a table, and creates it if needed.
     *
     * @param schemas of the files: those with different schemas are appended separately
     */
    void append(String table, List<String> files, Map<String, String> schemas) throws IOException {
        Map<String, List<String>> bySchema = new TreeMap<>();
        for (String file : files) {
            bySchema.computeIfAbsent(schemas.getOrDefault(file, ""), none -> new ArrayList<>())
                    .add(file);
        }
        for (List<String> group : bySchema.values()) {
            appendAlike(table, group);
        }
    }

    private void appendAlike(String table, List<String> files) throws IOException {
        Dataset<Row> rows = withTypesOfIceberg(session.read().parquet(files.toArray(String[]::new)));
        Column place = functions.col("_metadata.file_path");
        boolean isOfVehicle = files.get(0).contains("/vehicle=");
        boolean isDated = files.get(0).contains("/date=");
        if (isOfVehicle) {
            rows = rows.withColumn("vehicle", partition(place, "vehicle"));
        }
        if (isDated) {
            rows = rows.withColumn("date", partition(place, "date").cast(DataTypes.DateType));
        }
        rows = rows.coalesce((files.size() - 1) / FILES_PER_OUTPUT + 1);
        if (isDated) {
            rows = rows.sortWithinPartitions("date", "vehicle", "log");
        }
        write(name(table), rows, isDated);
    }

    /** Iceberg has no integers of 8 and 16 bits. */
    private static Dataset<Row> withTypesOfIceberg(Dataset<Row> rows) {
        Dataset<Row> wide = rows;
        for (StructField field : rows.schema().fields()) {
            if (field.dataType().equals(DataTypes.ByteType) || field.dataType().equals(DataTypes.ShortType)) {
                wide = wide.withColumn(
                        field.name(), functions.col("`" + field.name() + "`").cast(DataTypes.IntegerType));
            }
        }
        return wide;
    }

    private static Column partition(Column place, String name) {
        Column value = functions.regexp_extract(place, "/" + name + "=([^/]+)/", 1);
        return functions.when(value.notEqual(NO_VALUE), value);
    }

    private void write(String table, Dataset<Row> rows, boolean isDated) throws IOException {
        try {
            if (session.catalog().tableExists(table)) {
                Dataset<Row> fitting = fit(rows, session.table(table).schema());
                fitting.writeTo(table)
                        .option("mergeSchema", "true")
                        .option("check-ordering", "false")
                        .append();
                return;
            }
            var writer = rows.writeTo(table)
                    .using("iceberg")
                    .tableProperty("write.spark.accept-any-schema", "true")
                    // The rows are sorted already.
                    .tableProperty("write.distribution-mode", "none");
            (isDated ? writer.partitionedBy(functions.col("date")) : writer).create();
        } catch (NoSuchTableException e) {
            throw new IOException(table + ": was dropped meanwhile", e);
        } catch (org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException e) {
            throw new IOException(table + ": another job made it meanwhile", e);
        }
    }

    /** Renames columns whose type the table's column cannot hold or be widened to, so that nothing is lost. */
    private static Dataset<Row> fit(Dataset<Row> rows, StructType table) {
        Dataset<Row> fitting = rows;
        Map<String, DataType> types = new HashMap<>();
        for (StructField field : table.fields()) {
            types.put(field.name(), field.dataType());
        }
        for (StructField field : rows.schema().fields()) {
            DataType type = types.getOrDefault(field.name(), field.dataType());
            if (!fits(field.dataType(), type) && !fits(type, field.dataType())) {
                fitting = fitting.withColumnRenamed(
                        field.name(), field.name() + "__" + field.dataType().typeName());
            }
        }
        return fitting;
    }

    private static boolean fits(DataType type, DataType into) {
        return type.equals(into)
                || (type.equals(DataTypes.IntegerType) && into.equals(DataTypes.LongType))
                || (type.equals(DataTypes.FloatType) && into.equals(DataTypes.DoubleType));
    }

    private String name(String table) {
        return namespace + ".`" + table + "`";
    }
}
