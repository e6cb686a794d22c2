package org.mavlogd.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links have targets, and keys, commands, options and scripts that the documents mention exist. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern SCRIPT = Pattern.compile("(?:^|[ (\"])(scripts/[a-z-]+(?:\\.sh)?)");

    private final Map<Path, MarkdownPage> pages = new HashMap<>();

    DocumentsTest() throws IOException {
        List<Path> files = new ArrayList<>(List.of(ROOT.resolve("ulog-writer/README.md")));
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(DOCS)) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(files::add);
        }
        for (Path file : files) {
            pages.put(file, MarkdownPage.read(file));
        }
    }

    @Test
    void everyLinkLeadsToAFileAndHeadingOfThisProject() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Link link : page.links()) {
                if (!link.target().matches("[a-z]+:.*|<.*")) {
                    links++;
                    check(page, link.target()).forEach(problem -> broken.add(place(page, link.line()) + problem));
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(links).as("links that were checked").isGreaterThan(200);
    }

    @Test
    void linksOfTheInstalledDocumentsLeadToFiles(@TempDir Path root) throws IOException, InterruptedException {
        String put = ". scripts/lib.sh; . scripts/files.sh; put_documents \"$1\"";
        Process shell = new ProcessBuilder("sh", "-ec", put, "scripts/install", root.toString())
                .directory(ROOT.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
        Path installed = root.resolve("usr/share/doc/mavlogd");

        for (MarkdownPage page : pages.values()) {
            Path file = installed.resolve(ROOT.relativize(page.file()));
            assertThat(file).exists();
            for (MarkdownPage.Link link : page.links()) {
                String target = link.target().split("#", 2)[0];
                if (!target.isEmpty() && !target.matches("[a-z]+:.*|<.*")) {
                    assertThat(file.resolveSibling(target)).exists();
                }
            }
        }
    }

    private List<String> check(MarkdownPage page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty()
                ? page.file()
                : Objects.requireNonNull(page.file().getParent())
                        .resolve(parts[0])
                        .normalize();
        if (!file.startsWith(ROOT) || !Files.exists(file)) {
            return List.of("there is no " + target);
        }
        MarkdownPage linked = pages.get(file);
        boolean found = parts.length == 1 || (linked != null && linked.anchors().contains(parts[1]));
        return found ? List.of() : List.of("there is no heading " + target);
    }

    private static String place(MarkdownPage page, int line) {
        return ROOT.relativize(page.file()) + ":" + line + ": ";
    }

    @Test
    void everyCommandAndOptionExists() {
        CommandMentions commands = new CommandMentions();
        List<String> unknown = new ArrayList<>();
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Code code : page.code()) {
                commands.unknown(code.text()).forEach(problem -> unknown.add(place(page, code.line()) + problem));
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(commands.unknown("sudo mavlogd inof LAST --all")).hasSize(1);
        assertThat(commands.unknown("a | scripts/mavlogd export csv --to +9 LOG --tables"))
                .hasSize(1);
        assertThat(commands.unknown("mavlogd run --chek-config; mavlogd logs --jsn"))
                .hasSize(2);
    }

    @Test
    void everyKeyExists() throws IOException {
        ConfigurationKeys keys = new ConfigurationKeys(DOCS.resolve("configuration.md"));
        List<String> unknown = new ArrayList<>();
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Code code : page.code()) {
                keys.unknown(code.text()).forEach(problem -> unknown.add(place(page, code.line()) + problem));
            }
            for (String toml : page.toml()) {
                keys.unknownInToml(toml).forEach(problem -> unknown.add(place(page, 0) + problem));
            }
        }

        assertThat(unknown).isEmpty();
        assertThat(keys.count()).isGreaterThan(80);
        assertThat(keys.unknown("[log] mod")).containsExactly("there is no key [log] mod");
        assertThat(keys.unknown("[lgo] mode = 1")).containsExactly("there is no section [lgo]");
        assertThat(keys.unknownInToml("[[link]]\nname = \"a\"\nbaudrate = 9600"))
                .containsExactly("there is no key [link] baudrate");
    }

    @Test
    void everyScriptExists() {
        List<String> unknown = new ArrayList<>();
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Code code : page.code()) {
                SCRIPT.matcher(code.text())
                        .results()
                        .map(found -> found.group(1))
                        .filter(script -> !Files.exists(ROOT.resolve(script)))
                        .forEach(script -> unknown.add(place(page, code.line()) + "there is no " + script));
            }
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void indexAndSiteListEveryPageInTheSameOrder() throws IOException {
        List<String> index = MarkdownPage.read(DOCS.resolve("README.md")).links().stream()
                .map(MarkdownPage.Link::target)
                .filter(target -> !target.startsWith("../"))
                .toList();
        List<String> site = Pattern.compile(": ([\\w/-]+\\.md)$", Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve("mkdocs.yml")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(target -> !target.equals("README.md"))
                .toList();

        assertThat(site).containsExactlyElementsOf(index);
        try (Stream<Path> files = Files.list(DOCS)) {
            assertThat(index)
                    .containsAll(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                            .toList());
        }
    }

    @Test
    void readmeIsOnePage() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void pageIsReadAsMarkdownMeansIt() {
        MarkdownPage page = MarkdownPage.parse(Path.of("x.md"), """
                # A `code`: and [link](a.md#b)
                # A code and link
                Text `[no](link.md)` and [text over
                two lines](c.md), ![picture](d.svg).

                    mavlogd run

                - [item](e.md)
                ```toml
                [log]
                ```
                """);

        assertThat(page.anchors()).containsExactly("a-code-and-link", "a-code-and-link-1");
        assertThat(page.links())
                .containsExactly(
                        new MarkdownPage.Link(1, "a.md#b"),
                        new MarkdownPage.Link(4, "c.md"),
                        new MarkdownPage.Link(4, "d.svg"),
                        new MarkdownPage.Link(8, "e.md"));
        assertThat(page.code()).contains(new MarkdownPage.Code(6, "mavlogd run"));
        assertThat(page.toml()).containsExactly("[log]\n");
    }
}
