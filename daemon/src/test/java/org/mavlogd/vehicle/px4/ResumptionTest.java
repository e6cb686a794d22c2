package org.mavlogd.vehicle.px4;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation;

/** The session while a log of an earlier run may continue. */
class ResumptionTest {
    private static final int TOPIC = 7;
    private static final int SIZE = 40;
    private static final long NOTED_US = 100_000_000;
    private static final int SEQUENCE = 1000;

    private final SessionFixture fixture = new SessionFixture();
    private final long notedNs = fixture.nowNs();
    private final ResumeTicket ticket = ticket(1);

    private ResumeTicket ticket(int componentId) {
        KnownTopics.Collector topics = new KnownTopics.Collector();
        topics.subscribed(TOPIC, true);
        topics.seen(TOPIC, SIZE);
        return new ResumeTicket(new ResumeTicket.Facts(
                1, componentId, 0, 0, SEQUENCE, notedNs, 100, NOTED_US, 1e6, NOTED_US, 0, List.of(), topics.topics()));
    }

    private void start(ResumeTicket unfinishedLog) {
        fixture.unfinishedLog(unfinishedLog);
        fixture.session.want(true);
        fixture.pass(100);
    }

    private void same(int ahead, boolean acked, int component) {
        ByteBuffer data = ByteBuffer.allocate(2 * (3 + SIZE)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 2; i++) {
            data.position(i * (3 + SIZE));
            data.putShort((short) SIZE).put((byte) 'D').putShort((short) TOPIC).putLong(NOTED_US + 100_000);
        }
        fixture.chunk(acked, SEQUENCE + ahead, component, 0, data.array());
    }

    private void same(int ahead) {
        same(ahead, false, SessionFixture.OWN_COMPONENT);
    }

    @Test
    void sameStreamGoesOnWithoutAWord() {
        start(ticket);

        same(10);
        same(11);
        same(12);

        assertThat(fixture.state()).isEqualTo(LogConversation.State.RECORDING);
        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).containsExactly("resume 1", "1:1010", "1:1011", "1:1012");
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.TAKEN);
        fixture.pass(4000);
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void heldChunksAreHandedOnInOrderAndAcknowledged() {
        start(ticket);

        same(11, true, SessionFixture.OWN_COMPONENT);
        assertThat(fixture.sent).isEmpty();
        same(10);

        assertThat(fixture.fed).containsExactly("resume 1", "1:1010", "1:1011");
        assertThat(fixture.sent).containsExactly("ACK 1011");
    }

    @Test
    void resumedLogIsStoppedInGoodOrder() {
        start(ticket);
        same(10);
        same(11);

        fixture.session.want(false);
        fixture.pass(50);

        assertThat(fixture.sent).containsExactly("STOP");
        fixture.answerStop(0);
        fixture.pass(200);
        assertThat(fixture.fed).endsWith("end 1 STOPPED");
    }

    @Test
    void startWaitsALittleAndThenAsks() {
        start(ticket);
        fixture.pass(900);
        assertThat(fixture.sent).isEmpty();

        fixture.pass(500);

        assertThat(fixture.sent).containsExactly("START");
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.OPEN);
        fixture.answerStart(0);
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
    }

    @Test
    void startDoesNotWaitWithoutATicket() {
        start(ResumeTicket.NONE);

        assertThat(fixture.sent).containsExactly("START");
    }

    @Test
    void streamThatShowsItselfLateGoesOnAllTheSame() {
        start(ticket);
        fixture.pass(1500);
        fixture.answerStart(1);
        fixture.sent.clear();

        same(160);
        same(161);

        assertThat(fixture.state()).isEqualTo(LogConversation.State.RECORDING);
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void otherStreamIsStoppedAndAskedForAnew() {
        start(ticket);

        for (int i = 0; i < 6; i++) {
            same(5000 + i);
        }

        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
        assertThat(fixture.sent).containsExactly("STOP");
        fixture.answerStop(0);
        fixture.pass(500);
        assertThat(fixture.sent).containsExactly("STOP", "START");
    }

    @Test
    void streamThatShowsNothingForTwoSecondsIsAnother() {
        start(ticket);

        for (int i = 0; i < 30; i++) {
            fixture.plain(SEQUENCE + 10 + i);
            fixture.pass(100);
        }

        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
        assertThat(fixture.sent).startsWith("STOP");
    }

    @Test
    void chunksForSomebodyElseAreNotOurLog() {
        start(ticket);

        for (int i = 0; i < 5; i++) {
            same(10 + i, false, 7);
        }

        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.sent("STOP")).isZero();
    }

    @Test
    void anotherComponentIsAnotherVehicle() {
        ResumeTicket other = ticket(2);
        start(other);

        same(10);

        assertThat(other.state()).isEqualTo(ResumeTicket.State.DROPPED);
    }

    @Test
    void newLogEndsTheOldOne() {
        start(ticket);
        same(10);

        fixture.begin(1);

        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16, 17, 100})
    void chunksWaitWhileTheFileIsLookedThrough(int chunks) {
        start(ResumeTicket.PENDING);
        for (int i = 0; i < chunks; i++) {
            same(10 + i);
        }
        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).isEmpty();

        fixture.unfinishedLog(ticket);
        same(10 + chunks);

        assertThat(fixture.state()).isEqualTo(LogConversation.State.RECORDING);
        assertThat(fixture.fed)
                .hasSize(1 + Math.min(chunks + 1, StreamResumption.CAPACITY))
                .endsWith("1:" + (SEQUENCE + 10 + chunks));
    }

    @Test
    void fileThatTakesTooLongToLookThroughIsNotWaitedFor() {
        start(ResumeTicket.PENDING);

        for (int i = 0; i < 30; i++) {
            same(10 + i);
            fixture.pass(100);
        }

        assertThat(fixture.sent("STOP")).isPositive();
        fixture.unfinishedLog(ticket);
        fixture.pass(100);
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.DROPPED);
    }

    @Test
    void streamOfALogThatWentOnElsewhereIsLeftAlone() {
        start(ticket);
        fixture.session.want(false);
        assertThat(ticket.take()).isTrue();

        for (int i = 0; i < 30; i++) {
            same(10 + i);
            fixture.pass(50);
        }

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).isEmpty();
    }

    @Test
    void repeatedAckedChunkIsAcknowledgedAgainAndHandedOnOnce() {
        start(ticket);
        same(10, true, SessionFixture.OWN_COMPONENT);
        same(10, true, SessionFixture.OWN_COMPONENT);

        same(11);

        assertThat(fixture.fed).containsExactly("resume 1", "1:1010", "1:1011");
        assertThat(fixture.sent).containsExactly("ACK 1010", "ACK 1010");
    }
}
