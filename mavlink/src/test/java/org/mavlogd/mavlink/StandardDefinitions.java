package org.mavlogd.mavlink;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** MAVLink's own definitions; ORIGIN.md describes their origin. */
public final class StandardDefinitions {
    /** Included files precede the files that include them: a message's origin is the first file that contains it. */
    static final List<String> FILES = List.of(
            "minimal.xml",
            "standard.xml",
            "common.xml",
            "uAvionix.xml",
            "icarous.xml",
            "loweheiser.xml",
            "cubepilot.xml",
            "csAirLink.xml",
            "ardupilotmega.xml",
            "ASLUAV.xml",
            "AVSSUAS.xml",
            "ualberta.xml",
            "storm32.xml",
            "development.xml");

    /** A message and the dialect that defines it. */
    public record Known(MessageLayout layout, String origin) {}

    private StandardDefinitions() {}

    public static List<Known> messages() {
        try {
            Path directory = Files.createTempDirectory("definitions");
            try {
                unpack(directory);
                return messages(directory);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Known> messages(Path directory) {
        List<Known> messages = new ArrayList<>();
        for (String file : FILES) {
            String origin = file.substring(0, file.indexOf('.')).toLowerCase(java.util.Locale.ROOT);
            try {
                DefinitionFiles.read(List.of(directory.resolve(file))).stream()
                        .filter(message -> messages.stream()
                                .noneMatch(known -> known.layout().equals(message)))
                        .forEach(message -> messages.add(new Known(message, origin)));
            } catch (DefinitionException e) {
                throw new IllegalStateException(e);
            }
        }
        return messages;
    }

    /** Writes all files into a directory. */
    static void unpack(Path directory) throws IOException {
        try (InputStream in = StandardDefinitions.class.getResourceAsStream("mavlink-definitions.zip");
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.write(directory.resolve(entry.getName()), zip.readAllBytes());
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        for (String file : FILES) {
            Files.delete(directory.resolve(file));
        }
        Files.delete(directory);
    }
}
