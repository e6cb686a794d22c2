package org.mavlogd.dataflash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Meanings of the numbers that ArduPilot logs for modes, events, errors and the like. Immutable. */
public final class Meanings {
    private static final String RESOURCE = "meanings.txt";

    private final Map<String, String> words = new HashMap<>();

    private Meanings() {}

    /** The list that is part of the program; it is read once. */
    public static Meanings all() {
        return Loaded.ALL;
    }

    /** Read when the first log needs it, and not again: each log may begin anew with each of its blocks. */
    private static final class Loaded {
        static final Meanings ALL = read();
    }

    private static Meanings read() {
        Meanings meanings = new Meanings();
        try (InputStream in = Meanings.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    int behindNumber = line.indexOf(' ', line.indexOf(' ') + 1);
                    meanings.words.put(line.substring(0, behindNumber), line.substring(behindNumber + 1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return meanings;
    }

    public Optional<String> of(String kind, long number) {
        return Optional.ofNullable(words.get(kind + " " + number));
    }

    /** The words, or else the number after the name of its kind. */
    public String orNumber(String kind, long number, String what) {
        return of(kind, number).orElse(what + " " + number);
    }

    /** The kind of vehicle of a firmware, such as ArduRover; empty if unknown. */
    public static String vehicle(String firmware) {
        return switch (firmware) {
            case "ArduRover" -> "rover";
            case "ArduCopter" -> "copter";
            case "ArduPlane" -> "plane";
            case "ArduSub" -> "sub";
            case "AntennaTracker" -> "tracker";
            case "Blimp" -> "blimp";
            default -> "";
        };
    }
}
