package org.mavlogd.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a Markdown file that can be checked. Supports the Markdown that this project's documents use: headings
 * with "#", fenced and indented code, inline code, inline links.
 *
 * @param links targets of links and pictures outside of code, with their line numbers
 * @param anchors of its headings, as GitHub makes them
 * @param code lines of code blocks, and inline code
 * @param toml the blocks of TOML
 */
record MarkdownPage(Path file, List<Link> links, Set<String> anchors, List<Code> code, List<String> toml) {
    record Link(int line, String target) {}

    record Code(int line, String text) {}

    private static final Pattern LINK = Pattern.compile("!?\\[(?:[^\\[\\]]|\\[[^\\[\\]]*])*]\\(([^()\\s]+)\\)");
    private static final Pattern INLINE_CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*)");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.+)");

    static MarkdownPage read(Path file) throws IOException {
        return parse(file, Files.readString(file));
    }

    static MarkdownPage parse(Path file, String text) {
        Parser parser = new Parser();
        text.lines().forEach(parser::take);
        return new MarkdownPage(file, parser.links(), parser.anchors, parser.code, parser.toml);
    }

    private static final class Parser {
        private final Set<String> anchors = new LinkedHashSet<>();
        private final Map<String, Integer> slugs = new HashMap<>();
        private final List<Code> code = new ArrayList<>();
        private final List<String> toml = new ArrayList<>();
        private final StringBuilder prose = new StringBuilder();
        private final StringBuilder block = new StringBuilder();
        private String fence = "";
        private boolean inFence;
        private boolean afterBlank = true;
        private int line;

        void take(String text) {
            line++;
            Matcher mark = FENCE.matcher(text);
            if (mark.lookingAt()) {
                toggleFence(String.valueOf(mark.group(1)));
                prose.append('\n');
            } else if (inFence || isIndentedCode(text)) {
                block.append(text).append('\n');
                code.add(new Code(line, text.strip()));
                prose.append('\n');
            } else {
                takeProse(text);
            }
            afterBlank = text.isBlank() || (afterBlank && isIndentedCode(text));
        }

        private boolean isIndentedCode(String text) {
            return afterBlank && text.startsWith("    ") && !text.isBlank();
        }

        private void toggleFence(String language) {
            if (inFence && fence.equals("toml")) {
                toml.add(block.toString());
            }
            inFence = !inFence;
            fence = language;
            block.setLength(0);
        }

        private void takeProse(String text) {
            Matcher heading = HEADING.matcher(text);
            if (heading.matches()) {
                String slug = slug(String.valueOf(heading.group(1)));
                int before = slugs.merge(slug, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? slug : slug + "-" + before);
            }
            INLINE_CODE.matcher(text).results().forEach(found -> code.add(new Code(line, found.group(1))));
            // A link may have code as its text, but code contains no link.
            prose.append(INLINE_CODE.matcher(text).replaceAll("code")).append('\n');
        }

        /** The text of a link may span several lines. */
        List<Link> links() {
            List<Link> links = new ArrayList<>();
            Matcher found = LINK.matcher(prose);
            while (found.find()) {
                int at = (int) prose.substring(0, found.end())
                                .chars()
                                .filter(c -> c == '\n')
                                .count()
                        + 1;
                links.add(new Link(at, String.valueOf(found.group(1))));
            }
            return links;
        }
    }

    private static String slug(String heading) {
        String plain = heading.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
        return plain.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }
}
