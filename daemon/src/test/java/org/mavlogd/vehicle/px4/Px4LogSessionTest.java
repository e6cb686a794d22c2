package org.mavlogd.vehicle.px4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.vehicle.conversation.LogConversation.State.ASKING;
import static org.mavlogd.vehicle.conversation.LogConversation.State.AWAITING;
import static org.mavlogd.vehicle.conversation.LogConversation.State.CLEARING;
import static org.mavlogd.vehicle.conversation.LogConversation.State.IDLE;
import static org.mavlogd.vehicle.conversation.LogConversation.State.RECORDING;
import static org.mavlogd.vehicle.conversation.LogConversation.State.STOPPING;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.CommandAck;

class Px4LogSessionTest {
    private static final int SECOND = 1000;

    @Test
    void asksOnlyWhenTheLogIsWantedAndTheVehicleHeard() {
        SessionFixture fixture = new SessionFixture();

        fixture.pass(SECOND);
        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.session.isAtRest()).isTrue();
        fixture.heard(false);
        fixture.pass(4 * SECOND);
        fixture.session.want(true);
        fixture.pass(SECOND);
        assertThat(fixture.sent).isEmpty();
        fixture.heard(true);
        fixture.pass(10);

        assertThat(fixture.state()).isEqualTo(ASKING);
        assertThat(fixture.sent).containsExactly("START");
    }

    @Test
    void repeatsStartEverySecondThenEveryFive() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.pass(4 * SECOND + 100);
        assertThat(fixture.sent("START")).isEqualTo(5);
        fixture.pass(60 * SECOND);

        assertThat(fixture.sent("START")).isBetween(16L, 18L);
        assertThat(fixture.session.detail()).contains("not answered");
    }

    @Test
    void goesFromStartToRecording() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.answerStart(CommandAck.ACCEPTED);
        assertThat(fixture.state()).isEqualTo(AWAITING);
        fixture.begin(1);
        fixture.acked(1);
        fixture.plain(2);

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0", "1:1", "1:2");
        assertThat(fixture.sent).containsExactly("START", "ACK 0", "ACK 1");
        assertThat(fixture.session.detail()).isEmpty();
        assertThat(fixture.session.isAtRest()).isFalse();
    }

    @Test
    void recordsAlsoWhenTheAnswerToStartWasLost() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.begin(1);

        assertThat(fixture.state()).isEqualTo(RECORDING);
    }

    @Test
    void backsOffWithAReasonWhenDenied() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.DENIED);

        fixture.pass(9_900);
        assertThat(fixture.sent("START")).isEqualTo(1);
        assertThat(fixture.session.isRefused()).isTrue();
        assertThat(fixture.session.detail()).contains("MAV_x_RATE");
        fixture.pass(200);
        assertThat(fixture.sent("START")).isEqualTo(2);
        fixture.answerStart(CommandAck.DENIED);
        fixture.pass(19_800);
        assertThat(fixture.sent("START")).isEqualTo(2);
        fixture.pass(300);
        assertThat(fixture.sent("START")).isEqualTo(3);
        fixture.answerStart(CommandAck.DENIED);
        fixture.pass(30_100);
        fixture.answerStart(CommandAck.DENIED);
        fixture.pass(30_100);

        assertThat(fixture.sent("START")).isEqualTo(5);
    }

    @Test
    void tellsRefusalsApart() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.answerStart(CommandAck.UNSUPPORTED);
        assertThat(fixture.session.detail()).contains("cannot stream");
        fixture.answerStart(CommandAck.FAILED);

        assertThat(fixture.session.detail()).contains("MAV_RESULT 4");
        assertThat(fixture.state()).isEqualTo(ASKING);
    }

    @Test
    void isNoLongerRefusedOnceItRests() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.DENIED);

        fixture.session.want(false);
        fixture.pass(10);

        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.session.isRefused()).isFalse();
    }

    @Test
    void isNoLongerRefusedByVainStartsOnceAnotherLinkHasTheVehicle() {
        SessionFixture fixture = SessionFixture.asking();
        for (int ms = 0; ms < 60_000 && !fixture.session.isRefused(); ms += 50) {
            answerForMs(fixture, 50);
        }
        assertThat(fixture.state()).isEqualTo(CLEARING);
        assertThat(fixture.session.isRefused()).isTrue();

        fixture.session.want(false);
        fixture.pass(4_000);

        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.session.isRefused()).isFalse();
    }

    @Test
    void keepsWaitingWhileStartIsInProgress() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.answerStart(CommandAck.IN_PROGRESS);

        assertThat(fixture.state()).isEqualTo(ASKING);
    }

    @Test
    void stopsAnotherStreamAfterThreeRejectionsAndAsksAgainAtOnce() {
        SessionFixture fixture = SessionFixture.asking();
        for (int i = 0; i < 3; i++) {
            assertThat(fixture.state()).isEqualTo(ASKING);
            fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
            fixture.pass(i < 2 ? SECOND : 10);
        }
        assertThat(fixture.state()).isEqualTo(CLEARING);

        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(400);

        assertThat(fixture.state()).isEqualTo(ASKING);
        assertThat(fixture.sent).containsExactly("START", "START", "START", "STOP", "START");
    }

    @Test
    void sendsFewCommandsToAVehicleThatRejectsForEver() {
        SessionFixture fixture = SessionFixture.asking();
        long starts = 0;

        for (int ms = 0; ms < 600 * SECOND; ms += 50) {
            if (fixture.sent("START") > starts) {
                starts = fixture.sent("START");
                fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
            }
            fixture.answerStop(CommandAck.ACCEPTED);
            fixture.pass(50);
        }

        assertThat(fixture.sent("STOP")).isBetween(10L, 35L);
        assertThat(fixture.session.detail()).contains("SDLOG_BACKEND");
    }

    @Test
    void clearsWhenAcceptedWithoutData() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.ACCEPTED);

        fixture.pass(2_900);
        assertThat(fixture.state()).isEqualTo(AWAITING);
        fixture.pass(200);

        assertThat(fixture.state()).isEqualTo(CLEARING);
        assertThat(fixture.session.detail()).contains("no log data comes");
        assertThat(fixture.sent).containsExactly("START", "STOP");
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(400);
        assertThat(fixture.sent("START")).isEqualTo(2);
    }

    @Test
    void givesUpClearingWhenStopIsNotAnswered() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.ACCEPTED);

        fixture.pass(3 * SECOND + 3_100);

        assertThat(fixture.sent("STOP")).isEqualTo(6);
        assertThat(fixture.state()).isEqualTo(ASKING);
    }

    @Test
    void stopsAStreamThatAnEarlierRunLeftAndAcknowledgesWhatItStillSends() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.plain(500);
        fixture.plain(501);
        assertThat(fixture.state()).isEqualTo(ASKING);
        fixture.acked(502);
        assertThat(fixture.state()).isEqualTo(CLEARING);
        fixture.acked(503);
        fixture.answerStop(CommandAck.IN_PROGRESS);
        fixture.acked(504);
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(400);
        fixture.begin(9);

        assertThat(fixture.sent).containsExactly("START", "STOP", "ACK 503", "ACK 504", "START", "ACK 0");
        assertThat(fixture.fed).containsExactly("begin 1", "1:0");
        assertThat(fixture.metric("stray_chunks")).isEqualTo(5);
    }

    @Test
    void leavesTheStreamOfAnotherReceiverAlone() {
        SessionFixture fixture = new SessionFixture();

        for (int i = 0; i < 50; i++) {
            fixture.foreign(i + 1);
            fixture.pass(20);
        }

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.state()).isEqualTo(IDLE);
    }

    @Test
    void drainsAfterStopUntilAccepted() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.want(false);

        fixture.pass(10);
        assertThat(fixture.state()).isEqualTo(STOPPING);
        fixture.answerStop(CommandAck.IN_PROGRESS);
        fixture.acked(1);
        fixture.acked(2);
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(20);
        fixture.plain(3); // the link reordered it
        fixture.pass(40);
        assertThat(fixture.state()).isEqualTo(STOPPING);
        fixture.pass(20);

        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.sent).containsExactly("STOP", "ACK 1", "ACK 2");
        assertThat(fixture.fed).containsExactly("1:1", "1:2", "1:3", "end 1 STOPPED");
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    @Test
    void repeatsStopForAsLongAsDataComes() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.want(false);

        for (int i = 1; i <= 100; i++) {
            fixture.pass(50);
            fixture.acked(i);
        }
        assertThat(fixture.state()).isEqualTo(STOPPING);
        assertThat(fixture.sent("STOP")).isBetween(9L, 11L);
        fixture.pass(4 * SECOND);

        assertThat(fixture.fed).endsWith("1:100", "end 1 STOP_UNCONFIRMED");
        assertThat(fixture.state()).isEqualTo(IDLE);
    }

    @Test
    void givesUpStoppingAVehicleThatIsGone() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.want(false);
        fixture.heard(false);

        fixture.pass(3_100);

        assertThat(fixture.sent("STOP")).isEqualTo(6);
        assertThat(fixture.fed).containsExactly("end 1 STOP_UNCONFIRMED");
    }

    @Test
    void takesWhatComesAfterAnOutageAsLongAsTheVehicleRepeatsIt() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.want(false);
        fixture.pass(10);
        fixture.acked(1);

        // The answers to STOP are lost too; the last STOP is still unanswered when the next data arrives.
        fixture.pass(2_600);
        fixture.acked(2);
        fixture.pass(2_600);
        fixture.acked(3);

        assertThat(fixture.state()).isEqualTo(STOPPING);
        assertThat(fixture.fed).containsExactly("1:1", "1:2", "1:3");
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(100);
        assertThat(fixture.fed).endsWith("1:3", "end 1 STOPPED");
    }

    @Test
    void waitsMinutesWhenSeveralAcceptedStartsLedToNoLog() {
        SessionFixture fixture = SessionFixture.asking();
        answerForMs(fixture, 50 * SECOND);

        assertThat(fixture.sent("START")).isEqualTo(3);
        assertThat(fixture.session.detail()).contains("SD card").contains("3 min");
        assertThat(fixture.session.isRefused())
                .as("another link may have the vehicle")
                .isTrue();
        answerForMs(fixture, 120 * SECOND);
        assertThat(fixture.sent("START")).isEqualTo(3);
        answerForMs(fixture, 40 * SECOND);
        assertThat(fixture.sent("START")).isEqualTo(4);

        fixture.session.armed(true);
        answerForMs(fixture, 850 * SECOND);
        assertThat(fixture.sent("START")).isEqualTo(4);
        fixture.session.armed(false);
        fixture.pass(10);
        assertThat(fixture.sent("START")).isEqualTo(5);
    }

    @Test
    void aVehicleThatIsNotHeardForAWhileIsNotAskedSoonerBecauseOfThat() {
        SessionFixture fixture = SessionFixture.asking();
        answerForMs(fixture, 50 * SECOND);

        fixture.heard(false);
        fixture.pass(5 * SECOND);
        fixture.heard(true);
        answerForMs(fixture, 60 * SECOND);

        assertThat(fixture.sent("START")).isEqualTo(3);
        assertThat(fixture.session.detail()).contains("SD card");
    }

    @Test
    void aNewLinkOrARebootEndsTheLongWait() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.session.onBootTime(100 * SECOND, fixture.nowNs());
        answerForMs(fixture, 70 * SECOND);
        assertThat(fixture.sent("START")).isEqualTo(3);

        fixture.session.onNewLink();
        answerForMs(fixture, 10 * SECOND);
        assertThat(fixture.sent("START")).isEqualTo(4);
        answerForMs(fixture, 40 * SECOND);
        assertThat(fixture.sent("START")).as("one try for each new link").isEqualTo(4);
        fixture.session.onBootTime(SECOND, fixture.nowNs());
        answerForMs(fixture, 50 * SECOND);

        assertThat(fixture.sent("START")).isEqualTo(7);
    }

    @Test
    void waitsMinutesAlsoWhenOnlyOurAcksDoNotArrive() {
        SessionFixture fixture = SessionFixture.asking();
        for (int log = 1; log <= 3; log++) {
            fixture.answerStart(CommandAck.ACCEPTED);
            fixture.begin(log);
            fixture.pass(5 * SECOND + 100);
        }
        fixture.pass(60 * SECOND);

        assertThat(fixture.sent("START")).isEqualTo(3);
        assertThat(fixture.fed).endsWith("begin 3", "3:0", "end 3 STREAM_SILENT");
        assertThat(fixture.session.detail()).contains("SD card");
    }

    @Test
    void aLogThatGetsThroughMakesEarlierTriesForgotten() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.ACCEPTED);
        for (int log = 1; log <= 10; log++) {
            fixture.begin(log);
            fixture.plain(1);
            fixture.pass(5 * SECOND + 100);
            fixture.answerStart(CommandAck.ACCEPTED);
        }

        assertThat(fixture.sent("START")).isEqualTo(11);
    }

    /** A vehicle that accepts START and STOP, and whose log data does not arrive. */
    private static void answerForMs(SessionFixture fixture, int ms) {
        for (int passed = 0; passed < ms; passed += 50) {
            if (fixture.state() == ASKING
                    && !fixture.sent.isEmpty()
                    && fixture.sent.get(fixture.sent.size() - 1).equals("START")) {
                fixture.answerStart(CommandAck.ACCEPTED);
            }
            if (fixture.state() == CLEARING) {
                fixture.answerStop(CommandAck.ACCEPTED);
            }
            fixture.pass(50);
        }
    }

    @Test
    void asksAgainWhenTheStreamIsSilentAndFinishesTheLogWhenThatIsAccepted() {
        SessionFixture fixture = SessionFixture.recording();

        fixture.pass(4_900);
        assertThat(fixture.state()).isEqualTo(RECORDING);
        fixture.pass(200);
        assertThat(fixture.sent).containsExactly("START");
        assertThat(fixture.fed).isEmpty();
        fixture.answerStart(CommandAck.ACCEPTED);
        fixture.pass(10);

        assertThat(fixture.fed).containsExactly("end 1 STREAM_SILENT");
        assertThat(fixture.state()).isEqualTo(AWAITING);
    }

    @Test
    void finishesASilentLogWhenNobodyAnswers() {
        SessionFixture fixture = SessionFixture.recording();

        fixture.pass(8_200);

        assertThat(fixture.fed).containsExactly("end 1 STREAM_SILENT");
        assertThat(fixture.state()).isEqualTo(ASKING);
    }

    @Test
    void goesOnWithALogThatWasOnlySilent() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.pass(5_100);
        fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);

        fixture.plain(2);

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).containsExactly("1:2");
        assertThat(fixture.session.detail()).isEmpty();
    }

    @Test
    void stopsASilentLogInGoodOrderWhenTheVehicleSaysItRuns() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.pass(5_100);
        for (int i = 0; i < 3; i++) {
            fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
            fixture.pass(SECOND);
        }

        assertThat(fixture.sent("STOP")).isPositive();
        assertThat(fixture.fed).isEmpty();
        fixture.acked(2);
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(100);

        assertThat(fixture.fed).containsExactly("1:2", "end 1 STOPPED");
    }

    @Test
    void survivesAnOutageOf29Seconds() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.heard(false);
        fixture.pass(29 * SECOND);

        fixture.heard(true);
        fixture.plain(5000);
        fixture.pass(SECOND);

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).containsExactly("1:5000");
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void endsTheLogAfterAnOutageOf31Seconds() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.heard(false);

        fixture.pass(31 * SECOND);

        assertThat(fixture.fed).containsExactly("end 1 VEHICLE_SILENT");
        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void takesANumberMoreThanHalfTheRangeAheadAfterALongOutage() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.heard(false);
        fixture.pass(20 * SECOND);
        fixture.heard(true);

        fixture.plain(50_000);
        fixture.plain(50_001);

        assertThat(fixture.fed).containsExactly("1:50000", "1:50001");
    }

    @Test
    void endsTheLogWhenTheVehicleReboots() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.onBootTime(600_000, fixture.nowNs());
        fixture.plain(1);

        fixture.session.onBootTime(599_500, fixture.nowNs()); // only reordered
        assertThat(fixture.state()).isEqualTo(RECORDING);
        fixture.session.onBootTime(2_000, fixture.nowNs());
        fixture.pass(20);

        assertThat(fixture.fed).containsExactly("1:1", "end 1 REBOOT");
        assertThat(fixture.sent).containsExactly("START");
    }

    @Test
    void doesNotTakeARebootBeforeTheLogForOneOfTheLog() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.session.onBootTime(600_000, fixture.nowNs());

        fixture.begin(2);
        fixture.session.onBootTime(9_000, fixture.nowNs());
        fixture.plain(1);

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0", "2:1");
    }

    @Test
    void recordsALogThatNobodyHereAskedForAndDoesNotStopIt() {
        SessionFixture fixture = new SessionFixture();

        fixture.begin(1);
        fixture.pass(SECOND);
        fixture.plain(1);

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0", "1:1");
        assertThat(fixture.sent).containsExactly("ACK 0");
    }

    @Test
    void recordsALogOfAnotherReceiverWithoutTakingItsAcksFromIt() {
        SessionFixture fixture = SessionFixture.asking();

        fixture.begin(1, 7);
        fixture.begin(1, 7); // repeated: the other receiver missed it
        fixture.foreignAcked(1);
        fixture.foreign(2);
        fixture.session.want(false);
        fixture.pass(SECOND);

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0", "1:1", "1:2");
        assertThat(fixture.sent).containsExactly("START");
        assertThat(fixture.session.detail()).contains("another ground station");
        assertThat(fixture.metric("foreign_chunks")).isEqualTo(4);
    }

    @Test
    void doesNotTakeTheChunksOfAnotherReceiverForThoseOfItsOwnLog() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.plain(1);

        // Another program made the vehicle start a new log, whose beginning was lost here.
        fixture.pass(4 * SECOND);
        fixture.foreignAcked(2);
        fixture.foreign(3);
        fixture.foreign(4);

        assertThat(fixture.fed).containsExactly("1:1", "end 1 SEQUENCE_RESTART");
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void neverAcknowledgesAnotherReceiversChunksWhileItClears() {
        SessionFixture fixture = SessionFixture.asking();
        fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
        fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
        fixture.answerStart(CommandAck.TEMPORARILY_REJECTED);
        assertThat(fixture.state()).isEqualTo(CLEARING);

        fixture.foreignAcked(7);

        assertThat(fixture.sent).doesNotContain("ACK 7");
    }

    @Test
    void takesChunksThatAreAddressedToEverybodyForItsOwn() {
        SessionFixture fixture = new SessionFixture();

        fixture.begin(1, 0);

        assertThat(fixture.sent).containsExactly("ACK 0");
        assertThat(fixture.metric("foreign_chunks")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"191, 1", "7, 6"})
    void aLogWhoseFirstChunkIsNotRepeatedForUsNeverWaits(int targetComponent, int begun) {
        SessionFixture fixture = new SessionFixture(false);

        for (int log = 1; log <= 6; log++) {
            fixture.begin(log, targetComponent);
        }

        assertThat(fixture.fed.stream().filter(event -> event.startsWith("begin")))
                .hasSize(begun);
    }

    @Test
    void forgedBeginningsMakeFewLogsAndLeaveTheLastOneOpen() {
        SessionFixture fixture = SessionFixture.recording();

        // A thousand a second for ten seconds, each with a different header.
        for (int i = 0; i < 10_000; i++) {
            fixture.begin(2 + i % 250);
            if (i % 10 == 0) {
                fixture.pass(10);
            }
        }

        long begun =
                fixture.fed.stream().filter(event -> event.startsWith("begin")).count();
        assertThat(begun).isBetween(19L, 24L);
        assertThat(fixture.metric("excess_sessions")).isGreaterThan(9_000);
        assertThat(fixture.state()).isEqualTo(RECORDING);
        fixture.fed.clear();
        fixture.plain(1);
        assertThat(fixture.fed).singleElement().asString().endsWith(":1");
        // Later a vehicle may start a log again.
        fixture.pass(4 * SECOND);
        fixture.begin(255);
        assertThat(fixture.fed).anyMatch(event -> event.startsWith("begin"));
    }

    @Test
    void beginsANewLogInTheMiddleOfAnother() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.plain(1);

        fixture.begin(2);

        assertThat(fixture.fed).containsExactly("1:1", "end 1 NEW_SESSION", "begin 2", "2:0");
    }

    @Test
    void acksItsFirstChunkAgainButStoresItOnce() {
        SessionFixture fixture = SessionFixture.recording();

        for (int i = 0; i < 37; i++) {
            fixture.begin(1);
        }

        assertThat(fixture.sent).hasSize(37).containsOnly("ACK 0");
        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.metric("repeated_chunks")).isEqualTo(37);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 29})
    void acksARepeatThatWaitedInAStalledLinkButStoresItOnce(long stallS) {
        SessionFixture fixture = SessionFixture.recording();
        fixture.acked(1);
        fixture.heard(false);
        fixture.pass(stallS * SECOND);
        fixture.heard(true);

        fixture.acked(1);
        fixture.acked(1);
        fixture.acked(2);

        assertThat(fixture.fed).containsExactly("1:1", "1:2");
        assertThat(fixture.sent).containsExactly(SessionFixture.acks(1, 1, 1, 2));
        assertThat(fixture.metric("repeated_chunks")).isEqualTo(2);
    }

    @Test
    void takesTheLastNumberOfAChunkWithoutAckForOneThatWentRound() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.plain(1);
        fixture.heard(false);
        fixture.pass(4 * SECOND);
        fixture.heard(true);

        fixture.acked(1);
        fixture.pass(4 * SECOND);
        fixture.plain(1);

        assertThat(fixture.fed).containsExactly("1:1", "1:1", "1:1");
    }

    @Test
    void beginsTheLogOfARebootedVehicleThatHasTheNumberOfTheLastChunk() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.heard(false);
        fixture.pass(4 * SECOND);
        fixture.heard(true);

        fixture.begin(2);
        fixture.acked(1);

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0", "2:1");
        assertThat(fixture.sent).containsExactly(SessionFixture.acks(0, 1));
    }

    @Test
    void endsTheLogWhenTheSequenceStartsAnewWithoutHeader() {
        SessionFixture fixture = SessionFixture.recording();
        for (int i = 1; i <= 200; i++) {
            fixture.plain(i);
        }
        fixture.fed.clear();

        fixture.plain(3);
        fixture.plain(4);
        assertThat(fixture.state()).isEqualTo(RECORDING);
        fixture.plain(5);

        assertThat(fixture.fed).containsExactly("end 1 SEQUENCE_RESTART");
        assertThat(fixture.metric("stale_chunks")).isEqualTo(3);
    }

    @Test
    void keepsTheLogWhenSingleChunksComeVeryLate() {
        SessionFixture fixture = SessionFixture.recording();
        for (int i = 1; i <= 300; i++) {
            fixture.plain(i);
            if (i > 200) {
                fixture.plain(i - 150);
            }
        }

        assertThat(fixture.state()).isEqualTo(RECORDING);
        assertThat(fixture.fed).hasSize(300);
    }

    @Test
    void goesOnWhereTheSequenceWraps() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.plain(30_000);
        fixture.plain(60_000);
        fixture.plain(65_534);
        fixture.fed.clear();

        fixture.plain(65_535);
        fixture.plain(0);
        fixture.plain(1);

        assertThat(fixture.fed).containsExactly("1:65535", "1:0", "1:1");
    }

    @Test
    void doesNotAckWhatTheFullRingRefuses() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.stalled(true);
        int sequence = 1;
        while (fixture.metric("ring_full") == 0) {
            fixture.plain(sequence++);
        }
        int refused = sequence - 1;

        fixture.acked(sequence);
        assertThat(fixture.sent).isEmpty();
        fixture.stalled(false);
        fixture.acked(sequence);

        assertThat(fixture.sent).containsExactly("ACK " + sequence);
        assertThat(fixture.fed).doesNotContain("1:" + refused).endsWith("1:" + sequence);
    }

    @Test
    void waitsWithTheBeginningWhileTheRingIsFull() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.stalled(true);
        fixture.fillRing();
        fixture.sent.clear();

        fixture.begin(2);
        assertThat(fixture.sent).isEmpty();
        fixture.stalled(false);
        fixture.begin(2);

        assertThat(fixture.sent).containsExactly("ACK 0");
        assertThat(fixture.fed).endsWith("end 1 NEW_SESSION", "begin 2", "2:0");
    }

    @Test
    void publishesTheEndAsSoonAsTheRingHasRoom() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.stalled(true);
        fixture.fillRing();
        fixture.heard(false);

        fixture.pass(31 * SECOND);
        assertThat(fixture.session.isAtRest()).isFalse();
        fixture.stalled(false);
        fixture.pass(20);

        assertThat(fixture.fed).endsWith("end 1 VEHICLE_SILENT").doesNotHaveDuplicates();
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    /** No later chunk tells of them. */
    @Test
    void theEndTellsOfChunksThatTheFullRingRefusedBeforeIt() {
        SessionFixture fixture = SessionFixture.recording();
        fixture.stalled(true);
        fixture.fillRing();
        fixture.plain(1);
        fixture.acked(2); // which the vehicle would repeat
        fixture.plain(3);

        fixture.session.want(false);
        fixture.pass(20);
        fixture.answerStop(0);
        fixture.pass(200);
        fixture.stalled(false);
        fixture.pass(20);

        assertThat(fixture.fed).endsWith("end 1 STOPPED, refused 2");
    }

    @Test
    void countsChunksWithImpossibleLengths() {
        SessionFixture fixture = SessionFixture.recording();

        fixture.chunk(true, 1, SessionFixture.OWN_COMPONENT, 255, 250, new byte[249]);
        fixture.chunk(true, 1, SessionFixture.OWN_COMPONENT, 101, 100, new byte[100]);
        fixture.chunk(true, 1, SessionFixture.OWN_COMPONENT, 254, 249, new byte[249]);
        assertThat(fixture.metric("invalid_chunks")).isEqualTo(3);
        fixture.chunk(true, 1, SessionFixture.OWN_COMPONENT, 249, 249, new byte[249]);

        assertThat(fixture.fed).containsExactly("1:1");
        assertThat(fixture.sent).containsExactly("ACK 1");
    }

    @Test
    void shutDownStopsItsOwnLogInGoodOrder() {
        SessionFixture fixture = SessionFixture.recording();

        fixture.session.shutDown(fixture.nowNs());
        assertThat(fixture.state()).isEqualTo(STOPPING);
        fixture.session.want(true);
        fixture.acked(1);
        fixture.answerStop(CommandAck.ACCEPTED);
        fixture.pass(200);

        assertThat(fixture.state()).isEqualTo(IDLE);
        assertThat(fixture.sent).containsExactly("STOP", "ACK 1");
        assertThat(fixture.fed).containsExactly("1:1", "end 1 STOPPED");
    }

    @Test
    void shutDownLetsGoOfALogThatOthersAskedFor() {
        SessionFixture fixture = new SessionFixture();
        fixture.begin(1, 7);

        fixture.session.shutDown(fixture.nowNs());
        fixture.foreign(1);
        fixture.pass(SECOND);

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).endsWith("end 1 RECORDER_STOPS");
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    @Test
    void shutDownComesToRestInEveryOtherState() {
        SessionFixture idle = new SessionFixture();
        SessionFixture asking = SessionFixture.asking();
        SessionFixture awaiting = SessionFixture.asking();
        awaiting.answerStart(CommandAck.ACCEPTED);
        SessionFixture clearing = SessionFixture.asking();
        clearing.plain(7);
        clearing.plain(8);
        clearing.plain(9);
        assertThat(clearing.state()).isEqualTo(CLEARING);
        SessionFixture stopping = SessionFixture.recording();
        stopping.session.want(false);
        stopping.pass(10);

        for (SessionFixture fixture : new SessionFixture[] {idle, asking, awaiting, clearing, stopping}) {
            fixture.session.shutDown(fixture.nowNs());
            fixture.session.want(true);
            long starts = fixture.sent("START");
            fixture.pass(3_100);
            assertThat(fixture.session.isAtRest()).isTrue();
            assertThat(fixture.sent("START")).isEqualTo(starts);
        }
        assertThat(awaiting.sent("STOP")).isPositive();
    }

    @Test
    void waitsForNothingWhileTheVehicleWaitsForAcks() {
        SessionFixture fixture = SessionFixture.recording();

        assertThat(fixture.session.mayWait(fixture.nowNs())).isFalse();
        assertThat(fixture.session.isUnhurried(fixture.nowNs())).isFalse();
        fixture.pass(70);

        assertThat(fixture.session.mayWait(fixture.nowNs())).isTrue();
        assertThat(fixture.session.isUnhurried(fixture.nowNs())).isTrue();
    }
}
