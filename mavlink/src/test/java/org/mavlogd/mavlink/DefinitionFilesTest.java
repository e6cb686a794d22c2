package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.generator.LibraryMessages;
import org.mavlogd.ulog.FieldType;

final class DefinitionFilesTest {
    private static final String FLOAT = "<field type='float' name='load'/>";

    @TempDir
    private Path directory;

    @Test
    void readsAMessageAsItLiesOnTheWire() throws DefinitionException {
        List<MessageLayout> messages = read("""
                <?xml version="1.0"?>
                <mavlink>
                  <include>common.xml</include>
                  <enums><enum name="X"><entry value="1" name="Y"><description>a &amp; b</description></entry></enum></enums>
                  <messages>
                    <message id="42000" name="WINCH">
                      <description>A winch. <b>No</b> field: <field_of_view/></description>
                      <field type="uint8_t" name="id" instance="true">number</field>
                      <field type="char[10]" name="label"></field>
                      <field type="uint16_t[3]" name="turns" units="cm"/>
                      <field type="double" name="load" units="kg"/>
                      <extensions/>
                      <field type="uint8_t_mavlink_version" name="version"/>
                      <field type="int64_t" name="serial"/>
                    </message>
                  </messages>
                </mavlink>
                """);

        assertThat(messages).hasSize(1);
        MessageLayout winch = messages.get(0);
        assertThat(winch.id()).isEqualTo(42_000);
        assertThat(winch.fields())
                .containsExactly(
                        new MessageLayout.Field(FieldType.DOUBLE, 0, "load", false, false, "kg"),
                        new MessageLayout.Field(FieldType.UINT16, 3, "turns", false, false, "cm"),
                        new MessageLayout.Field(FieldType.UINT8, 0, "id", false, true, ""),
                        new MessageLayout.Field(FieldType.CHAR, 10, "label", false, false, ""),
                        new MessageLayout.Field(FieldType.UINT8, 0, "version", true, false, ""),
                        new MessageLayout.Field(FieldType.INT64, 0, "serial", true, false, ""));
        assertThat(winch.coreLength()).isEqualTo(25);
        assertThat(winch.fullLength()).isEqualTo(34);
    }

    /** The checksums with which the library was generated are independent of our code. */
    @Test
    void computesTheChecksumsOfAllMessagesOfMavlink() throws IOException, DefinitionException {
        StandardDefinitions.unpack(directory);
        List<MessageLayout> messages =
                DefinitionFiles.read(List.of(directory.resolve("ardupilotmega.xml"), directory.resolve("ASLUAV.xml")));

        List<MessageLayout> known = LibraryMessages.layouts().stream()
                .filter(layout -> messages.stream().anyMatch(message -> isSame(message, layout)))
                .toList();

        assertThat(messages).hasSizeGreaterThan(330);
        assertThat(known).hasSizeGreaterThan(290);
        assertThat(known)
                .allSatisfy(layout -> assertThat(messages)
                        .anyMatch(message -> isSame(message, layout) && message.crcExtra() == layout.crcExtra()));
    }

    private static boolean isSame(MessageLayout a, MessageLayout b) {
        return a.id() == b.id() && a.name().replace("_", "").equals(b.name().replace("_", ""));
    }

