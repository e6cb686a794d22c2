package org.mavlogd.local.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mavlogd.local.publish.Hearing.NOW_NS;
import static org.mavlogd.local.publish.Hearing.UTC_NS;
import static org.mavlogd.local.publish.Hearing.winch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenSamples;

class PublishSourceTest {
    private static final String SAMPLE = "{\"topic\":\"winch\",\"fields\":{\"load_kg\":12.4,\"turns\":3}}";

    private final Hearing hearing = new Hearing(winch());

    private static String sampleWith(String member) {
        return SAMPLE.substring(0, SAMPLE.length() - 1) + "," + member + "}";
    }

    @Test
    void sampleOfADeclaredTopicIsPublishedWithTheTimeOfItsArrival() {
        assertThat(hearing.say(SAMPLE)).isEmpty();

        TakenSamples.Sample sample = hearing.sample();
        assertThat(sample.topic().format().text()).isEqualTo("winch:uint64_t timestamp;float load_kg;uint32_t turns;");
        assertThat(sample.unit("load_kg")).isEqualTo("kg");
        assertThat(sample.takenNs()).isEqualTo(NOW_NS);
        assertThat(sample.instance()).isZero();
        assertThat(sample.number("load_kg")).isEqualTo(12.4f);
        assertThat(sample.number("turns")).isEqualTo(3);
        assertThat(hearing.counted("local_samples_total")).isEqualTo(1);
        assertThat(hearing.counted("publish_lines_total")).isEqualTo(1);
        assertThat(hearing.counted("publish_bad_lines_total")).isZero();
    }

