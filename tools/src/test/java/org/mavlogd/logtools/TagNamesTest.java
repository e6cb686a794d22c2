package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyJson;
import org.mavlogd.survey.SurveyText;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Names of tags come from the log itself. */
class TagNamesTest {
    @TempDir
    private Path directory = Path.of(".");

    private LogSurvey survey(String tags) throws IOException {
        Path file = directory.resolve("log.ulg");
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, 1_000_000, WriterSettings.DEFAULT);
            if (!tags.isEmpty()) {
                log.info(TagMap.INFO, tags);
            }
            log.loggedString(LogLevel.INFO, 1_500_000, "of the vehicle");
            log.taggedString(LogLevel.WARNING, 3, 2_000_000, "lens stuck");
            log.taggedString(LogLevel.INFO, 100, 3_000_000, "winch \"out\"");
            log.taggedString(LogLevel.INFO, 100, 3_000_001, "winch in");
            log.taggedString(LogLevel.ERROR, 4711, 4_000_000, "nobody knows");
            log.close();
        }
        return LogSurvey.of(file, Progress.NONE);
    }

    private static String text(LogSurvey survey) {
        StringWriter out = new StringWriter();
        SurveyText.print("log.ulg", survey, SurveyText.Shown.DEFAULT, new PrintWriter(out, true));
        return out.toString();
    }

    private static String json(LogSurvey survey) throws IOException {
        StringWriter out = new StringWriter();
        SurveyJson.print(survey, new PrintWriter(out, true));
        try (JsonParser json = new JsonFactory().createParser(out.toString())) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                // until its end
            }
        }
        return out.toString().replaceAll("\\s+", " ");
    }

    @Test
    void textsShowTheNamesThatTheLogTells() throws IOException {
        LogSurvey survey = survey(TagMap.of(Map.of("winch", 100)).infoText());

        assertThat(text(survey))
                .contains("Messages     5, 1 error, 1 warning, 4 tagged")
                .contains("WARNING   [camera_handler] lens stuck")
                .contains("[winch] winch \"out\"")
                .contains("ERROR     [4711] nobody knows")
                .contains("INFO      of the vehicle");
        assertThat(json(survey))
                .contains(
                        "\"tags\" : [ { \"tag\" : 3, \"name\" : \"camera_handler\", \"texts\" : 1 }, { \"tag\" : 100,"
                                + " \"name\" : \"winch\", \"texts\" : 2 }, { \"tag\" : 4711, \"name\" : null, \"texts\" : 1 } ]")
                .contains(
                        "{ \"timestamp_us\" : 1500000, \"level\" : \"info\", \"kind\" : \"logged\", \"text\" : \"of the vehicle\" }")
                .contains(
                        "{ \"timestamp_us\" : 3000000, \"level\" : \"info\", \"kind\" : \"tagged\", \"tag\" : 100, \"tag_name\" : \"winch\","
                                + " \"text\" : \"winch \\\"out\\\"\" }");
    }

    @Test
    void aLogThatTellsNoNamesShowsNumbers() throws IOException {
        LogSurvey survey = survey("");

        assertThat(text(survey)).contains("[3] lens stuck").contains("[100] winch in");
        assertThat(json(survey)).contains("\"tag\" : 3, \"tag_name\" : null");
    }

    @Test
    void namesThatAreNoneAreNotShown() throws IOException {
        LogSurvey survey = survey("3=\u001b[31mred,100=" + "x".repeat(500) + ",4711=ok");

        assertThat(text(survey))
                .contains("[3] lens stuck")
                .contains("[100] winch in")
                .contains("[ok] nobody knows");
    }
}
