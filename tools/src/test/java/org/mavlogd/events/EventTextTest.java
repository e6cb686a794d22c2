package org.mavlogd.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of events: templates filled with arguments like PX4's libevents fills them. */
class EventTextTest {
    private static final String ENUMS = """
            "enums": {
              "color_t": {"type": "int8_t", "entries": {
                "-1": {"name": "none", "description": "no color"}, "2": {"name": "red", "description": "red"}}},
              "flags_t": {"type": "uint16_t", "is_bitfield": true, "entries": {
                "1": {"name": "a", "description": "first"}, "32768": {"name": "b", "description": "last"}}}}""";

    private static final String ARGUMENTS = """
            [{"name": "a", "type": "float"}, {"name": "b", "type": "int8_t"}, {"name": "c", "type": "color_t"},
             {"name": "d", "type": "px4::flags_t"}, {"name": "e", "type": "uint64_t"}]""";

    private static byte[] arguments(float a, int b, int c, int d, long e) {
        return ByteBuffer.allocate(25)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(a)
                .put((byte) b)
                .put((byte) c)
                .putShort((short) d)
                .putLong(e)
                .array();
    }

    private static EventDefinitions inObjects(String message) throws IOException {
        return read("{\"version\": 2, \"components\": {\"1\": {\"namespace\": \"px4\", " + ENUMS
                + ", \"event_groups\": {\"default\": {\"events\": {\"7\": {\"name\": \"x\", \"message\": \"" + message
                + "\", \"arguments\": " + ARGUMENTS + "}}}}}}}");
    }

    private static EventDefinitions read(String json) throws IOException {
        return EventDefinitions.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(String template, byte[] arguments) throws IOException {
        return EventText.of(
                inObjects(template.replace("\\", "\\\\").replace("\"", "\\\""))
                        .event(0x0100_0007L)
                        .orElseThrow(),
                arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "plain; plain",
                "{1}; 2.34568",
                "{1:.1}; 2.3",
                "{1:.2m}; 2.35 m",
                "at {1:.0m_v} above; at 2 m above",
                "{2}%; -3%",
                "{2:m/s}; -3 m/s",
                "{3} is set; red is set",
                "[{4}]; [first|last]",
                "{5}; 18446744073709551615",
                "{6}; {6}",
                "{0} {x} {1; {0} {x} {1",
                "\\{1} \\<b>; {1} <b>",
                "set <param>MPC_X</param>; set MPC_X",
                "see <a href=\"http://x\">docs</a>; see docs",
                "a<profile name=\"dev\"> b {2}</profile>; a b -3",
                "a<profile name=\"!dev\"> b</profile>; a",
                "a<profile name=\"normal\"> b</profile>; a",
                "a<unknown>b</unknown>c; ac",
                "a<b c; a<b c",
                "a<b>c; a<b>c"
            })
    void fillsATemplate(String template, String expected) throws IOException {
        assertThat(text(template, arguments(2.345678f, -3, 2, 0x8001, -1))).isEqualTo(expected);
    }

    @Test
    void valuesWithoutAName() throws IOException {
        byte[] unknown = arguments(Float.NaN, 0, 5, 0x0003, 0);

        assertThat(text("{1} {3} {4}", unknown)).isEqualTo("nan (unknown: 5) first|(unknown: 2)");
        assertThat(text("{3}[{4}]", arguments(0, 0, -1, 0, 0))).isEqualTo("no color[]");
        assertThat(text("{1:.99999999999}{1:.999}", arguments(1, 0, 0, 0, 0)))
                .isEqualTo(("1." + "0".repeat(20)).repeat(2));
    }

    @Test
    void argumentsThatAreNotThereStayAsTheyAre() throws IOException {
        assertThat(text("{1:.1} {5}", new byte[] {0, 0, 0, 0, 0})).isEqualTo("0.0 {5}");
        assertThat(text("{1}", new byte[0])).isEqualTo("{1}");
    }

    @Test
    void readsListsAsWellAsObjects() throws IOException {
        EventDefinitions lists = read("""
                {"version": 1, "components": [{"component_id": 2, "namespace": "cam",
                  "enums": [{"name": "e_t", "type": "uint8_t", "entries": [{"value": 3, "name": "on", "description": "On"}]}],
                  "event_groups": [{"name": "default", "events": [
                    {"sub_id": 9, "name": "x", "message": "Camera {1}", "arguments": [{"name": "a", "type": "e_t"}]},
                    {"sub_id": 10, "name": "y", "message": "bad", "arguments": [{"name": "a", "type": "nothing_t"}]}]}]}]}""");

        assertThat(EventText.of(lists.event(0x0200_0009L).orElseThrow(), new byte[] {3}))
                .isEqualTo("Camera On");
        assertThat(lists.event(0x0200_000AL)).isEmpty();
    }

    @Test
    void anyTemplateEnds() throws IOException {
        String parts = "{}<>\\/:.1239ab \"=profile";
        for (long seed = 1; seed <= 2000; seed++) {
            Random random = new Random(seed);
            StringBuilder template = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--) {
                template.append(random.nextInt(6) == 0 ? "<profile>" : parts.charAt(random.nextInt(parts.length())));
                template.append(random.nextInt(8) == 0 ? "</profile>" : "");
            }

            String text = text(template.toString(), arguments(1, 2, 3, 4, 5));

            assertThat(text.length()).as("seed " + seed).isLessThan(5000);
        }
    }
}