    @Test
    void followsIncludesBesideTheFileOnce() throws DefinitionException {
        write("a.xml", "<mavlink><include>b.xml</include>" + message(1000, "A", FLOAT) + "</mavlink>");
        write(
                "b.xml",
                "<mavlink><include>a.xml</include><include> b.xml </include>" + message(1001, "B", FLOAT)
                        + "</mavlink>");

        List<MessageLayout> messages =
                DefinitionFiles.read(List.of(directory.resolve("a.xml"), directory.resolve("b.xml")));

        assertThat(messages).extracting(MessageLayout::name).containsExactly("B", "A");
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void tellsFileLineAndWhatIsAllowed(String xml, String problem) {
        assertThatThrownBy(() -> read(xml))
                .isInstanceOf(DefinitionException.class)
                .hasMessageStartingWith(directory.resolve("my.xml").toString())
                .hasMessageContaining(problem)
                .hasMessageContaining("; allowed: ")
                .message()
                .doesNotContain("\n");
    }

    static Stream<Arguments> mistakes() {
        String many = IntStream.range(0, 65)
                .mapToObj(i -> "<field type='uint8_t' name='f" + i + "'/>")
                .collect(Collectors.joining());
        return Stream.of(
                Arguments.of("", "my.xml:1: is not well-formed XML"),
                Arguments.of("<mavlink>\n<messages>\n</mavlink>", "my.xml:3: is not well-formed XML"),
                Arguments.of("<html/>", "my.xml:1: element <html>; allowed: <mavlink> as the outermost"),
                Arguments.of(
                        "<!DOCTYPE mavlink [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<mavlink>&x;</mavlink>",
                        "my.xml:1: a document type; allowed: none"),
                Arguments.of("<mavlink><message id='x' name='A'>" + FLOAT + "</message></mavlink>", "message id \"x\""),
                Arguments.of(in(message(16_777_216, "A", FLOAT)), "message id \"16777216\"; allowed: 0 to 16777215"),
                Arguments.of(in(message(1000, "A B", FLOAT)), "name \"A B\"; allowed: 1 to 100 letters"),
                Arguments.of(in("\n" + message(1000, "A", "")), "my.xml:2: message A has no field"),
                Arguments.of(in(message(1000, "A", FLOAT + FLOAT)), "field load of A is listed twice"),
                Arguments.of(
                        in(message(1000, "A", "\n\n<field type='int128_t' name='x'/>")),
                        "my.xml:3: field x of A: type \"int128_t\"; allowed: int8_t to"),
                Arguments.of(in(message(1000, "A", "<field type='bool' name='x'/>")), "type \"bool\""),
                Arguments.of(in(message(1000, "A", "<field type='uint8_t[0]' name='x'/>")), "type \"uint8_t[0]\""),
                Arguments.of(in(message(1000, "A", "<field type='uint8_t[256]' name='x'/>")), "type \"uint8_t[256]\""),
                Arguments.of(in(message(1000, "A", "<field type='uint8_t[-1]' name='x'/>")), "type \"uint8_t[-1]\""),
                Arguments.of(in(message(1000, "A", "<field type='float' name='x y'/>")), "field name \"x y\" in A"),
                Arguments.of(in(message(1000, "A", "<field name='x'/>")), "type \"\""),
                Arguments.of(
                        in(message(1000, "A", "<field type='float' name='x' units='a b'/>")),
                        "units \"a b\"; allowed: up"),
                Arguments.of(
                        in(message(1000, "A", "<field type='uint32_t[64]' name='x'/>")),
                        "A has 256 bytes; allowed: up to 255"),
                Arguments.of(in(message(1000, "A", many)), "A has too many fields"),
                Arguments.of(
                        in(message(1000, "A", FLOAT) + "\n" + message(1000, "B", FLOAT)),
                        "my.xml:2: message 1000 B is defined otherwise in"),
                Arguments.of(
                        in(message(266, "LOGGING_DATA", FLOAT)),
                        "266 LOGGING_DATA is not MAVLink's own message of that number; allowed: its fields as in common"),
                Arguments.of(
                        in("<include>gone.xml</include>"), "gone.xml is not there; allowed: a file beside this one"),
                Arguments.of(in("\n<include>../my.xml</include>"), "my.xml:2: include of \"../my.xml\""),
                Arguments.of(in("<include>/etc/passwd</include>"), "include of \"/etc/passwd\""),
                Arguments.of(in("<include></include>"), "include of \"\""),
                Arguments.of(in("<include><b/></include>"), "is not well-formed XML"));
    }

    @Test
    void tellsOfAFileThatCannotBeRead() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("folder.xml"));
        Path large = Files.write(directory.resolve("large.xml"), new byte[DefinitionFiles.MAX_BYTES + 1]);

        assertThatThrownBy(() -> DefinitionFiles.read(List.of(directory.resolve("none.xml"))))
                .hasMessageContaining("none.xml: cannot be read: no such file; allowed: ");
        assertThatThrownBy(() -> DefinitionFiles.read(List.of(folder))).hasMessageContaining("is not a regular file");
        assertThatThrownBy(() -> DefinitionFiles.read(List.of(large)))
                .hasMessageContaining("too large; allowed: 4 MiB");
    }

    @Test
    void numberOfFilesAndMessagesIsBounded() {
        for (int i = 0; i < 40; i++) {
            write("f" + i + ".xml", in("<include>f" + (i + 1) + ".xml</include>"));
        }
        String crowd = IntStream.range(0, DefinitionFiles.MAX_MESSAGES + 1)
                .mapToObj(i -> message(100_000 + i, "M" + i, FLOAT))
                .collect(Collectors.joining());

        assertThatThrownBy(() -> DefinitionFiles.read(List.of(directory.resolve("f0.xml"))))
                .hasMessageContaining("one file too many");
        assertThatThrownBy(() -> read(in(crowd))).hasMessageContaining("one message too many; allowed: 2000");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void damagedFilesThrowNothingElse(long seed) {
        Random random = new Random(seed);
        byte[] good = in("<include>common.xml</include>"
                        + message(1000, "A", FLOAT + "<extensions/>" + FLOAT.replace("load", "x")))
                .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 500; i++) {
            byte[] bad = good.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            assertThatCode(() -> {
                        try {
                            read(bad);
                        } catch (DefinitionException expected) {
                            assertThat(expected.getMessage())
                                    .contains("; allowed: ")
                                    .doesNotContain("\n");
                        }
                    })
                    .as("seed %d, round %d", seed, i)
                    .doesNotThrowAnyException();
        }
    }

    private static String in(String content) {
        return "<mavlink>" + content + "</mavlink>";
    }

    private static String message(int id, String name, String fields) {
        return "<message id='" + id + "' name='" + name + "'>" + fields + "</message>";
    }

    private List<MessageLayout> read(String xml) throws DefinitionException {
        return read(xml.getBytes(StandardCharsets.UTF_8));
    }

    private List<MessageLayout> read(byte[] xml) throws DefinitionException {
        return DefinitionFiles.read(List.of(write("my.xml", xml)));
    }

    private Path write(String name, String text) {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private Path write(String name, byte[] bytes) {
        try {
            return Files.write(directory.resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
