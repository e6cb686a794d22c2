package org.mavlogd.vehicle.ardupilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.vehicle.ardupilot.BlockSessionFixture.asking;
import static org.mavlogd.vehicle.ardupilot.BlockSessionFixture.recording;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.conversation.LogConversation.State;

class ArduPilotLogSessionTest {
    @Test
    void asksAtOnceAndOnceASecondUntilABlockComes() {
        BlockSessionFixture fixture = asking();
        fixture.pass(3500);

        assertThat(fixture.count("START")).isEqualTo(4);

        fixture.block(1, 0);
        fixture.pass(1500);

        assertThat(fixture.count("START")).isEqualTo(4);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0");
    }

    @Test
    void silenceOfADisarmedVehicleIsNoTroubleButThatOfAnArmedOneIs() {
        BlockSessionFixture fixture = asking();
        fixture.pass(60_000);

        assertThat(fixture.session.detail()).isEmpty();
        assertThat(fixture.session.stateText()).contains("keeps the vehicle ready to arm");

        fixture.session.armed(true);
        fixture.pass(11_000);

        assertThat(fixture.session.detail()).contains("LOG_BACKEND_TYPE");
    }

    @Test
    void acknowledgesEachBlockOnceTheRingHasIt() {
        BlockSessionFixture fixture = recording(3);
        fixture.block(1, 4);

        assertThat(fixture.sent).containsExactly("ACK 4");
        assertThat(fixture.fed).containsExactly("1:4");
    }

    @Test
    void takesBlocksOfMavlink1() {
        BlockSessionFixture fixture = asking();
        fixture.asMavlink1();
        fixture.blocks(1, 0, 2);

        assertThat(fixture.fed).containsExactly("begin 1", "1:0", "1:1", "1:2");
    }

    @Test
    void doesNotAcknowledgeWhatTheFullRingRefused() {
        BlockSessionFixture fixture = recording(0);
        fixture.stalled(true);
        fixture.blocks(1, 1, 200);
        long taken = fixture.count("ACK");

        assertThat(taken).isBetween(1L, 199L);

        fixture.stalled(false);
        fixture.blocks(1, 1, 200);

        assertThat(fixture.fed).hasSize(200).doesNotHaveDuplicates();
        assertThat(fixture.count("ACK")).isEqualTo(taken + 200);
    }

    @Test
    void acknowledgesRepeatsAgainAndStoresThemOnce() {
        BlockSessionFixture fixture = recording(10);
        fixture.block(1, 7);
        fixture.block(1, 7);
        fixture.block(1, 0);

        assertThat(fixture.sent).containsExactly("ACK 7", "ACK 7", "ACK 0");
        assertThat(fixture.fed).isEmpty();
    }

    @Test
    void asksForMissingBlocksAtOnceAndNotAgainBefore100Ms() {
        BlockSessionFixture fixture = recording(5);
        fixture.block(1, 8);

        assertThat(fixture.sent).containsExactly("ACK 8", "NACK 6", "NACK 7");

        fixture.pass(80);
        assertThat(fixture.count("NACK")).isEqualTo(2);

        fixture.block(1, 6);
        fixture.pass(60);
        assertThat(fixture.sent).endsWith("ACK 6", "NACK 7");
    }

    @Test
    void boundsHowOftenItAsksForMissingBlocks() {
        BlockSessionFixture fixture = recording(5);
        fixture.block(1, 255);
        assertThat(fixture.count("NACK")).isEqualTo(32);

        for (int i = 0; i < 40; i++) {
            fixture.pass(100);
            fixture.block(1, 255);
        }

        assertThat(fixture.count("NACK")).isLessThan(32 + 4000 / 5 + 2);
    }

    @Test
    void givesUpAskingForABlockThatNeverComes() {
        BlockSessionFixture fixture = recording(5);
        for (int i = 0; i < 100; i++) {
            fixture.block(1, 7 + i);
            fixture.pass(100);
        }

        assertThat(fixture.count("NACK 6")).isEqualTo(10);
    }

