package org.mavlogd.setup;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The serial ports of a computer that may lead to an autopilot, the most likely first, each once under its most stable
 * name.
 */
public final class SerialPorts {
    /** Names of devices in order of preference: by-id names remain when devices are plugged in in another order. */
    private static final List<Place> PLACES = List.of(
            new Place("/dev/serial/by-id", "*", "USB"),
            new Place("/dev", "autopilot", "USB"),
            new Place("/dev", "serial0", "UART on the GPIO pins 14 and 15"),
            new Place("/dev", "ttyAMA*", "UART"),
            new Place("/dev", "ttyTHS*", "UART of a Jetson"),
            new Place("/dev", "ttyACM*", "USB"),
            new Place("/dev", "ttyUSB*", "USB"));

    private static final int MAX_PORTS = 32;

    private SerialPorts() {}

    private record Place(String directory, String glob, String kind) {}

    /**
     * A port.
     *
     * @param device absolute path
     * @param kind in words
     */
    public record Port(String device, String kind) {}

    /** The ports, at most 32. */
    public static List<Port> of(Computer computer) {
        List<Port> ports = new ArrayList<>();
        Set<Path> seen = new HashSet<>();
        for (Place place : PLACES) {
            for (Path file : files(computer, place)) {
                if (ports.size() < MAX_PORTS && seen.add(computer.real(file))) {
                    ports.add(new Port(computer.name(file), place.kind()));
                }
            }
        }
        return List.copyOf(ports);
    }

    private static List<Path> files(Computer computer, Place place) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(computer.path(place.directory()), place.glob())) {
            entries.forEach(files::add);
        } catch (IOException e) {
            return List.of(); // the directory is missing if nothing is plugged in
        }
        files.removeIf(file -> !Files.exists(file));
        files.sort(null);
        return files;
    }
}
