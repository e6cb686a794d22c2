package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VendoredLibrariesTest {
    private static final Path WEB = Path.of("src/main/resources/org/mavlogd/page/web");
    private static final Path VENDOR = WEB.resolve("vendor");
    private static final Pattern SUM = Pattern.compile("(?m)^([0-9a-f]{64}) {2}(\\S+)$");
    private static final Pattern IMPORT =
            Pattern.compile("(?<![\"'.\\w])(?:from|import)\\s*\\(?\\s*[\"']([^\"'\\s]+)[\"']");

    @Test
    void everyFileHasItsSum() throws IOException, NoSuchAlgorithmException {
        Map<String, String> expected = new TreeMap<>();
        Matcher sums = SUM.matcher(Files.readString(VENDOR.resolve("VERSIONS.txt")));
        while (sums.find()) {
            expected.put(sums.group(2), sums.group(1));
        }

        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(VENDOR)) {
            for (Path file :
                    files.filter(file -> !file.endsWith("VERSIONS.txt")).toList()) {
                found.put(file.getFileName().toString(), sha256(Files.readAllBytes(file)));
            }
        }

        assertThat(found).hasSizeGreaterThan(5).isEqualTo(expected);
    }

    @Test
    void modulesImportOnlyFilesThatAreHere() throws IOException {
        try (Stream<Path> files = Files.walk(WEB)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".js")).toList()) {
                Matcher imports = IMPORT.matcher(Files.readString(file));
                while (imports.find()) {
                    String target = imports.group(1);
                    assertThat(target).as("import in %s", file).startsWith(".");
                    assertThat(file.resolveSibling(target).normalize()).exists();
                }
            }
        }
    }

    @Test
    void librariesAreAmongTheResources() throws IOException {
        try (InputStream in = VendoredLibrariesTest.class.getResourceAsStream("web/vendor/uPlot.iife.min.js")) {
            assertThat(in).isNotNull();
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("v1.6.32");
        }
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
