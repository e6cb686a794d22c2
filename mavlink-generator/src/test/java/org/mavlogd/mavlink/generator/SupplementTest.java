package org.mavlogd.mavlink.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SupplementTest {
    private static final Message LEVEL =
            new Message(300, 7, "LEVEL1", "common", Message.fields("uint32_t time_ms;uint8_t number1"));

    @Test
    void addsAMessageThatTheLibraryDoesNotHave() {
        List<Message> all = complete("301\t8\tWINCH\tcommon\tfloat load N", "", "");

        assertThat(all)
                .containsExactly(
                        new Message(
                                301, 8, "WINCH", "common", List.of(new Field("float", 0, "load", false, false, "N"))),
                        LEVEL);
    }

    @Test
    void addsExtensionsBehindTheFieldsOfTheLibrary() {
        List<Message> all = complete("", "300\t7\tLEVEL1\t+char[9] tank;+float height m", "");

        assertThat(all.get(0).fieldsText()).isEqualTo("uint32_t time_ms;uint8_t number1;+char[9] tank;+float height m");
        assertThat(all.get(0).coreLength()).isEqualTo(5);
        assertThat(all.get(0).fullLength()).isEqualTo(18);
    }

    @Test
    void addsSpellingUnitAndInstance() {
        List<Message> all = complete("", "", "300\t7\tLEVEL_1\tstandard\ttime_ms ms;#Number_1");

        assertThat(all)
                .containsExactly(new Message(
                        300, 7, "LEVEL_1", "standard", Message.fields("uint32_t time_ms ms;#uint8_t Number_1")));
    }

    @Test
    void commentsAndEmptyLinesAreSkipped() {
        assertThat(complete("# a\n\n", "# b\n", "")).containsExactly(LEVEL);
    }

    @Test
    void refusesWhatTheLibraryHasAlready() {
        refuses(
                "300\t7\tLEVEL1\tcommon\tfloat load",
                "",
                "",
                "newer-messages.tsv: message 300 LEVEL1: the library has it");
        refuses("", "300\t7\tLEVEL1\t+uint8_t number_1", "", "field number_1 is there already");
    }

    @Test
    void refusesWhatFitsNothing() {
        refuses("", "300\t8\tLEVEL1\t+float height", "", "the library does not have it");
        refuses("", "", "299\t7\tLEVEL1\tcommon\ttime_ms ms", "the library does not have it");
        refuses("", "", "300\t7\tLEVER1\tcommon\ttime_ms ms", "the library calls it LEVEL1");
        refuses("", "", "300\t7\tLEVEL1\tcommon\ttime_us ms", "no field time_us");
        refuses("", "300\t7\tLEVEL1\tfloat height", "", "height is not marked as an extension");
    }

    @Test
    void refusesLinesThatAreNone() {
        refuses("301\t8\tWINCH\tcommon", "", "", "a line of 4 columns, not 5");
        refuses("301\t8\tA\tcommon\tfloat x\n301\t8\tB\tcommon\tfloat x", "", "", "is there twice");
        refuses("301\t8\tWINCH\tcommon\tbool on", "", "", "field on: type bool");
        refuses("301\t8\tWINCH\tcommon\tfloat", "", "", "not a type, a name");
    }

    /** Checks the definitions of the library in use. */
    @Test
    void noMessageOfTheSupplementIsInTheLibrary() {
        List<Message> library = DronefleetDefinitions.messages();
        List<Message> all = Definitions.all();

        assertThat(library).hasSizeGreaterThan(380);
        assertThat(all).hasSize(library.size() + lines(Supplement.MESSAGES)).doesNotHaveDuplicates();
        assertThat(library)
                .allSatisfy(message -> assertThat(all)
                        .anyMatch(one -> one.id() == message.id()
                                && one.crcExtra() == message.crcExtra()
                                && one.coreLength() == message.coreLength()
                                && one.fullLength() >= message.fullLength()
                                && Supplement.isSame(one.name(), message.name())));
    }

    private static int lines(String file) {
        return (int) Supplement.resource(file)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    private static List<Message> complete(String messages, String extensions, String details) {
        return Supplement.of(messages, extensions, details).complete(List.of(LEVEL));
    }

    private static void refuses(String messages, String extensions, String details, String why) {
        assertThatThrownBy(() -> complete(messages, extensions, details)).hasMessageContaining(why);
    }
}
