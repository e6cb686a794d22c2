package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema for editors matches the table of keys; checked with an independent validator. */
class ConfigSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CONFIGS = Path.of("..", "config");

    private final JsonSchema schema =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(ConfigSchema.json());

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private Set<ValidationMessage> problems(String toml) throws IOException {
        var parsed = ConfigFile.parse(toml);
        assertThat(parsed.errors()).isEmpty();
        return schema.validate(JSON.readTree(parsed.toJson()));
    }

    @Test
    void hasEveryKeyWithItsDefaultAndPurpose() throws Exception {
        JsonNode sections = JSON.readTree(ConfigSchema.json()).get("properties");

        assertThat(names(sections))
                .containsExactlyInAnyOrderElementsOf(
                        Settings.SECTIONS.stream().map(Section::name).toList());
        for (Section section : Settings.SECTIONS) {
            JsonNode node = sections.get(section.name());
            boolean isList = section.shape() == Section.Shape.LIST;
            assertThat(node.get("type").asText()).isEqualTo(isList ? "array" : "object");
            JsonNode table = isList ? node.get("items") : node;
            assertThat(table.get("additionalProperties").asBoolean(true)).isFalse();
            JsonNode keys = table.get("properties");
            assertThat(names(keys)).containsExactlyInAnyOrderElementsOf(section.keyNames());
            for (Key<?> key : section.keys()) {
                JsonNode found = keys.get(key.name());
                assertThat(found.get("description").asText())
                        .contains(key.why())
                        .contains(key.type().allowed());
                assertThat(found.has("default"))
                        .as(key.name())
                        .isEqualTo(key.defaultToml().isPresent());
            }
        }
    }

    /** The schema accepts every default that the table has. */
    @Test
    void takesEveryDefault() throws Exception {
        int defaults = 0;
        for (Section section : Settings.SECTIONS) {
            for (Key<?> key : section.keys()) {
                if (key.defaultToml().isPresent()) {
                    defaults++;
                    String toml = section.header() + "\n" + key.name() + " = "
                            + key.defaultToml().get() + "\n";
                    assertThat(problems(toml)).as(toml).isEmpty();
                }
            }
        }
        assertThat(defaults).isGreaterThan(60);
    }

    /** For each integer: its limits and the values next to them. */
    @Test
    void rangesAreThoseOfTheTable() throws Exception {
        int numbers = 0;
        for (Section section : Settings.SECTIONS) {
            for (Key<?> key : section.keys()) {
                Map<String, Object> type = key.type().schema();
                if (type.get("minimum") instanceof Integer min && type.get("maximum") instanceof Integer max) {
                    numbers++;
                    for (long value : List.of(min - 1L, (long) min, (long) max, max + 1L)) {
                        String toml = section.header() + "\n" + key.name() + " = " + value + "\n";
                        assertThat(problems(toml).isEmpty()).as(toml).isEqualTo(isRead(key, value));
                    }
                }
            }
        }
        assertThat(numbers).isGreaterThan(20);
    }

    private static boolean isRead(Key<?> key, Object value) {
        try {
            key.type().read(value);
            return true;
        } catch (ValueType.BadValueException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mavlogd.toml", "installed.toml", "demo.toml"})
    void takesTheShippedConfigurations(String file) throws Exception {
        String text = Files.readString(CONFIGS.resolve(file));

        assertThat(problems(text)).isEmpty();
        String all = text.lines()
                .map(line -> line.matches("#([a-z_]+ = .+|\\[+[a-z]+]+)") ? line.substring(1) : line)
                .reduce("", (before, line) -> before + line + "\n");
        assertThat(problems(all)).as("with every comment mark taken away").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "[log]\\nmod = 'always' | mod",
                "[logs]\\nmode = 'always' | logs",
                "[log]\\nmode = 'sometimes' | mode",
                "[log]\\nmode = 1 | mode",
                "[log]\\nrotate_mib = '5' | rotate_mib",
                "[log]\\nardupilot_files = ['tlog'] | ardupilot_files",
                "[recorder]\\nring_mib = 3 | ring_mib",
                "[[link]]\\nname = 'a b' | name",
                "[link]\\nname = 'a' | link",
                "[[link]]\\nbaud = 1199 | baud",
                "[publish]\\nmode = '999' | mode",
                "[messages]\\nlimits = [{ message = 'A' }] | limits",
                "[tags]\\nids = { winch = 65536 } | ids"
            })
    void findsMistakes(String toml, String key) throws Exception {
        assertThat(problems(toml.replace("\\n", "\n")))
                .isNotEmpty()
                .allMatch(problem -> problem.getMessage().contains(key));
    }
}
