package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.report.ReportJsonText.object;
import static org.mavlogd.report.ReportJsonText.objects;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.LogLevel;

/** The report file needs no network, and nothing in a log becomes markup. */
class ReportHtmlTest {
    private static final String[] HOSTILE = {
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "--></SCRIPT ><img src=x onerror=alert(1)>",
        "]]>&lt;b&gt; \" ' ` ${1}",
        "\u2028\u2029\u0000\u001b[31m",
        "<svg/onload=alert(1)>"
    };

    @TempDir
    Path directory;

    @Test
    void markupInMessagesAndNamesHasNoEffect() throws IOException {
        TestLog log = new TestLog().format("companion_temperature", "float temperature;char[32] name;");
        log.info("ver_hw", HOSTILE[0]).info("ver_sw", HOSTILE[1]).info("sys_name", HOSTILE[5]);
        log.parameter("P__script_", 1, 2);
        for (int i = 0; i < HOSTILE.length; i++) {
            log.text(LogLevel.ERROR, i, HOSTILE[i]);
        }
        double[] values = new double[33];
        byte[] name = "</script><b>hot".getBytes(StandardCharsets.US_ASCII);
        values[0] = 90;
        for (int i = 0; i < name.length; i++) {
            values[1 + i] = name[i];
        }
        log.sample("companion_temperature", 1, values).sample("companion_temperature", 9, values);
        // Our own writer refuses this name.
        String bytes = new String(log.bytes(), StandardCharsets.ISO_8859_1).replace("P__script_", "P</script>");
        Path file =
                Files.write(directory.resolve("a<b onclick='x'>&\"c.ulg"), bytes.getBytes(StandardCharsets.ISO_8859_1));

        String page = html(file);

        assertThat(page).contains("<title>a&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;c.ulg</title>");
        assertThat(count(page, "(?i)<script")).isEqualTo(3);
        assertThat(count(page, "(?i)</script")).isEqualTo(3);
        String data = data(page);
        assertThat(data).doesNotContainPattern("[<>&'\u2028\u2029]");
        Map<String, Object> report = object(ReportJsonText.parse(data));
        List<Map<String, Object>> messages = objects(report.get("messages"));
        assertThat(messages).extracting(message -> message.get("message")).contains(HOSTILE[0], HOSTILE[2], HOSTILE[5]);
        assertThat(objects(object(report.get("parameters")).get("non_default")))
                .extracting(parameter -> parameter.get("name"))
                .containsExactly("P</script>");
        assertThat(report.get("log")).isEqualTo("a<b onclick='x'>&\"c.ulg");
    }

    @Test
    void pageIsTheReportAsJson() throws IOException {
        Path file = new TestLog()
                .format("cpuload", "float load;")
                .sample("cpuload", 1, 0.5)
                .sample("cpuload", 2, 0.25)
                .write(directory);

        assertThat(data(html(file))).isEqualTo(ReportJsonText.of(file));
    }

    @Test
    void pageLoadsNothing() throws IOException {
        String page = html(new TestLog().text(LogLevel.INFO, 1, "x").write(directory));

        assertThat(page)
                .contains("default-src 'none'")
                .doesNotContainPattern("<link|src=[\"']|@import|url\\(|import\\s*\\(|^import |fetch\\(|XMLHttpRequest");
    }

    /** The embedded files must not contain text that ends their element. */
    @ParameterizedTest
    @ValueSource(strings = {"vendor/uPlot.min.css", "vendor/uPlot.iife.min.js", "report.css", "report.js"})
    void ownFilesEndNoElement(String name) throws IOException {
        try (InputStream in = ReportHtml.class.getResourceAsStream("/org/mavlogd/page/web/" + name)) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT))
                    .isNotBlank()
                    .doesNotContain("</script", "</style", "<!--");
        }
    }

    /** The script only makes text nodes. */
    @Test
    void scriptNeverParsesMarkup() throws IOException {
        try (InputStream in = ReportHtml.class.getResourceAsStream("/org/mavlogd/page/web/report.js")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|eval\\(|new Function|setAttribute\\(\"style");
        }
    }

    private static String html(Path file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ReportHtml.write(Report.of(file, file.getFileName().toString(), Progress.NONE), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String data(String page) {
        Matcher data = Pattern.compile("<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL)
                .matcher(page);
        assertThat(data.find()).isTrue();
        return data.group(1);
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }
}