    @Test
    void asksForNothingBeforeTheFirstBlockAndClearsAStreamInItsMiddle() {
        BlockSessionFixture fixture = asking();
        fixture.blocks(1, 500, 530);
        fixture.pass(40);

        assertThat(fixture.session.state()).isEqualTo(State.CLEARING);
        assertThat(fixture.count("NACK") + fixture.count("ACK")).isZero();
        assertThat(fixture.sent).endsWith("STOP");

        // Blocks under way still arrive, and block 0 of a stopping stream starts nothing.
        fixture.blocks(1, 531, 535);
        fixture.block(1, 0);
        fixture.pass(460);
        assertThat(fixture.session.state()).isEqualTo(State.CLEARING);

        fixture.forget();
        fixture.pass(100);
        assertThat(fixture.sent).containsExactly("START");
        fixture.block(2, 0);
        assertThat(fixture.fed).containsExactly("begin 1", "1:0");
    }

    @Test
    void repeatsStopWhileBlocksCome() {
        BlockSessionFixture fixture = asking();
        fixture.blocks(1, 500, 510);
        for (int i = 0; i < 20; i++) {
            fixture.pass(100);
            fixture.blocks(1, 500, 510);
        }

        assertThat(fixture.count("STOP")).isEqualTo(4);
        assertThat(fixture.session.state()).isEqualTo(State.CLEARING);
    }

    @Test
    void waitsForBlock0WhenLaterOnesComeFirst() {
        BlockSessionFixture fixture = asking();
        fixture.blocks(1, 1, 20);
        fixture.pass(100);
        assertThat(fixture.count("ACK")).isZero();

        fixture.blocks(1, 0, 20);

        assertThat(fixture.count("STOP")).isZero();
        assertThat(fixture.count("ACK")).isEqualTo(21);
    }

    @Test
    void block0OfOtherContentIsANewLog() {
        BlockSessionFixture fixture = recording(40);
        fixture.block(2, 0);
        fixture.block(2, 1);

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0", "2:1");
    }

    @Test
    void blocksOfAnotherLogAreNeitherTakenNorAcknowledged() {
        BlockSessionFixture fixture = recording(40);
        fixture.block(2, 5);
        fixture.block(1, 5_000_000);

        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void goesOnWithTheSameLogAfterASilence() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(3500);

        assertThat(fixture.session.state()).isEqualTo(State.ASKING);
        assertThat(fixture.count("START")).isEqualTo(2);

        fixture.block(1, 301);

        assertThat(fixture.session.state()).isEqualTo(State.RECORDING);
        assertThat(fixture.fed).containsExactly("1:301");
    }

    @Test
    void endsTheLogThatTheVehicleMustHaveGivenUp() {
        BlockSessionFixture fixture = recording(300);
        fixture.block(1, 302); // the vehicle would repeat 301
        fixture.forget();
        fixture.pass(15_100);

        assertThat(fixture.fed).containsExactly("end 1 STREAM_SILENT");
        assertThat(fixture.session.state()).isEqualTo(State.ASKING);

        BlockSessionFixture gone = recording(300);
        gone.heard(false);
        gone.pass(15_100);

        assertThat(gone.fed).containsExactly("end 1 VEHICLE_SILENT");
        assertThat(gone.session.isAtRest()).isTrue();
        assertThat(gone.count("START")).isLessThanOrEqualTo(1); // it was heard until 3 s ago
    }

