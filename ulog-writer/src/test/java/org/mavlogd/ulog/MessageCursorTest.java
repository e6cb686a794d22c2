package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCursorTest {
    private record Place(int type, int payload, int size) {}

    @Test
    void givesTheMessagesThatTheWalkerGives() throws IOException {
        byte[] log = TestLogs.real("px4rs_esc_status_log");
        List<Place> walked = new ArrayList<>();
        MessageWalker walker = new MessageWalker((type, buffer, offset, length) -> walked.add(
                new Place(type, offset + ULogLayout.MESSAGE_HEADER_LENGTH, length - ULogLayout.MESSAGE_HEADER_LENGTH)));
        walker.feed(log, 0, log.length);

        ByteBuffer direct = ByteBuffer.allocateDirect(log.length).put(log);

        assertThat(places(direct)).isEqualTo(walked);
        assertThat(direct.position()).isEqualTo(log.length);
    }

    @Test
    void stopsAtTheLastWholeMessageWhereverTheLogIsCut() throws IOException {
        byte[] log = Contents.at(TestLogs.corners(), "golden");
        List<Place> all = places(ByteBuffer.wrap(log));
        for (int cut = ULogLayout.HEADER_LENGTH; cut <= log.length; cut++) {
            MessageCursor cursor = new MessageCursor(ByteBuffer.wrap(log, 0, cut));
            int count = 0;
            while (cursor.next()) {
                assertThat(all.get(count)).isEqualTo(new Place(cursor.type(), cursor.payload(), cursor.size()));
                count++;
            }
            int whole = cut;
            long expected =
                    all.stream().filter(p -> p.payload() + p.size() <= whole).count();
            assertThat(count).as("cut at %d", cut).isEqualTo((int) expected);
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.end()).isLessThanOrEqualTo(cut);
        }
    }

    @Test
    void refusesWhatIsNoLog() {
        byte[] log = Contents.at(TestLogs.corners(), "golden");
        assertThatThrownBy(() -> new MessageCursor(ByteBuffer.wrap(Arrays.copyOf(log, 15))))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("15 of 16 bytes");
        log[3] = 'x';
        assertThatThrownBy(() -> new MessageCursor(ByteBuffer.wrap(log))).isInstanceOf(ULogException.class);
    }

    private static List<Place> places(ByteBuffer log) throws ULogException {
        List<Place> places = new ArrayList<>();
        MessageCursor cursor = new MessageCursor(log.duplicate().position(0));
        while (cursor.next()) {
            places.add(new Place(cursor.type(), cursor.payload(), cursor.size()));
        }
        return places;
    }
}
