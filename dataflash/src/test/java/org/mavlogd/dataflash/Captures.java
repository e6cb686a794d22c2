package org.mavlogd.dataflash;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Logs of ArduPilot and their contents: captures/ardupilot/ORIGIN.md. */
public final class Captures {
    private static final String FOLDER = "/captures/ardupilot/";

    /** A row of values as the established reader prints it. */
    record Row(String type, Map<String, String> values) {}

    /** The expected contents of a log. */
    record Expected(
            int size,
            int records,
            int cutBytes,
            Map<String, Long> counts,
            Map<String, Long> instances,
            List<Row> rows) {}

    private Captures() {}

    public static List<String> names() {
        return List.copyOf(expected().keySet());
    }

    public static byte[] log(String name) {
        return unpacked(name + ".gz");
    }

    static Expected expected(String name) {
        return Objects.requireNonNull(expected().get(name), name);
    }

    /** Reads the expected contents of each log from the file; instances are named {@code BARO:1}. */
    static Map<String, Expected> expected() {
        Map<String, Expected> all = new LinkedHashMap<>();
        List<String[]> lines = new String(unpacked("expected.tsv.gz"), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.split("\t", -1))
                .toList();
        for (String[] words : lines) {
            if (words[0].equals("log")) {
                all.put(
                        words[1],
                        new Expected(
                                Integer.parseInt(words[2]),
                                Integer.parseInt(words[3]),
                                Integer.parseInt(words[4]),
                                new TreeMap<>(),
                                new TreeMap<>(),
                                new ArrayList<>()));
                continue;
            }
            Expected log = Objects.requireNonNull(all.get(words[1]), words[1]);
            switch (words[0]) {
                case "count" -> log.counts.put(words[2], Long.valueOf(words[3]));
                case "instance" -> log.instances.put(words[2] + ":" + words[3], Long.valueOf(words[4]));
                default -> log.rows.add(row(words));
            }
        }
        return all;
    }

    private static Row row(String[] words) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 3; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new Row(words[2], values);
    }

    private static byte[] unpacked(String resource) {
        try (InputStream in = Captures.class.getResourceAsStream(FOLDER + resource)) {
            byte[] packed = Objects.requireNonNull(in, resource).readAllBytes();
            return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