    /** Jackson keeps a line that was not read to its end, and then refuses every later line. */
    @Test
    void readsTheNextLineAfterAnErrorInTheMiddleOfALine() {
        PublishSource source = new PublishSource(
                new PublishSource.Settings(
                        "publish",
                        List.of(winch()),
                        true,
                        tag -> {
                            throw new IllegalStateException("test: no tags");
                        },
                        new org.mavlogd.local.TextLimiter.Limits(20, 50),
                        1,
                        1 << 16),
                new FormatClaims(),
                new LocalFeed("other", 1 << 16).publisher(),
                hearing.metrics,
                () -> UTC_NS,
                () -> NOW_NS);
        byte[] text = "{\"text\":\"hello\",\"tag\":\"crane\"}".getBytes(StandardCharsets.UTF_8);
        byte[] sample = SAMPLE.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> source.onBytes(hearing.program, text, 0, text.length, NOW_NS))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> source.onBytes(hearing.program, sample, 0, sample.length, NOW_NS))
                .as("Jackson's own state")
                .isInstanceOf(IllegalStateException.class);

        source.restart();
        long before = hearing.counted("local_samples_total");
        source.onBytes(hearing.program, sample, 0, sample.length, NOW_NS);

        assertThat(hearing.counted("local_samples_total")).isEqualTo(before + 1);
    }

    @Test
    void topicsOfTheConfigurationAreDeclaredBeforeAnySample() {
        assertThat(hearing.feed.topics())
                .singleElement()
                .satisfies(topic -> assertThat(topic.name()).isEqualTo("winch"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"time\":17999.5|-623456789",
                "\"time\":18001|876543211",
                "\"time_ns\":18000000000000|-123456789",
                "\"utc\":1789999999.5|-500000000",
                "\"utc\":1790000000|0"
            })
    void senderMayTellTheTime(String member, long sinceNowNs) {
        assertThat(hearing.say(sampleWith(member))).isEmpty();

        assertThat(hearing.sample().takenNs()).isEqualTo(NOW_NS + sinceNowNs);
    }

    /** The first line takes a tenth of a second, because classes are loaded for it. */
    @Test
    void aLineThatIsReadLateDoesNotShiftTheTimesOfSamples() {
        hearing.delayNs = TimeUnit.MILLISECONDS.toNanos(100);
        hearing.say(sampleWith("\"utc\":1790000000"));
        assertThat(hearing.sample().takenNs()).isEqualTo(NOW_NS);

        hearing.delayNs = 0;
        hearing.say(sampleWith("\"utc\":1790000000"));
        assertThat(hearing.sample().takenNs()).isEqualTo(NOW_NS);
    }

    @Test
    void onlySamplesWithTheirOwnTimesMayWaitInTheKernel() {
        hearing.say(sampleWith("\"time\":18000"));
        hearing.nowNs += TimeUnit.SECONDS.toNanos(10);

        hearing.say(sampleWith("\"time\":18009"));
        assertThat(hearing.source.isPatient()).isTrue();

        hearing.say(SAMPLE);
        assertThat(hearing.source.isPatient()).isFalse();

        hearing.nowNs += TimeUnit.SECONDS.toNanos(10) - 1;
        hearing.say(sampleWith("\"time\":18019"));
        assertThat(hearing.source.isPatient()).isFalse();

        hearing.nowNs++;
        hearing.say(sampleWith("\"time\":18019"));
        assertThat(hearing.source.isPatient()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":7}",
                "{\"topic\":\"winch\"",
                "{\"define\":\"boat\",\"fields\":{\"a\":\"float\"}}",
                "{\"text\":\"lens is dirty\"}",
                "{\"topic\":\"winch\",\"fields\":{\"load_kg\":12.4,\"turns\":3},\"time\":18009,\"id\":1}"
            })
    void whoeverWaitsForAnAnswerIsNotKeptWaiting(String line) {
        hearing.say(sampleWith("\"time\":18000"));
        hearing.nowNs += TimeUnit.SECONDS.toNanos(10);
        hearing.say(line);

        assertThat(hearing.source.isPatient()).isFalse();
    }

    @Test
    void anotherProgramIsAnsweredPromptlyToo() {
        hearing.say(sampleWith("\"time\":18000"));
        hearing.nowNs += TimeUnit.SECONDS.toNanos(10);
        hearing.source.onPeerUp(new Hearing.Program("/run/b.sock", true), hearing.nowNs);

        assertThat(hearing.source.isPatient()).isFalse();
    }

    @Test
    void clockThatIsSetIsFollowed() {
        hearing.say(sampleWith("\"utc\":1790000000"));
        hearing.nowNs += 2_000_000_000L;

        hearing.say(sampleWith("\"utc\":1790000001"));

        assertThat(hearing.taken.take().get(1).takenNs()).isEqualTo(NOW_NS + UTC_NS % 1000 + 1_000_000_000L);
    }

    @Test
    void keysMayComeInAnyOrder() {
        hearing.say("{\"instance\":255,\"fields\":{\"turns\":3,\"load_kg\":12.4},\"time_ns\":" + NOW_NS
                + ",\"topic\":\"winch\"}");

        TakenSamples.Sample sample = hearing.sample();
        assertThat(sample.instance()).isEqualTo(255);
        assertThat(sample.number("load_kg")).isEqualTo(12.4f);
        assertThat(sample.number("turns")).isEqualTo(3);
    }

    @Test
    void datagramHoldsSeveralLinesAndABadOneSparesTheOthers() {
        List<String> answers =
                hearing.say(SAMPLE + "\r\n\n{\"topic\":\"winch\"\n  " + SAMPLE + "  \nnonsense\n" + SAMPLE);

        assertThat(hearing.taken.take()).hasSize(3);
        assertThat(answers)
                .containsExactly(
                        "{\"error\":\"the line ends before the object does\",\"line\":3}",
                        "{\"error\":\"expected a JSON object, found \\\"nonsense\\\"\",\"line\":5}");
        assertThat(hearing.counted("publish_bad_lines_total")).isEqualTo(2);
        assertThat(hearing.counted("publish_lines_total")).isEqualTo(5);
    }

    @Test
    void formatIsInferredFromTheFirstSample() {
        hearing.say("{\"topic\":\"arm\",\"fields\":{\"angle\":3,\"ok\":true,\"state\":\"idle\",\"axes\":[1,2.5,null],"
                + "\"limits\":[true,false],\"rest\":null}}");
        hearing.say(
                "{\"topic\":\"arm\",\"fields\":{\"angle\":3.5,\"ok\":false,\"state\":\"h\u00f6her\",\"axes\":[4,5,6],"
                        + "\"limits\":[false,true],\"rest\":-1e3}}");

        List<TakenSamples.Sample> samples = hearing.taken.take();
        assertThat(samples).hasSize(2);
        assertThat(samples.get(0).topic().format().text())
                .isEqualTo("arm:uint64_t timestamp;double angle;bool ok;char[64] state;double[3] axes;bool[2] limits;"
                        + "double rest;");
        assertThat(samples.get(0).number("rest")).isNaN();
        assertThat(samples.get(0).list("axes").get(2).doubleValue()).isNaN();
        assertThat(samples.get(1).number("angle")).isEqualTo(3.5);
        assertThat(samples.get(1).text("state")).isEqualTo("h\u00f6her");
        assertThat(samples.get(1).list("limits")).map(Number::intValue).containsExactly(0, 1);
    }

    @Test
    void wholeNumberAfterAFractionAndNaNOfPythonAreTaken() {
        hearing.say("{\"topic\":\"a\",\"fields\":{\"x\":NaN,\"y\":-Infinity,\"z\":Infinity}}");
        hearing.say("{\"topic\":\"a\",\"fields\":{\"x\":1,\"y\":2,\"z\":3}}");

        List<TakenSamples.Sample> samples = hearing.taken.take();
        assertThat(samples.get(0).number("x")).isNaN();
        assertThat(samples.get(0).number("y")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(samples.get(1).number("z")).isEqualTo(3);
    }

    @Test
    void longTextMakesALongerFieldUpToALimit() {
        hearing.say("{\"topic\":\"a\",\"fields\":{\"x\":\"" + "y".repeat(65) + "\"}}");
        hearing.say("{\"topic\":\"b\",\"fields\":{\"x\":\"" + "y".repeat(1100) + "\"}}");

        assertThat(hearing.feed.topics().get(1).format().text()).contains("char[128] x");
        assertThat(hearing.feed.topics().get(2).format().text()).contains("char[1024] x");
        assertThat(hearing.counted("publish_cut_texts_total")).isEqualTo(1);
    }

    @Test
    void definitionIsAnsweredWithAHandleAndMayBeRepeated() {
        String define = "{\"define\":\"gripper\",\"fields\":{\"force\":\"float[2]\",\"name\":\"char[5]\"},"
                + "\"units\":{\"force\":\"N\"}}";

        List<String> first = hearing.say(define);
        List<String> second = hearing.say(define);

        assertThat(first)
                .containsExactly(
                        "{\"ok\":true,\"line\":1,\"define\":\"gripper\",\"handle\":3203334145,\"bytes\":13}"); // 0xBEEF0001
        assertThat(second).isEqualTo(first);
        hearing.say("{\"topic\":\"gripper\",\"fields\":{\"force\":[1,2],\"name\":\"gr\u00fcn!!\"}}");
        TakenSamples.Sample sample = hearing.sample();
        assertThat(sample.unit("force")).isEqualTo("N");
        assertThat(sample.text("name")).isEqualTo("gr\u00fcn");
        assertThat(hearing.counted("publish_cut_texts_total")).isEqualTo(1);
    }

    @Test
    void textsBeyondTheLimitOfTheirTagAreAnsweredCountedAndTold() {
        for (int i = 0; i < Hearing.TEXT_BURST + 7; i++) {
            hearing.say("{\"text\":\"t\",\"tag\":3}");
        }
        hearing.say("{\"text\":\"another tag\",\"tag\":4}");
        hearing.nowNs += 2_000_000_000L;
        hearing.source.onTick(hearing.nowNs);
        hearing.taken.take();

        assertThat(hearing.program.answers)
                .hasSize(7)
                .allMatch(answer -> answer.contains("tag 3 has more than 20 messages a second; left out"));
        assertThat(hearing.taken.texts())
                .extracting(text -> text.tag() + " " + text.text())
                .hasSize(Hearing.TEXT_BURST + 2)
                .contains("4 another tag", "3 7 messages of publish left out; the limit is 20 a second");
    }

    @Test
    void textIsPublishedWithLevelAndTag() {
        hearing.say("""
                {"text":"lens dirty \u20ac","level":"warning","tag":"camera_handler"}
                {"text":"plain"}
                {"text":"numbers","level":7,"tag":65535,"utc":1789999999}
                {"text":"syslog's","level":"CRIT","tag":"ulg"}
                {"text":"a\\u0000b\\ud800"}
                """);
        hearing.taken.take();

        assertThat(hearing.program.answers).isEmpty();
        assertThat(hearing.taken.texts())
                .containsExactly(
                        new TakenSamples.Text(4, 3, NOW_NS, "lens dirty \u20ac"),
                        new TakenSamples.Text(6, 0, NOW_NS, "plain"),
                        new TakenSamples.Text(7, 65535, NOW_NS - 1_000_000_000L, "numbers"),
                        new TakenSamples.Text(2, 9, NOW_NS, "syslog's"),
                        new TakenSamples.Text(6, 0, NOW_NS, "a\0b?"));
        assertThat(hearing.counted("publish_texts_total")).isEqualTo(5);
    }

    @Test
    void longTextIsCutAndCounted() {
        hearing.say("{\"text\":\"" + "\u20ac".repeat(400) + "\"}");
        hearing.taken.take();

        assertThat(hearing.taken.texts().get(0).text()).isEqualTo("\u20ac".repeat(341));
        assertThat(hearing.counted("publish_cut_texts_total")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiterString = " => ",
            value = {
                "[1] => expected a JSON object, found \"[1]\"",
                "7 => expected a JSON object, found \"7\"",
                "{} => a line has one of \"topic\", \"text\" and \"define\", found none",
                "{\"topic\":\"winch\",\"text\":\"x\"} => a line has one of \"topic\", \"text\" and \"define\", found several",
                "{\"topic\":\"winch\"} => \"fields\" is missing",
                "{\"topic\":7,\"fields\":{}} => \"topic\": expected a string, found the number 7",
                "{\"topic\":\"winch\",\"fields\":[1]} => \"fields\": expected an object, found an array",
                "{\"topic\":\"winch\",\"fields\":{}} => topic \"winch\": missing load_kg, turns",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1}} => topic \"winch\": missing load_kg",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1,\"x\":{\"y\":[1]}}} => topic \"winch\" has no field "
                        + "\"x\", it has: load_kg, turns",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"turns\":2,\"load_kg\":1}} => field \"turns\" is listed twice",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"topic\":\"crane\"} => \"topic\" is listed twice",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"fields\":{\"turns\":2,\"load_kg\":2}} => "
                        + "\"fields\" is listed twice",
                "{\"text\":\"one\",\"text\":{\"a\":\"two\"}} => \"text\" is listed twice",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":-1,\"load_kg\":1}} => topic \"winch\", field \"turns\" (uint32_t): "
                        + "expected a whole number from 0 to 4294967295, found -1",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":4294967296,\"load_kg\":1}} => topic \"winch\", field \"turns\" "
                        + "(uint32_t): expected a whole number from 0 to 4294967295, found 4294967296",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1.5,\"load_kg\":1}} => topic \"winch\", field \"turns\" (uint32_t): "
                        + "expected a whole number, found 1.5",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1e30,\"load_kg\":1}} => topic \"winch\", field \"turns\" (uint32_t): "
                        + "expected a whole number, found 1e30",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":NaN,\"load_kg\":1}} => topic \"winch\", field \"turns\" (uint32_t): "
                        + "expected a whole number, found NaN",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":99999999999999999999,\"load_kg\":1}} => topic \"winch\", field "
                        + "\"turns\" (uint32_t): expected a whole number from 0 to 4294967295, found 99999999999999999999",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":null,\"load_kg\":1}} => topic \"winch\", field \"turns\" (uint32_t): "
                        + "expected a whole number, found null",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":\"heavy\"}} => topic \"winch\", field \"load_kg\" "
                        + "(float): expected a number or null, found the string \"heavy\"",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":[1]}} => topic \"winch\", field \"load_kg\" "
                        + "(float): expected a number or null, found an array",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":true}} => topic \"winch\", field \"load_kg\" "
                        + "(float): expected a number or null, found true",
                "{\"topic\":\"winch\",\"filds\":{}} => unknown key \"filds\", allowed: topic, fields, time, time_ns, utc, "
                        + "instance, text, level, tag, define, units, id",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"instance\":256} => \"instance\": expected a whole "
                        + "number from 0 to 255, found the number 256",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"level\":1} => level cannot be combined with topic, allowed: "
                        + "topic, fields, time, time_ns, utc, instance, id",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"time\":1,\"utc\":1} => \"time\" is 17999.123 s "
                        + "before now; allowed: up to 60 s before and 1 s after, as seconds of CLOCK_MONOTONIC",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"time\":1e300} => \"time\" cannot be a time; allowed: "
                        + "up to 60 s before and 1 s after, as seconds of CLOCK_MONOTONIC",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"utc\":1790000002} => \"utc\" is 2.000 s after now; "
                        + "allowed: up to 60 s before and 1 s after, as seconds since 1970",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"time\":\"now\"} => \"time\": expected a number, found "
                        + "the string \"now\"",
                "{\"topic\":\"winch\",\"fields\":{\"turns\":1,\"load_kg\":1},\"utc\":1790000000,\"time\":18000} => more than one "
                        + "time; allowed: one of time, time_ns and utc",
                "{\"topic\":\"a b\",\"fields\":{\"x\":1}} => topic \"a b\": the name may hold letters, digits and \"_\" only, "
                        + "and begins with a letter",
                "{\"topic\":\"nmea_x\",\"fields\":{\"x\":1}} => topic \"nmea_x\": names that begin with nmea_ are mavlogd's own",
                "{\"topic\":\"a\",\"fields\":{}} => topic \"a\": it has no field but the timestamp",
                "{\"topic\":\"a\",\"fields\":{\"timestamp\":1}} => field \"timestamp\" is there already: mavlogd fills it in from "
                        + "the sample's time",
                "{\"topic\":\"a\",\"fields\":{\"x\":{\"y\":1}}} => field \"x\" is an object; allowed: numbers, true, false, null, "
                        + "strings, and arrays of numbers or of true and false",
                "{\"topic\":\"a\",\"fields\":{\"x\":[1,true]}} => field \"x\" is an array that has no type; allowed: numbers "
                        + "only, or true and false only, one at least",
                "{\"topic\":\"a\",\"fields\":{\"x\":[]}} => field \"x\" is an array that has no type; allowed: numbers only, or "
                        + "true and false only, one at least",
                "{\"define\":\"winch\",\"fields\":{\"x\":\"float\"}} => topic \"winch\" has the format winch:uint64_t timestamp;"
                        + "float load_kg;uint32_t turns; until mavlogd ends; found winch:uint64_t timestamp;float x;",
                "{\"define\":\"winch\",\"fields\":{\"load_kg\":\"float\",\"turns\":\"uint32_t\"}} => topic \"winch\" has the "
                        + "format winch:uint64_t timestamp;float load_kg;uint32_t turns; and other units until mavlogd ends; "
                        + "found winch:uint64_t timestamp;float load_kg;uint32_t turns;",
                "{\"define\":\"a\",\"fields\":{\"x\":\"int\"}} => field \"x\": type \"int\", allowed: int8_t, uint8_t, int16_t, "
                        + "uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double, bool, char, and arrays such as float[3]",
                "{\"define\":\"a\",\"fields\":{\"x\":4}} => field \"x\": expected a string, found the number 4",
                "{\"define\":\"a\",\"fields\":{\"x\":\"float[0]\"}} => topic \"a\": field \"x\" is an array of no length",
                "{\"define\":\"a\",\"fields\":{\"x\":\"float[1024]\"}} => topic \"a\": a sample has 4104 bytes, allowed: 4096",
                "{\"define\":\"a\",\"fields\":{\"x\":\"float\"},\"units\":{\"y\":\"m\"}} => a unit of field \"y\", which is not there",
                "{\"define\":\"a\",\"fields\":{\"x\":\"float\"},\"units\":7} => \"units\": expected an object",
                "{\"define\":\"a\",\"fields\":{\"x\":\"float\"},\"time\":18000} => time cannot be combined with define, allowed: fields, "
                        + "define, units, id",
                "{\"text\":\"\"} => the text is empty",
                "{\"text\":7} => \"text\": expected a string, found the number 7",
                "{\"text\":\"x\",\"level\":\"loud\"} => \"level\" is \"loud\", allowed: emergency, alert, critical, error, warning, "
                        + "notice, info, debug, or 0 (emergency) to 7 (debug)",
                "{\"text\":\"x\",\"level\":8} => \"level\": expected a whole number from 0 to 7, found the number 8",
                "{\"text\":\"x\",\"tag\":\"nobody\"} => \"tag\" is \"nobody\", allowed: a number from 0 to 65535, or a name that "
                        + "[tags] of the configuration has",
                "{\"text\":\"x\",\"tag\":65536} => \"tag\": expected a whole number from 0 to 65535, found the number 65536",
                "{\"text\":\"x\"} {} => expected one JSON object in a line, found \"{}\" after it",
                "{\"text\":\"x\"}5 => expected one JSON object in a line, found \"5\" after it",
                "{\"text\":\"x\",\"id\":-1} => \"id\": expected a whole number from 0 to 9223372036854775807, found the number -1"
            })
    void mistakeIsAnsweredWithPlaceValueAndWhatIsAllowed(String line, String error) {
        List<String> answers = hearing.say("\n" + line + "\n" + SAMPLE);

        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(org.mavlogd.app.JsonTree.read(answer))
                    .containsEntry("error", error)
                    .containsEntry("line", 2L);
        });
        assertThat(hearing.sample().topic().name()).isEqualTo("winch");
        assertThat(hearing.taken.texts()).isEmpty();
        assertThat(hearing.feed.topics()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "}",
                "{\"",
                "{\"topic",
                "{\"topic\":",
                "{\"topic\":\"winch",
                "{\"topic\":\"winch\",",
                "nul",
                "\u0001",
                "{'a':1}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"text\":\"\\x\"}",
                "{\"text\":\"a\tb\"}",
                "{\"a\":[[[[[[[[[[1]]]]]]]]]]}",
                "// no",
                "\ufeff{}",
                "{\"text\":\"\\ud8\"}"
            })
    void whatIsNoJsonIsAnsweredAndForgotten(String line) {
        List<String> answers = hearing.say(line);

        assertThat(answers).singleElement().asString().startsWith("{\"error\":").endsWith("\"line\":1}");
        assertThat(hearing.counted("publish_bad_lines_total")).isEqualTo(1);
        assertThat(hearing.say(SAMPLE)).isEmpty();
        hearing.sample();
    }

    @Test
    void brokenUtf8IsAnsweredAndForgotten() {
        byte[] bytes = "{\"text\":\"xxx\"}".getBytes(StandardCharsets.US_ASCII);
        bytes[10] = (byte) 0xFF;

        assertThat(hearing.say(hearing.program, bytes))
                .singleElement()
                .asString()
                .contains("not JSON");
        assertThat(hearing.say(SAMPLE)).isEmpty();
    }

    @Test
    void idAsksForAnAnswerAndStandsInIt() {
        assertThat(hearing.say(sampleWith("\"id\":42"))).containsExactly("{\"ok\":true,\"line\":1,\"id\":42}");
        assertThat(hearing.say("{\"id\":43,\"text\":\"\"}"))
                .containsExactly("{\"error\":\"the text is empty\",\"line\":1,\"id\":43}");
        assertThat(hearing.say("{\"id\":44,\"text\":\"x\"}")).containsExactly("{\"ok\":true,\"line\":1,\"id\":44}");
        assertThat(hearing.say("{\"id\":45}")).containsExactly("{\"ok\":true,\"line\":1,\"id\":45}");
        assertThat(hearing.say("{\"text\":\"\"}")).containsExactly("{\"error\":\"the text is empty\",\"line\":1}");
    }

    @Test
    void askedForAnswerSaysThatNoLogHasTheSample() {
        hearing.taken.lose("no log is being written");

        assertThat(hearing.say(sampleWith("\"id\":42")))
                .containsExactly(
                        "{\"error\":\"topic \\\"winch\\\" is not recorded: no log is being written\",\"line\":1,"
                                + "\"id\":42,\"recorded\":false}");
        assertThat(hearing.say("{\"text\":\"x\",\"id\":43}"))
                .containsExactly(
                        "{\"error\":\"the text is not recorded: no log is being written\",\"line\":1,\"id\":43,"
                                + "\"recorded\":false}");
        assertThat(hearing.counted("publish_not_recorded_total")).isEqualTo(2);
        hearing.taken.lose("");
        assertThat(hearing.say(sampleWith("\"id\":44"))).containsExactly("{\"ok\":true,\"line\":1,\"id\":44}");
    }

    @Test
    void questionIsAnsweredForAllLinesBeforeIt() {
        hearing.taken.lose("no log is being written");

        assertThat(hearing.say(SAMPLE + "\n" + SAMPLE + "\n{\"text\":\"x\"}\n{\"id\":7}"))
                .containsExactly(
                        "{\"error\":\"topic \\\"winch\\\" is not recorded: no log is being written\",\"line\":1,"
                                + "\"recorded\":false}",
                        "{\"error\":\"the text is not recorded: no log is being written\",\"line\":3,\"recorded\":false}",
                        "{\"ok\":true,\"line\":4,\"id\":7}");
    }

    @Test
    void whileTheRecorderTakesNothingTheAnswerComesAfterHalfASecondAndSaysSo() {
        hearing.isRecorderBusy = true;

        assertThat(hearing.say(sampleWith("\"id\":1"))).isEmpty();
        assertThat(hearing.source.wantsTickSoon()).isTrue();
        hearing.source.onTick(hearing.nowNs + PendingAnswers.PATIENCE_NS - 1);
        assertThat(hearing.program.answers).isEmpty();
        hearing.source.onTick(hearing.nowNs + PendingAnswers.PATIENCE_NS);

        assertThat(hearing.program.answers).containsExactly("{\"ok\":true,\"line\":1,\"id\":1,\"waiting\":true}");
        assertThat(hearing.source.wantsTickSoon()).isFalse();
    }

    @Test
    void questionsThatWaitAreBoundedAndThoseOfASenderThatIsGoneAreForgotten() {
        hearing.isRecorderBusy = true;
        for (int i = 0; i < PendingAnswers.MAX_QUESTIONS + 5; i++) {
            hearing.say("{\"id\":" + i + '}');
        }
        assertThat(hearing.program.answers).as("nothing was published").hasSize(Answers.Sender.BURST);
        hearing.nowNs += 10_000_000_000L;
        int before = hearing.program.answers.size();
        for (int i = 0; i < PendingAnswers.MAX_QUESTIONS + 5; i++) {
            hearing.say(sampleWith("\"id\":" + i));
        }
        assertThat(hearing.program.answers).hasSize(before + 5);

        hearing.source.onPeerDown(hearing.program, hearing.nowNs);

        assertThat(hearing.source.wantsTickSoon()).isFalse();
    }

    @Test
    void programThatDoesNotAskIsToldOfALossOnceAndAgainAfterTenSeconds() {
        hearing.taken.lose("no log is being written");
        for (int i = 0; i < 100; i++) {
            hearing.say(SAMPLE);
            hearing.taken.take();
            hearing.nowNs += 110_000_000;
        }
        assertThat(hearing.program.answers)
                .hasSize(2)
                .allMatch(answer -> answer.equals(
                        "{\"error\":\"topic \\\"winch\\\" is not recorded: no log is being written\",\"line\":1,"
                                + "\"recorded\":false}"));
        hearing.taken.lose("");
        hearing.say(SAMPLE);
        hearing.taken.take();
        hearing.nowNs += 20_000_000_000L;

        assertThat(hearing.say(SAMPLE)).isEmpty();
    }

    @Test
    void questionBehindALineForWhichThereWasNoRoomIsAnsweredSo() {
        for (int i = 0; i < 3000; i++) {
            hearing.say(SAMPLE);
        }

        assertThat(hearing.say(SAMPLE + "\n{\"id\":1}"))
                .containsExactly(
                        "{\"error\":\"lost: the ring is full, because more is published than can be recorded\",\"line\":1}",
                        "{\"ok\":true,\"line\":2,\"id\":1}");
    }

    @Test
    void programThatCannotHearIsNotAnswered() {
        Hearing.Program deaf = new Hearing.Program("nameless sender", false);

        hearing.say(deaf, "nonsense".getBytes(StandardCharsets.US_ASCII));
        hearing.say(deaf, sampleWith("\"id\":1").getBytes(StandardCharsets.US_ASCII));

        assertThat(hearing.counted("publish_bad_lines_total")).isEqualTo(1);
        assertThat(hearing.counted("publish_unanswered_total")).isZero();
        hearing.sample();
    }

    @Test
    void answersToOneProgramAreBoundedAndOthersAreAnsweredAllTheSame() {
        for (int i = 0; i < 1000; i++) {
            hearing.say("nonsense");
        }

        assertThat(hearing.program.answers).hasSize(Answers.Sender.BURST);
        assertThat(hearing.counted("publish_unanswered_total")).isEqualTo(1000 - Answers.Sender.BURST);
        Hearing.Program other = new Hearing.Program("b", true);
        assertThat(hearing.say(other, "nonsense".getBytes(StandardCharsets.US_ASCII)))
                .hasSize(1);
        hearing.nowNs += 50_000_000;
        for (int i = 0; i < 100; i++) {
            hearing.say("nonsense");
        }
        assertThat(hearing.program.answers).hasSize(Answers.Sender.BURST + 10);
        hearing.source.onPeerDown(hearing.program, hearing.nowNs);
        assertThat(hearing.say("nonsense")).hasSize(1);
    }

    @Test
    void fullRingLosesSamplesAndTextsOfThisSourceAndCountsThem() {
        for (int i = 0; i < 3000; i++) {
            hearing.say(SAMPLE);
        }

        int taken = hearing.taken.take().size();
        assertThat(taken).isBetween(1000, 2999);
        assertThat(hearing.counted("local_samples_total")).isEqualTo(taken);
        assertThat(hearing.counted("local_lost_samples_total")).isEqualTo(3000 - taken);
        for (int i = 0; i < 3000; i++) {
            hearing.say(SAMPLE);
        }
        hearing.isRecorderBusy = true;
        assertThat(hearing.say("{\"text\":\"" + "x".repeat(500) + "\",\"id\":1}"))
                .singleElement()
                .asString()
                .contains("lost: the ring is full");
        assertThat(hearing.counted("publish_lost_texts_total")).isEqualTo(1);
    }

    @Test
    void thereAreNoMoreTopicsThanAFeedTakes() {
        for (int i = 1; i < LocalFeed.MAX_TOPICS; i++) {
            hearing.say("{\"topic\":\"t" + i + "\",\"fields\":{\"x\":1}}");
        }
        assertThat(hearing.program.answers).isEmpty();

        assertThat(hearing.say("{\"topic\":\"more\",\"fields\":{\"x\":1}}"))
                .containsExactly(
                        "{\"error\":\"topic \\\"more\\\": there are 1024 topics already, and no room for more\",\"line\":1}");
        hearing.taken.take();
        hearing.say("{\"topic\":\"t1000\",\"fields\":{\"x\":1}}");
        assertThat(hearing.sample().topic().name()).isEqualTo("t1000");
    }

    @Test
    void fieldsAreBounded() {
        String fields = IntStream.rangeClosed(0, TopicDefinition.MAX_FIELDS)
                .mapToObj(i -> "\"f" + i + "\":1")
                .collect(Collectors.joining(","));

        assertThat(hearing.say("{\"topic\":\"a\",\"fields\":{" + fields + "}}"))
                .containsExactly("{\"error\":\"more than 256 fields\",\"line\":1}");
        String longNames = IntStream.range(0, 200)
                .mapToObj(i -> "\"" + "f".repeat(100) + i + "\":1")
                .collect(Collectors.joining(","));
        assertThat(hearing.say("{\"topic\":\"a\",\"fields\":{" + longNames + "}}"))
                .singleElement()
                .asString()
                .contains("all names and types together have", "allowed: 16384");
    }

    @Test
    void withoutInferenceAnUnknownTopicIsRefused() {
        Hearing strict = new Hearing(new FormatClaims(), false, 1 << 16, winch());

        assertThat(strict.say("{\"topic\":\"arm\",\"fields\":{\"x\":1}}"))
                .containsExactly(
                        "{\"error\":\"topic \\\"arm\\\" is not known: declare it by [[topic]] in the configuration, or send a "
                                + "\\\"define\\\" line first\",\"line\":1}");
        strict.say("{\"define\":\"arm\",\"fields\":{\"x\":\"int8_t\"}}");
        strict.say("{\"topic\":\"arm\",\"fields\":{\"x\":-128}}");
        assertThat(strict.sample().number("x")).isEqualTo(-128);
    }

    @Test
    void twoSocketsAgreeOnTheFormatOfATopic() {
        FormatClaims claims = new FormatClaims();
        Hearing first = new Hearing(claims, true, 1 << 16);
        Hearing second = new Hearing(claims, true, 1 << 16);
        first.say("{\"define\":\"arm\",\"fields\":{\"x\":\"float\"}}");

        second.say("{\"topic\":\"arm\",\"fields\":{\"x\":1}}");

        assertThat(second.sample().topic().format().text()).isEqualTo("arm:uint64_t timestamp;float x;");
        assertThat(second.say("{\"define\":\"arm\",\"fields\":{\"x\":\"double\"}}"))
                .singleElement()
                .asString()
                .contains("has the format arm:uint64_t timestamp;float x;");
    }

    @Test
    void datagramThatCameCutIsTold() {
        StringBuilder text = new StringBuilder();
        while (text.length() < 65_536) {
            text.append(SAMPLE).append('\n');
        }

        List<String> answers = hearing.say(text.substring(0, 65_536));

        assertThat(answers.get(answers.size() - 1))
                .isEqualTo("{\"error\":\"the datagram was cut; it must have less than 65536 bytes\"}");
        assertThat(answers).hasSize(2);
    }

    @Test
    void everyTypeHoldsItsLimits() {
        hearing.say(
                "{\"define\":\"t\",\"fields\":{\"a\":\"int8_t\",\"b\":\"uint8_t\",\"c\":\"int16_t\",\"d\":\"uint16_t\","
                        + "\"e\":\"int32_t\",\"f\":\"uint32_t\",\"g\":\"int64_t\",\"h\":\"uint64_t\",\"i\":\"char\",\"j\":\"bool\"}}");
        hearing.say("{\"topic\":\"t\",\"fields\":{\"a\":-128,\"b\":0,\"c\":-32768,\"d\":0,\"e\":-2147483648,\"f\":0,"
                + "\"g\":-9223372036854775808,\"h\":0,\"i\":\"x\",\"j\":true}}");
        hearing.say(
                "{\"topic\":\"t\",\"fields\":{\"a\":127,\"b\":255,\"c\":32767,\"d\":65535,\"e\":2147483647,\"f\":4294967295,"
                        + "\"g\":9223372036854775807,\"h\":18446744073709551615,\"i\":\"yz\",\"j\":false}}");

        List<TakenSamples.Sample> samples = hearing.taken.take();
        assertThat(samples.get(0).values().values().toString())
                .isEqualTo("[-128, 0, -32768, 0, -2147483648, 0, -9223372036854775808, 0, 120, 1]");
        assertThat(samples.get(1).values().values().toString())
                .isEqualTo("[127, 255, 32767, 65535, 2147483647, 4294967295, 9223372036854775807, -1, 121, 0]");
        for (String value : new String[] {"128", "-129", "1e2.", "3.5"}) {
            assertThat(hearing.say("{\"topic\":\"t\",\"fields\":{\"a\":" + value + "}}"))
                    .hasSize(1);
        }
    }
}
