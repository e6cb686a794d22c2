package org.mavlogd.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Writes a report as a single page that needs no network: it contains style, script and data.
 *
 * <p>The page's own policy allows no connections. The data is JSON without markup ({@link ReportJson}), and the script
 * shows it as text.
 */
public final class ReportHtml {
    private static final String WEB = "/org/mavlogd/page/web/";
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";

    private ReportHtml() {}

    /** Writes in UTF-8; the stream stays open. */
    public static void write(Report report, OutputStream out) throws IOException {
        head(report.name(), out);
        text(out, "<body class=\"report-page\">\n<main id=\"report\"></main>\n");
        text(out, "<script id=\"data\" type=\"application/json\">");
        ReportJson.write(report, out);
        text(out, "</script>\n<script>\n");
        resource(out, "vendor/uPlot.iife.min.js");
        text(out, "</script>\n<script type=\"module\">\n");
        resource(out, "report.js");
        text(out, """
                render(document.getElementById("report"), JSON.parse(document.getElementById("data").textContent), uPlot);
                </script>
                <noscript>This report draws its plots with JavaScript, which is switched off here.</noscript>
                </body>
                </html>
                """);
    }

    private static void head(String title, OutputStream out) throws IOException {
        text(out, """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="generator" content="mavlogd">
                <title>%s</title>
                <style>
                """.formatted(POLICY, escaped(title)));
        resource(out, "vendor/uPlot.min.css");
        resource(out, "report.css");
        text(out, "</style>\n</head>\n");
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Includes one of our own files; a test checks that none of them has text that would end its element. */
    private static void resource(OutputStream out, String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ReportHtml.class.getResourceAsStream(WEB + name), name)) {
            in.transferTo(out);
        }
        text(out, "\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
