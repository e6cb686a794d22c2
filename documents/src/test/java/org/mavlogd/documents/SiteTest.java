package org.mavlogd.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** mkdocs builds the documents as a site without warnings, and each link of the site leads to a file and heading of it. */
class SiteTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    @Test
    void everyLinkOfTheSiteLeadsSomewhere(@TempDir Path site) throws IOException, InterruptedException {
        assumeThat(isThere("mkdocs")).as("mkdocs is installed").isTrue();
        Path log = site.resolveSibling(site.getFileName() + ".log");
        Process mkdocs = new ProcessBuilder("mkdocs", "build", "--strict", "--quiet", "--site-dir", site.toString())
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(mkdocs.waitFor()).as(Files.readString(log)).isZero();
        Files.delete(log);

        List<String> broken = new ArrayList<>();
        int links = 0;
        try (Stream<Path> files = Files.walk(site)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".html")).toList()) {
                for (String address : addresses(page)) {
                    links++;
                    if (!leadsSomewhere(page, address)) {
                        broken.add(site.relativize(page) + ": " + address);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).as("links that were checked").isGreaterThan(1000);
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    /** Those of the site itself; the page for missing addresses has absolute ones. */
    private static List<String> addresses(Path page) throws IOException {
        return page.endsWith("404.html")
                ? List.of()
                : LINK.matcher(Files.readString(page))
                        .results()
                        .map((MatchResult link) -> link.group(1).replace("&amp;", "&"))
                        .filter(address -> !address.matches("[a-z]+:.*|//.*|#.*"))
                        .toList();
    }

    private static boolean leadsSomewhere(Path page, String address) throws IOException {
        String[] parts = address.split("#", 2);
        Path file = Objects.requireNonNull(page.getParent()).resolve(parts[0]).normalize();
        Path target = Files.isDirectory(file) ? file.resolve("index.html") : file;
        return Files.exists(target)
                && (parts.length == 1 || Files.readString(target).contains("id=\"" + parts[1] + "\""));
    }
}
