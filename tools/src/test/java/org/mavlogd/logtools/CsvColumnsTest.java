package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.tables.CsvExport;
import org.mavlogd.tables.CsvExportTest;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/**
 * The tables have the columns that pyulog reads: the CRC-32 of each topic's columns, computed from our cells, equals
 * pyulog's. That sum contains padding and the bytes after the end of a text, which tables do not contain; they are
 * taken from the log.
 *
 * <p>{@code -Dulog.logs=DIRECTORY} tests with larger logs too, as ulog-writer's tests do.
 */
class CsvColumnsTest {
    private static final String MORE_LOGS = System.getProperty("ulog.logs", "");

    @TempDir
    private Path directory = Path.of(".");

    static List<String> logs() throws IOException {
        List<String> logs = new ArrayList<>();
        for (String line : Logs.expected()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("log") && (Logs.REAL.contains(words[1]) || Files.exists(more(words[1])))) {
                logs.add(words[1]);
            }
        }
        logs.removeIf(name -> name.contains("corrupt"));
        return logs;
    }

    private static Path more(String name) {
        return Path.of(MORE_LOGS.isEmpty() ? "no such directory" : MORE_LOGS, name + ".ulg.gz");
    }

    private Path log(String name) throws IOException {
        if (Logs.REAL.contains(name)) {
            return Logs.real(name, directory);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(more(name)))) {
            return Files.write(directory.resolve(name + ".ulg"), in.readAllBytes());
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void columnsAreThoseOfPyulog(String name) throws IOException {
        Path log = log(name);
        Path tables = directory.resolve("tables");
        CsvExport.Choice choice = new CsvExport.Choice(TopicChoice.all(), TimeRange.ALL, CsvExport.Times.US);
        try (CsvExport export = new CsvExport(tables, OutputFile.Existing.REFUSE, choice)) {
            export.export(log, Progress.NONE);
        }
        Samples samples = new Samples();
        ULogReader.read(log, samples);

        Map<String, String> sums = new LinkedHashMap<>();
        for (Map.Entry<String, TopicLayout> topic : samples.layouts.entrySet()) {
            Path table = tables.resolve(topic.getKey().replace(':', '_') + ".csv");
            List<List<String>> rows = CsvExportTest.Csv.parse(Files.readString(table));
            sums.put(topic.getKey(), sums(topic.getValue(), rows, samples.rest(topic.getKey())));
            Files.delete(table);
        }

        assertThat(sums).isEqualTo(expected(name));
    }

    /** For each topic: number of rows, CRC-32 of the times, CRC-32 of all columns. */
    private static Map<String, String> expected(String name) throws IOException {
        Map<String, String> expected = new LinkedHashMap<>();
        boolean isHere = false;
        for (String line : Logs.expected()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("log")) {
                isHere = words[1].equals(name);
            } else if (isHere && words[0].equals("topic")) {
                expected.put(words[1], words[2] + " " + words[5] + " " + words[6]);
            }
        }
        return expected;
    }

    private static String sums(TopicLayout layout, List<List<String>> table, List<byte[]> samples) {
        Map<String, Integer> columns = new LinkedHashMap<>();
        table.get(0).forEach(column -> columns.put(column, columns.size()));
        for (int i = 0; i < samples.size(); i++) {
            fill(samples.get(i), layout, columns, table.get(i + 1));
        }
        CRC32 times = new CRC32();
        for (List<String> row : table.subList(1, table.size())) {
            times.update(little(FieldType.UINT64, row.get(0)));
        }
        return (table.size() - 1) + " " + String.format("%08x", times.getValue()) + " " + crc(layout, samples);
    }

    /** Writes the cells of a row at the places of the fields in the log. */
    private static void fill(byte[] sample, TopicLayout layout, Map<String, Integer> columns, List<String> row) {
        for (Column column : layout.columns()) {
            if (column.type() == FieldType.CHAR) {
                byte[] text = row.get(columns.getOrDefault(column.path(), -1)).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(text, 0, sample, column.offset(), text.length);
                continue;
            }
            for (int i = 0; i < column.count(); i++) {
                String name = column.isArray() ? column.path() + "[" + i + "]" : column.path();
                byte[] value = little(column.type(), row.get(columns.getOrDefault(name, -1)));
                System.arraycopy(value, 0, sample, column.offset() + i * value.length, value.length);
            }
        }
    }

    private static byte[] little(FieldType type, String cell) {
        ByteBuffer bytes = ByteBuffer.allocate(type.length()).order(ByteOrder.LITTLE_ENDIAN);
        String number = cell.replace("inf", "Infinity");
        switch (type) {
            case FLOAT -> bytes.putFloat(Float.parseFloat(number));
            case DOUBLE -> bytes.putDouble(Double.parseDouble(number));
            case UINT64 -> bytes.putLong(Long.parseUnsignedLong(cell));
            case INT64 -> bytes.putLong(Long.parseLong(cell));
            case INT32, UINT32 -> bytes.putInt((int) Long.parseLong(cell));
            case INT16, UINT16 -> bytes.putShort((short) Integer.parseInt(cell));
            default -> bytes.put((byte) Integer.parseInt(cell));
        }
        return bytes.array();
    }

    /** The CRC-32 of the columns in order; padding counts as columns of single bytes. */
    private static String crc(TopicLayout layout, List<byte[]> samples) {
        CRC32 crc = new CRC32();
        int next = 0;
        for (Column column : layout.columns()) {
            for (; next < column.offset(); next++) {
                update(crc, samples, next, 1);
            }
            for (int i = 0; i < column.count(); i++, next += column.type().length()) {
                update(crc, samples, next, column.type().length());
            }
        }
        for (; next < layout.sizeWithoutPadding(); next++) {
            update(crc, samples, next, 1);
        }
        return String.format("%08x", crc.getValue());
    }

    private static void update(CRC32 crc, List<byte[]> samples, int offset, int length) {
        samples.forEach(sample -> crc.update(sample, offset, length));
    }

    /** Samples that contain only the bytes that tables do not contain. */
    private static final class Samples implements ULogHandler {
        final Map<String, TopicLayout> layouts = new LinkedHashMap<>();
        private final Map<String, List<byte[]>> samples = new LinkedHashMap<>();

        List<byte[]> rest(String topic) {
            return samples.getOrDefault(topic, List.of());
        }

        @Override
        public void onSample(SampleView sample) {
            TopicLayout layout = sample.topic().layout().orElseThrow();
            byte[] rest = new byte[sample.length()];
            sample.copyTo(rest, 0);
            for (Column column : layout.columns()) {
                boolean isText = column.type() == FieldType.CHAR;
                for (int i = 0; i < column.length() && !(isText && rest[column.offset() + i] == 0); i++) {
                    rest[column.offset() + i] = 0;
                }
            }
            layouts.put(sample.topic().toString(), layout);
            samples.computeIfAbsent(sample.topic().toString(), topic -> new ArrayList<>())
                    .add(rest);
        }
    }
}