    @Test
    void keepsTheLogWhileTheVehicleHasNothingToLog() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(600_000);
        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.session.stateText()).contains("keeps the vehicle ready to arm");

        fixture.session.armed(true);
        fixture.blocks(1, 301, 303);

        assertThat(fixture.fed).containsExactly("1:301", "1:302", "1:303");
        assertThat(fixture.count("STOP")).isZero();
    }

    @Test
    void block0AfterALongSilenceBeginsANewLogHoweverShortTheOldOneIs() {
        BlockSessionFixture fixture = recording(3);
        fixture.pass(16_000);
        fixture.forget();
        fixture.block(1, 0);

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0");
    }

    @Test
    void aStreamThatSomebodyElseHasNowEndsTheLog() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(16_000);
        fixture.forget();
        fixture.block(2, 7, 190);

        assertThat(fixture.fed).containsExactly("end 1 STREAM_SILENT");
        assertThat(fixture.session.detail()).contains("another program");
    }

    @Test
    void afterASilenceBlock0BeginsANewLogEvenIfItLooksTheSame() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(4000);
        fixture.forget();
        fixture.block(1, 1); // formats are equal in every log
        assertThat(fixture.sent).isEmpty();
        fixture.block(1, 0);
        fixture.block(1, 1);

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0", "2:1");
    }

    @Test
    void aRebootEndsTheLog() {
        BlockSessionFixture fixture = recording(40);
        fixture.bootTime(90_000);
        fixture.bootTime(91_000);
        fixture.bootTime(2_000);

        assertThat(fixture.fed).containsExactly("end 1 REBOOT");

        fixture.pass(20);
        fixture.block(1, 0); // the same first block as after the previous boot

        assertThat(fixture.fed).containsExactly("end 1 REBOOT", "begin 2", "2:0");
    }

    @Test
    void leavesTheStreamOfSomebodyElseAlone() {
        BlockSessionFixture fixture = asking();
        fixture.block(1, 0, 190);
        fixture.block(1, 700, 190);
        fixture.pass(2000);

        assertThat(fixture.count("ACK") + fixture.count("NACK") + fixture.count("STOP"))
                .isZero();
        assertThat(fixture.session.detail()).contains("another program");
    }

    @Test
    void goesOnWithTheLogOfAnEarlierRunInTime() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 4000);
        fixture.session.want(true);
        fixture.pass(20);
        fixture.forget();

        fixture.blocks(1, 5010, 5012);

        assertThat(fixture.fed).containsExactly("resume 1", "1:5010", "1:5011", "1:5012");
        assertThat(fixture.sent).contains("ACK 5010", "NACK 5000", "NACK 5009");
        assertThat(fixture.session.pollBegan()).isTrue();
    }

    @Test
    void whatTheFileOfAnEarlierRunLacksIsTakenAndAskedFor() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 4000, List.of(100L, 4900L, 4950L));
        fixture.session.want(true);
        fixture.pass(20);
        fixture.forget();

        fixture.block(1, 5000);
        fixture.block(1, 4900);
        fixture.block(1, 4901); // present

        assertThat(fixture.fed).containsExactly("resume 1", "1:5000", "1:4900");
        assertThat(fixture.sent).contains("ACK 5000", "ACK 4900", "ACK 4901");

        fixture.pass(200);
        assertThat(fixture.sent).contains("NACK 4950").doesNotContain("NACK 100");
    }

    /** The log continues when the vehicle is armed; ending it here would lose that part. */
    @Test
    void aVehicleThatIsSilentAndNoLongerHasWhatAnEarlierRunLackedKeepsItsLog() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 4000, List.of(4900L, 4950L));
        fixture.session.want(true);
        fixture.pass(20);
        fixture.blocks(1, 5000, 5003);
        fixture.pass(20_000);
        fixture.block(1, 5004);

        assertThat(fixture.fed).containsExactly("resume 1", "1:5000", "1:5001", "1:5002", "1:5003", "1:5004");

        // Block 5005 is missing since this run: after 20 s of silence the vehicle has given up.
        fixture.block(1, 5006);
        fixture.pass(20_000);
        assertThat(fixture.fed).endsWith("1:5006", "end 1 STREAM_SILENT");
    }

    /** On a link that reorders frames, each old block would take the place of another one for good. */
    @Test
    void whatWasSentBeforeANewLogDoesNotGetIntoIt() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(20);
        fixture.forget();
        fixture.block(2, 0);
        fixture.block(1, 301);
        fixture.block(2, 1);
        fixture.block(2, 3); // 2 was lost: the vehicle sends it again

        assertThat(fixture.fed).containsExactly("end 1 NEW_SESSION", "begin 2", "2:0", "2:1");
        assertThat(fixture.sent).containsExactly("ACK 0", "ACK 1");

        fixture.pass(100);
        fixture.blocks(2, 2, 3);
        assertThat(fixture.fed).endsWith("2:2", "2:3");

        fixture.pass(200);
        fixture.block(2, 7);
        assertThat(fixture.fed).endsWith("2:7");
    }

    @Test
    void goesOnWithTheLogOfAnEarlierRunHoweverLongTheVehicleHadNothingToLog() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 120_000);
        fixture.session.want(true);
        fixture.pass(20);

        fixture.blocks(1, 5000, 5002);

        assertThat(fixture.fed).containsExactly("resume 1", "1:5000", "1:5001", "1:5002");
    }

    @Test
    void aRepeatOfBlock0GoesOnWithTheLogOfAnEarlierRun() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(13, 2000);
        fixture.session.want(true);
        fixture.pass(20);
        fixture.forget();
        fixture.block(1, 0);
        fixture.block(1, 13);

        assertThat(fixture.fed).containsExactly("resume 1", "1:13");
        assertThat(fixture.sent).containsExactly("ACK 0", "ACK 13");

        // After ten seconds the vehicle has given up, and blocks that look the same are of another log.
        BlockSessionFixture late = new BlockSessionFixture();
        late.unfinishedLog(13, 10_000);
        late.session.want(true);
        late.pass(20);
        late.block(1, 0);

        assertThat(late.fed).containsExactly("begin 1", "1:0");
    }

    @Test
    void aLowNumberGoesOnWithAnOldLogOnlyWhenNoBlock0Comes() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(100, 11_000);
        fixture.session.want(true);
        fixture.pass(20);
        fixture.blocks(2, 1, 20); // block 0 was lost

        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.count("ACK")).isZero();

        fixture.blocks(2, 0, 20);

        assertThat(fixture.fed).hasSize(22).startsWith("begin 1", "1:0", "1:1");

        BlockSessionFixture same = new BlockSessionFixture();
        same.unfinishedLog(100, 11_000);
        same.session.want(true);
        same.pass(20);
        for (int i = 0; i < 21; i++) {
            same.block(2, 7); // unknown whether this block is stored
            same.blocks(1, 100, 105);
            same.pass(100);
        }

        assertThat(same.fed).hasSize(7).startsWith("resume 1", "1:100");
    }

    @Test
    void aSilentStreamOfAnEarlierRunIsBegunAnewWhileTheVehicleIsDisarmed() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 1000);
        fixture.session.want(true);
        fixture.pass(2900);
        assertThat(fixture.count("STOP")).isZero();
        fixture.forget();
        fixture.pass(200);

        assertThat(fixture.sent).containsSubsequence("STOP", "START");
        assertThat(fixture.ticket().state()).isEqualTo(ResumeTicket.State.DROPPED);
        fixture.pass(60_000);
        assertThat(fixture.count("STOP")).isEqualTo(1);

        BlockSessionFixture armed = new BlockSessionFixture();
        armed.unfinishedLog(5000, 1000);
        armed.session.want(true);
        armed.session.armed(true);
        armed.pass(10_000);

        assertThat(armed.count("STOP")).isZero();
    }

    @Test
    void aStreamThatMayBeIdleIsBegunAnewWhenTheVehicleIsHeardAgain() {
        BlockSessionFixture fixture = recording(300);
        fixture.heard(false);
        fixture.pass(20_000);
        fixture.forget();
        fixture.heard(true);
        fixture.pass(3100);

        assertThat(fixture.sent).containsSubsequence("STOP", "START");
        assertThat(fixture.count("STOP")).isEqualTo(1);
    }

    /** Runs that were killed early acknowledged blocks without writing any. */
    @Test
    void goesOnWithALogOfWhichMuchWasNeverWritten() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 1000);
        fixture.session.want(true);
        fixture.pass(20);

        fixture.blocks(1, 9000, 9001);

        assertThat(fixture.fed).containsExactly("resume 1", "1:9000", "1:9001");
        assertThat(fixture.ticket().state()).isEqualTo(ResumeTicket.State.RESUMED);
    }

    @Test
    void doesNotGoOnWithALogFarFromItsEnd() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 1000);
        fixture.session.want(true);
        fixture.pass(20);

        fixture.blocks(1, 14_000, 14_004);

        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.session.state()).isEqualTo(State.CLEARING);
    }

    @Test
    void aNewLogGivesUpTheOldOne() {
        BlockSessionFixture fixture = new BlockSessionFixture();
        fixture.unfinishedLog(5000, 1000);
        fixture.session.want(true);
        fixture.pass(20);

        fixture.block(2, 0);

        assertThat(fixture.fed).containsExactly("begin 1", "1:0");
        assertThat(fixture.ticket().state()).isEqualTo(ResumeTicket.State.DROPPED);
    }

    @Test
    void leavesAStreamThatRunsToTheNextRun() {
        BlockSessionFixture fixture = recording(40);
        fixture.shutDown();
        fixture.pass(20);

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).containsExactly("end 1 LEFT");
        assertThat(fixture.session.isAtRest()).isTrue();

        fixture.block(1, 41);
        fixture.block(2, 0);
        assertThat(fixture.fed).hasSize(1);
        assertThat(fixture.sent).isEmpty();
    }

    @Test
    void stopsAnIdleStreamAtTheEndAndTakesWhatIsUnderWay() {
        BlockSessionFixture fixture = recording(300);
        fixture.pass(5000);
        fixture.forget();
        fixture.shutDown();
        fixture.pass(20);
        assertThat(fixture.sent).containsExactly("STOP");

        fixture.block(1, 301);
        fixture.pass(1000);

        assertThat(fixture.fed).containsExactly("1:301", "end 1 STOPPED");
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    /** The vehicle keeps its recorder until STOP, and could otherwise be armed without one. */
    @Test
    void stopsAVehicleThatNeverSentABlock() {
        BlockSessionFixture fixture = asking();
        fixture.pass(14_000);
        fixture.forget();
        fixture.shutDown();
        fixture.pass(200);
        assertThat(fixture.session.isAtRest()).isFalse();
        fixture.pass(1000);

        assertThat(fixture.sent).as("repeated, for nobody answers it").containsExactly("STOP", "STOP", "STOP");
        assertThat(fixture.fed).isEmpty();
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    @Test
    void leavesAVehicleAloneThatWasNeverAskedOrIsArmed() {
        BlockSessionFixture notAsked = new BlockSessionFixture();
        notAsked.pass(1000);
        BlockSessionFixture armed = asking();
        armed.session.armed(true);
        armed.pass(1000);

        for (BlockSessionFixture fixture : List.of(notAsked, armed)) {
            fixture.forget();
            fixture.shutDown();
            fixture.pass(1000);
            assertThat(fixture.sent).isEmpty();
            assertThat(fixture.session.isAtRest()).isTrue();
        }
    }

    /** On this link the vehicle's output blocks without a reader, and it never notices missing acknowledgements. */
    @Test
    void stopsAStreamThatRunsWhereTheVehicleDoesNotNoticeThatItsRecorderLeft() {
        BlockSessionFixture fixture = asking(false);
        fixture.blocks(1, 0, 40);
        fixture.block(1, 42);
        fixture.forget();
        fixture.shutDown();
        fixture.pass(200);
        assertThat(fixture.count("STOP")).as("first what is missing").isZero();
        fixture.block(1, 41);
        fixture.pass(20);
        fixture.block(1, 43);
        assertThat(fixture.count("STOP")).isEqualTo(1);
        fixture.pass(1200);

        assertThat(fixture.fed).containsExactly("1:41", "1:43", "end 1 STOPPED");
        assertThat(fixture.count("START")).isZero();
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    @Test
    void doesNotStopAnArmedVehicleWhateverItsLink() {
        BlockSessionFixture fixture = asking(false);
        fixture.session.armed(true);
        fixture.blocks(1, 0, 40);
        fixture.forget();
        fixture.shutDown();
        fixture.pass(1200);

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).containsExactly("end 1 LEFT");
    }

    /** Formats are equal in each log, and once acknowledged they would not come again. */
    @Test
    void whileItStopsOrLeavesASilentLogLowNumbersMayBeOfANewOne() {
        BlockSessionFixture ending = recording(300);
        ending.pass(5000);
        ending.forget();
        ending.shutDown();
        ending.pass(20);
        ending.block(2, 17);
        ending.pass(1200);

        assertThat(ending.count("ACK")).isZero();
        assertThat(ending.fed).containsExactly("end 1 STOPPED");

        BlockSessionFixture afterADrive = recording(300);
        afterADrive.block(1, 302); // 301 is missing: STOP waits for it
        afterADrive.pass(5000);
        afterADrive.forget();
        afterADrive.endDrive();
        afterADrive.block(2, 301 - 256);
        assertThat(afterADrive.count("ACK")).isZero();
        afterADrive.block(2, 0);

        assertThat(afterADrive.fed).containsExactly("end 1 STOPPED", "begin 2", "2:0");
    }

    @Test
    void waitsALittleForMissingBlocksBeforeItLeaves() {
        BlockSessionFixture fixture = recording(40);
        fixture.block(1, 42);
        fixture.forget();
        fixture.shutDown();
        fixture.pass(200);
        assertThat(fixture.session.isAtRest()).isFalse();

        fixture.block(1, 41);
        fixture.pass(20);

        assertThat(fixture.fed).containsExactly("1:41", "end 1 LEFT");
        assertThat(fixture.session.isAtRest()).isTrue();

        BlockSessionFixture never = recording(40);
        never.block(1, 42);
        never.shutDown();
        never.pass(1020);

        assertThat(never.fed).endsWith("end 1 LEFT");
    }

    @Test
    void doesNotStopAnArmedVehicle() {
        BlockSessionFixture fixture = recording(40);
        fixture.pass(5000);
        fixture.forget();
        fixture.session.armed(true);
        fixture.endDrive();
        fixture.shutDown();
        fixture.pass(100);

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).containsExactly("end 1 LEFT");
        assertThat(fixture.session.isAtRest()).isTrue();
    }

    @Test
    void beginsTheNextLogWithoutAPauseInWhichTheVehicleWouldNotArm() {
        BlockSessionFixture fixture = recording(1400);
        fixture.endDrive();
        fixture.pass(20);
        assertThat(fixture.sent).containsExactly("STOP", "START");

        fixture.block(1, 1401); // was under way
        fixture.block(2, 1); // block 0 was lost
        fixture.blocks(2, 0, 2);

        assertThat(fixture.fed).containsExactly("1:1401", "end 1 STOPPED", "begin 2", "2:0", "2:1", "2:2");
        assertThat(fixture.session.state()).isEqualTo(State.RECORDING);
    }

    @Test
    void goesOnWithTheLogWhenTheVehicleIsArmedBeforeItIsStopped() {
        BlockSessionFixture fixture = recording(40);
        fixture.block(1, 42); // the recorder waits for 41
        fixture.endDrive();
        fixture.session.armed(true);
        fixture.pass(1000);
        fixture.block(1, 43);

        assertThat(fixture.count("STOP")).isZero();
        assertThat(fixture.fed).containsExactly("1:42", "1:43");
    }

    @Test
    void asksAgainAtOnceAfterTheLogOfADrive() {
        BlockSessionFixture fixture = recording(40);
        fixture.endDrive();
        fixture.pass(600);

        assertThat(fixture.sent).containsExactly("STOP", "START");
        assertThat(fixture.fed).containsExactly("end 1 STOPPED");
    }

    @Test
    void givesTheLogUpWithoutStopWhenAnotherLinkHasTheVehicle() {
        BlockSessionFixture fixture = recording(40);
        fixture.session.want(false);
        fixture.pass(100);

        assertThat(fixture.sent).isEmpty();
        assertThat(fixture.fed).containsExactly("end 1 RECORDER_STOPS");
    }
}
