package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageWalkerTest {
    private static final byte[] PAYLOAD = new byte[ULogLayout.MAX_MESSAGE_SIZE];

    /** Joins the bytes that it receives, so that a lost or moved byte is detected. */
    private static final class Copy implements MessageHandler {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final StringBuilder types = new StringBuilder();

        @Override
        public void onHeader(int version, long startUs) {
            ByteBuffer header = buffer(ULogLayout.HEADER_LENGTH);
            MessageEncoder.header(header, startUs);
            bytes.writeBytes(written(header));
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            bytes.write(buffer, offset, length);
            types.append((char) type);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16, 4096, 1 << 20})
    void givesWholeMessagesForChunksOfAnySize(int chunk) throws IOException {
        byte[] log = log();
        Copy copy = new Copy();
        MessageWalker walker = new MessageWalker(copy);

        for (int at = 0; at < log.length; at += chunk) {
            walker.feed(log, at, Math.min(chunk, log.length - at));
        }

        assertThat(copy.bytes.toByteArray()).isEqualTo(log);
        assertThat(copy.types.toString()).isEqualTo("BFIPQMALCDSOOz!R");
        assertThat(walker.wholeEnd()).isEqualTo(log.length);
        assertThat(walker.partialLength()).isZero();
    }

    @Test
    void tellsTheEndOfTheLastWholeMessage() throws IOException {
        byte[] log = log();
        MessageWalker walker = new MessageWalker(new Copy());

        walker.feed(log, 0, log.length - 1);

        assertThat(walker.wholeEnd()).isEqualTo(log.length - 5);
        assertThat(walker.position()).isEqualTo(log.length - 1);
        assertThat(walker.discardPartial()).isEqualTo(4);
    }

    @Test
    void refusesWhatIsNoULog() {
        byte[] other = "SQLite format 3 and some more".getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> new MessageWalker(new Copy()).feed(other, 0, other.length))
                .isInstanceOf(ULogException.class);
    }

    @Test
    void splitsLongDropouts() {
        ByteBuffer target = buffer(100);

        MessageEncoder.dropouts(target, 2 * 65_535 + 1);

        assertThat(target.position()).isEqualTo(15).isEqualTo((int) MessageEncoder.dropoutsLength(131_071));
        assertThat(target.getShort(3)).isEqualTo((short) 65_535);
        assertThat(target.getShort(8)).isEqualTo((short) 65_535);
        assertThat(target.getShort(13)).isEqualTo((short) 1);
        assertThat(MessageEncoder.dropoutsLength(0)).isEqualTo(5);
        assertThat(MessageEncoder.dropoutsLength(65_535)).isEqualTo(5);
        assertThat(MessageEncoder.dropoutsLength(65_536)).isEqualTo(10);
    }

    @Test
    void writesAnyTextAsUtf8() {
        String text = "a\u00e4\u20ac\ud83d\ude80\ud83d";
        ByteBuffer target = buffer(100);

        MessageEncoder.loggedString(target, LogLevel.INFO, 1, text);

        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        assertThat(Arrays.copyOfRange(written(target), 12, target.position())).isEqualTo(utf8);
        assertThat(target.getShort(0)).isEqualTo((short) (9 + utf8.length));
    }

    @Test
    void refusesWhatDoesNotFitTheFormat() {
        ByteBuffer target = buffer(ULogLayout.MAX_MESSAGE_LENGTH + 10);

        assertThatThrownBy(() -> MessageEncoder.data(target, 1, PAYLOAD, 0, ULogLayout.MAX_SAMPLE_SIZE + 1))
                .hasMessageContaining("exceeds 65535");
        assertThatThrownBy(() -> MessageEncoder.infoText(target, "n".repeat(250), "v"))
                .hasMessageContaining("exceeds 255");
        assertThatThrownBy(() -> MessageEncoder.subscription(target, 256, 0, "t"))
                .hasMessageContaining("multi id");
        assertThatThrownBy(() -> MessageEncoder.sync(ByteBuffer.allocate(20))).hasMessageContaining("little endian");
        assertThatThrownBy(() -> MessageEncoder.sync(buffer(10))).isInstanceOf(java.nio.BufferOverflowException.class);
        assertThat(target.position()).isZero();
    }

    private static byte[] log() {
        ByteBuffer target = buffer(200_000);
        byte[] text = "second".getBytes(StandardCharsets.UTF_8);
        MessageEncoder.header(target, 42);
        MessageEncoder.flagBits(target, ULogLayout.COMPAT_DEFAULT_PARAMETERS);
        MessageEncoder.format(target, "t:uint64_t timestamp;");
        MessageEncoder.infoText(target, "sys_name", "PX4");
        MessageEncoder.parameterFloat(target, "P", 1f);
        MessageEncoder.defaultParameterInt32(target, 1, "P", 1);
        MessageEncoder.multiInfoText(target, true, "log", text, 0, text.length);
        MessageEncoder.subscription(target, 0, 0, "t");
        MessageEncoder.loggedString(target, LogLevel.ERROR, 1, "text");
        MessageEncoder.taggedString(target, LogLevel.ERROR, 65_535, 1, "text");
        MessageEncoder.data(target, 0, PAYLOAD, 0, ULogLayout.MAX_SAMPLE_SIZE);
        MessageEncoder.sync(target);
        MessageEncoder.dropouts(target, 65_536);
        MessageEncoder.message(target, 'z', PAYLOAD, 0, 12_000);
        MessageEncoder.message(target, '!', PAYLOAD, 0, 0);
        MessageEncoder.unsubscription(target, 0);
        return written(target);
    }

    private static byte[] written(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer buffer(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
