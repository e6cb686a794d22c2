package org.mavlogd.mavlink.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TableProcessorTest {
    @Test
    void sameDefinitionsGiveTheSameSources() {
        assertThat(TableProcessor.sources()).isEqualTo(TableProcessor.sources());
        assertThat(List.copyOf(TableProcessor.sources().keySet()))
                .contains("MessageRows", "FieldRows", "MessageIds", "HeartbeatLayout", "LogRequestListLayout")
                .contains("TargetRows")
                .hasSize(4 + Definitions.WITH_LAYOUT.size() + Definitions.SIMULATED.size());
    }

    @Test
    void layoutHasOffsetsLengthsAndTypedAccess() {
        Message ack = Definitions.named(Definitions.all(), "COMMAND_ACK");

        assertThat(LayoutSource.text(ack))
                .contains("public static final int MESSAGE_ID = 77;")
                .contains("public static final int CRC_EXTRA = 143;")
                .contains("public static final int CORE_LENGTH = 3;")
                .contains("public static final int FULL_LENGTH = 10;")
                .contains("public static final int RESULT_PARAM2_OFFSET = 4;")
                .contains("public static int resultParam2(FrameView frame)")
                .contains("public static void putResultParam2(byte[] payload, int value)");
    }

    @Test
    void refusesAFieldThatItCannotAccess() {
        Message message = new Message(1, 1, "ONE", "common", Message.fields("double far"));

        assertThatThrownBy(() -> LayoutSource.text(message)).hasMessageContaining("no accessor for double");
    }

    @Test
    void longTextsAreDividedAndQuoted() {
        List<String> lines =
                IntStream.range(0, 3).mapToObj(i -> i + "\"\\\t".repeat(9_000)).toList();

        String source = RowsSource.text("Rows", "Rows.", lines);

        assertThat(source.contains("return part0() + part1();")).isTrue();
        assertThat(source.contains("return \"0\\\"\\\\\\t\\\"")).isTrue();
        assertThat(source.contains("\\t\\n\";")).isTrue();
        assertThatThrownBy(() -> RowsSource.text("Rows", "Rows.", List.of("°C")))
                .hasMessageContaining("not plain ASCII");
    }

    @Test
    void aMessageThatIsNamedMustBeThere() {
        assertThatThrownBy(() -> Definitions.named(Definitions.all(), "HEARTBEET"))
                .hasMessageContaining("0 messages are called HEARTBEET");
    }
}
