package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.control.LogLines;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.record.LogBytes.Message;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.OutputTrouble;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FakeDisk.Operation;

/** Chunks in, files out: recorder, recording, output and head together. */
class Px4RecordingTest {
    private static final int SAMPLES = 1000;
    private static final int MILLISECONDS_BETWEEN = 2;

    private final FakeDisk disk = new FakeDisk();
    private final RecordingFixture fixture = new RecordingFixture(disk);

    @Test
    void passesAWholeLogUnchangedAndNamesItself() {
        byte[] log = log(SAMPLES);

        play(log, 0, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        byte[] file = fixture.onlyFile();
        assertThat(fixture.names().get(0)).endsWith("_sys001_000001.ulg");
        assertThat(fromVehicle(file)).isEqualTo(log);
        assertThat(LogBytes.messages(file).get(1).type()).isEqualTo('I');
        assertThat(fixture.metric("record_chunks")).isEqualTo(chunks(log));
        assertThat(fixture.metric("record_dropouts")).isZero();
    }

    @Test
    void makesNoFileForABareHeader() {
        byte[] log = Arrays.copyOf(log(1), 16);

        play(log, 0, 1);
        fixture.end(SessionEnd.STREAM_SILENT);

        assertThat(fixture.names()).isEmpty();
    }

    @Test
    void leavesSamplesWithoutSubscriptionOut() {
        byte[] log = LogBytes.withTopic()
                .sample(2_000_000)
                .sample(9, 2_001_000)
                .sample(2_002_000)
                .toBytes();

        play(log, 0, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        assertThat(types(fixture.onlyFile())).isEqualTo("BIIFADD");
        assertThat(fixture.metric("record_discarded_bytes")).isEqualTo(63);
    }

    @Test
    void sharesLostChunksOutAmongTheCauses() {
        byte[] log = log(SAMPLES);
        play(log, 0, 20);
        fixture.loseFrames(4);
        play(log, 24, 30); // 4 lost on the link
        play(log, 33, 40); // 3 never sent
        fixture.ringDropped(2);
        play(log, 42, 50); // 2 did not fit
        fixture.end(SessionEnd.STOPPED);

        String metrics = fixture.metrics.scrape();
        assertThat(metrics).contains("lost_chunks_total{cause=\"link\",link=\"test\"} 4.0");
        assertThat(metrics).contains("lost_chunks_total{cause=\"vehicle\",link=\"test\"} 3.0");
        assertThat(metrics).contains("lost_chunks_total{cause=\"ring\",link=\"test\"} 2.0");
    }

    @Test
    void marksAndCountsChunksThatTheFullRingRefusedAtTheEnd() {
        byte[] log = log(SAMPLES);
        play(log, 0, 20);
        fixture.advanceMs(700);
        fixture.ringDropped(3);
        fixture.end(SessionEnd.STOPPED);

        assertThat(fixture.metrics.scrape()).contains("lost_chunks_total{cause=\"ring\",link=\"test\"} 3.0");
        List<Message> messages = LogBytes.messages(fixture.onlyFile());
        assertThat(messages.get(messages.size() - 1).type()).isEqualTo('O');
        assertThat(fixture.metric("record_dropout_seconds")).isEqualTo(0.7);
    }

    @Test
    void doesNotBlameTheVehicleWhenTheFrameCountMayHaveGoneRound() {
        byte[] log = log(SAMPLES);
        play(log, 0, 20);
        play(log, 20 + 128, 20 + 130);
        fixture.end(SessionEnd.STOPPED);

        assertThat(fixture.metrics.scrape()).contains("lost_chunks_total{cause=\"link\",link=\"test\"} 128.0");
    }

    @Test
    void writesAGapOfHoursWithoutEnd() {
        byte[] log = log(5);
        play(log, 0, chunks(log));
        int first = chunks(log);
        // Each number is two ahead, half an hour later, and no message has a time.
        byte[] sync = LogBytes.encoded('S', new byte[8]);
        for (int i = 0; i < 20; i++) {
            fixture.advanceMs(1_800_000);
            fixture.chunk(new BytesChunk(first + 1 + 2 * i, 0, sync, 0, sync.length));
            fixture.workForMs(240);
        }
        fixture.end(SessionEnd.STOPPED);

        byte[] file = fixture.onlyFile();
        long markedMs = LogBytes.messages(file).stream()
                .filter(message -> message.type() == 'O')
                .mapToLong(message -> (file[message.offset() + 3] & 0xFF) | (file[message.offset() + 4] & 0xFF) << 8)
                .sum();
        assertThat(markedMs).isBetween(35_000_000L, 37_000_000L);
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "WRITE", "FORCE"})
    void goesOnInANewFileAfterAnyOneFailure(Operation operation) {
        byte[] log = log(SAMPLES);
        int most = runWithout(log).count(operation);
        assertThat(most).isPositive();

        for (int failing = 0; failing < most; failing++) {
            int at = failing;
            FakeDisk faulty = new FakeDisk();
            faulty.fail(operation, count -> count == at);
            RecordingFixture run = new RecordingFixture(faulty);
            play(run, log, 0, chunks(log));
            run.end(SessionEnd.STOPPED);

            assertEachFileStandsAlone(run, log, operation + " " + at);
            assertThat(run.metric("record_disk_failures") > 0 || operation == Operation.FORCE)
                    .as("%s %d is counted", operation, at)
                    .isTrue();
            assertEverySampleIsAccountedFor(run, operation + " " + at);
        }
    }

    private static void assertEverySampleIsAccountedFor(RecordingFixture run, String what) {
        long inFiles = run.names().stream()
                .flatMap(name -> LogBytes.messages(run.disk.bytes(name)).stream())
                .filter(message -> message.type() == 'D')
                .count();
        double lostMessages = run.metric("record_discarded_bytes") / 63;
        // A failed write also counts its heads and marks as lost.
        assertThat(inFiles + lostMessages).as(what).isBetween(SAMPLES - 1.0, SAMPLES + 70.0);
    }

    @Test
    void marksWhatTheDiskDidNotTake() {
        byte[] log = log(SAMPLES);
        disk.fail(Operation.WRITE, count -> count == 5);
        disk.fail(Operation.CREATE, count -> count == 1);

        play(log, 0, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        assertThat(fixture.names()).hasSize(2);
        byte[] second = disk.bytes(fixture.names().get(1));
        assertThat(types(second)).startsWith("BIIIIFAOD");
        Message mark = LogBytes.messages(second).get(7);
        Message follower = LogBytes.messages(second).get(8);
        int markedMs = (second[mark.offset() + 3] & 0xFF) | (second[mark.offset() + 4] & 0xFF) << 8;
        List<Message> first = LogBytes.messages(disk.bytes(fixture.names().get(0)));
        long lastUs = first.get(first.size() - 1).timestampUs();
        // The old file lost the failed batch: the mark leaves out up to one batch.
        long batchMs = RecordingFixture.BATCH_BYTES / 63 * MILLISECONDS_BETWEEN;
        assertThat((follower.timestampUs() - lastUs) / 1000 - markedMs).isBetween(-1L, batchMs + 20);
        assertThat(markedMs).isGreaterThan(900);
    }

    @Test
    void doesNotFillABrokenDiskWithBeginnings() {
        byte[] log = log(SAMPLES);
        play(log, 0, 20);
        disk.fail(Operation.WRITE, count -> true);

        fixture.workForMs(10 * 60_000);
        fixture.end(SessionEnd.STOPPED);

        // Files whose head could not be written are deleted.
        assertThat(fixture.names()).hasSize(1);
        assertThat(fixture.disk.count(Operation.CREATE)).isBetween(20, 40);
    }

    @Test
    void makesNoFilesWhileTheDiskIsFullAndGoesOnAfterwards() {
        byte[] log = log(SAMPLES);
        play(log, 0, 20);
        disk.fail(Operation.WRITE, count -> disk.storedNames().size() == 1);
        disk.usableBytes(10);
        play(log, 20, 120);
        fixture.workForMs(60_000);
        assertThat(fixture.names()).hasSize(1);
        assertThat(fixture.recorder.statuses().get(0).problem()).isEqualTo("paused: no space left in fake disk");

        disk.usableBytes(Long.MAX_VALUE);
        fixture.workForMs(2_000);
        play(log, 120, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        assertThat(fixture.names()).hasSize(2);
        assertEachFileStandsAlone(fixture, log, "full");
    }

    @Test
    void theEndOfALogWithoutSpaceNamesTheFilesThatHaveItsBytes() {
        byte[] log = log(SAMPLES);
        play(log, 0, 40);
        disk.usableBytes(10);
        fixture.workForMs(300);
        disk.usableBytes(Long.MAX_VALUE);
        fixture.workForMs(500);
        play(log, 40, 80);
        disk.usableBytes(10);
        fixture.workForMs(300);
        List<String> lines;
        try (LogLines logged = new LogLines(Px4Recording.class)) {
            fixture.end(SessionEnd.STOPPED);
            lines = logged.all();
        }

        List<String> names = fixture.names();
        assertThat(names).hasSize(2);
        int bytes = disk.bytes(names.get(0)).length + disk.bytes(names.get(1)).length;
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("log ended, stopped: " + names.get(1) + " and 1 earlier file, " + bytes + " bytes, ");
    }

    @Test
    void pausesForWantOfSpaceAndMarksTheGap() {
        byte[] log = log(SAMPLES);
        play(log, 0, 40);
        fixture.workForMs(300);
        disk.usableBytes(10);
        fixture.workForMs(300);

        // The file is finished normally, with all data received so far.
        assertThat(fixture.names()).singleElement().asString().endsWith("000001.ulg");
        byte[] first = disk.bytes(fixture.names().get(0));
        assertThat(fixture.metric("record_discarded_bytes")).isZero();
        play(log, 40, 140);
        fixture.workForMs(300);
        RecordingStatus paused = fixture.recorder.statuses().get(0);
        assertThat(paused.problem()).isEqualTo("paused: no space left in fake disk");
        assertThat(paused.figures().spaceLostBytes()).isPositive();
        assertThat(paused.figures().diskLostBytes()).isZero();
        assertThat(fixture.metric("record_disk_failures")).isZero();
        disk.usableBytes(Long.MAX_VALUE);
        fixture.workForMs(500);
        play(log, 140, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        assertThat(fixture.names()).hasSize(2);
        byte[] second = disk.bytes(fixture.names().get(1));
        assertThat(types(second)).startsWith("BIIIIFAOD");
        Message mark = LogBytes.messages(second).get(7);
        Message follower = LogBytes.messages(second).get(8);
        int markedMs = (second[mark.offset() + 3] & 0xFF) | (second[mark.offset() + 4] & 0xFF) << 8;
        List<Message> stored = LogBytes.messages(first);
        long missingMs = (follower.timestampUs() - stored.get(stored.size() - 1).timestampUs()) / 1000;
        assertThat((long) markedMs).isBetween(missingMs - MILLISECONDS_BETWEEN - 1L, missingMs + 1L);
        long samples = Stream.of(first, second)
                .flatMap(file -> LogBytes.messages(file).stream())
                .filter(message -> message.type() == 'D')
                .count();
        assertThat(samples + fixture.metric("record_discarded_bytes") / 63).isEqualTo(SAMPLES);
    }

    @Test
    void aFileThatFailsWhenItIsFinishedForWantOfSpaceIsReported() {
        byte[] log = log(SAMPLES);
        play(log, 0, 40);
        fixture.workForMs(400);
        disk.usableBytes(10);
        disk.fail(Operation.WRITE, count -> true);
        play(log, 40, 42); // not written before the space is measured
        try (LogLines logged = new LogLines(OutputTrouble.class)) {
            fixture.workForMs(300);
            assertThat(logged.all()).singleElement().asString().endsWith("; its end is missing");
        }

        RecordingStatus paused = fixture.recorder.statuses().get(0);
        assertThat(paused.problem()).isEqualTo("paused: no space left in fake disk");
        assertThat(paused.figures().spaceLostBytes()).isPositive();
        assertThat(fixture.metric("record_disk_failures")).isEqualTo(1);
    }

    @Test
    void aLogThatBeginsWithoutSpaceHasAllDefinitionsAfterwards() {
        byte[] log = log(SAMPLES);
        disk.usableBytes(10);
        fixture.workForMs(300);
        play(log, 0, 100);
        assertThat(fixture.names()).isEmpty();

        disk.usableBytes(Long.MAX_VALUE);
        fixture.workForMs(500);
        play(log, 100, chunks(log));
        fixture.end(SessionEnd.STOPPED);

        assertThat(types(fixture.onlyFile())).startsWith("BIIFAOD");
    }

    @Test
    void aDiskThatFillsFasterThanItIsMeasuredEndsInAPause() {
        byte[] log = log(SAMPLES);
        disk.capacity(20_000);
        disk.put("film.mkv", new byte[5_000]);
        play(log, 0, chunks(log));
        fixture.workForMs(60_000);

        // The reserve is 256 KiB if the disk's size is unknown; here it is a sixteenth of the disk.
        assertThat(fixture.recorder.statuses().get(0).problem()).isEqualTo("paused: no space left in fake disk");
        assertThat(fixture.names()).hasSizeLessThanOrEqualTo(3);
        assertThat(disk.count(Operation.CREATE)).isLessThanOrEqualTo(3);
    }

    @Test
    void aStreamThatBeginsLogsAllTheTimeGetsThirtyFilesInAMinute() {
        byte[] log = log(4);
        for (int session = 2; session < 200; session++) {
            fixture.end(session - 1, SessionEnd.SEQUENCE_RESTART);
            fixture.begin(session);
            play(log, 0, chunks(log));
            fixture.workForMs(20);
        }

        assertThat(fixture.names().size()).isLessThanOrEqualTo(31);
        assertThat(fixture.metric("record_refused_files")).isPositive();
        assertThat(fixture.recorder.statuses().get(0).problem())
                .isEqualTo("more than 30 new files within a minute; waiting");
        fixture.workForMs(61_000);
        assertThat(fixture.recorder.statuses().get(0).problem()).isEmpty();
    }

    @Test
    void finishesOpenLogsWhenTheProgramEnds() {
        byte[] log = log(SAMPLES);
        play(log, 0, chunks(log));

        fixture.recorder.onClose();
        fixture.work();

        assertThat(fromVehicle(fixture.onlyFile())).isEqualTo(log);
        assertThat(fixture.names().get(0)).endsWith(".ulg");
    }

    private static FakeDisk runWithout(byte[] log) {
        RecordingFixture run = new RecordingFixture();
        play(run, log, 0, chunks(log));
        run.end(SessionEnd.STOPPED);
        return run.disk;
    }

    private static void assertEachFileStandsAlone(RecordingFixture run, byte[] log, String what) {
        assertThat(run.names()).as(what).isNotEmpty();
        List<Long> times = new ArrayList<>();
        for (String name : run.names()) {
            byte[] file = run.disk.bytes(name);
            if (file.length > 0) {
                // The first file may have failed before all definitions arrived.
                boolean first = name.contains("000001");
                String types = types(file).replaceAll("I+", "I");
                String begin = types.substring(0, Math.min(4, types.length()));
                assertThat("BIFA").as("%s: %s", what, name).startsWith(begin);
                assertThat(first || begin.equals("BIFA"))
                        .as("%s: %s", what, name)
                        .isTrue();
                LogBytes.messages(file).stream()
                        .filter(message -> message.type() == 'D')
                        .forEach(message -> times.add(message.timestampUs()));
            }
        }
        assertThat(times).as(what).isSorted().doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(SAMPLES);
        long last = LogBytes.messages(log).get(SAMPLES + 2).timestampUs();
        assertThat(times.get(times.size() - 1)).as(what).isBetween(last - 1_000_000, last);
    }

    private static byte[] log(int samples) {
        LogBytes log = LogBytes.withTopic();
        for (int i = 0; i < samples; i++) {
            log.sample(2_000_000 + (long) i * MILLISECONDS_BETWEEN * 1000);
        }
        return log.toBytes();
    }

    private static int chunks(byte[] log) {
        return (log.length + LogBytes.CHUNK_LENGTH - 1) / LogBytes.CHUNK_LENGTH;
    }

    private void play(byte[] log, int from, int to) {
        play(fixture, log, from, to);
    }

    private static void play(RecordingFixture run, byte[] log, int from, int to) {
        int[] offsets = LogBytes.firstMessageOffsets(log, LogBytes.CHUNK_LENGTH);
        for (int chunk = from; chunk < to; chunk++) {
            run.advanceMs(8);
            run.chunk(BytesChunk.of(log, offsets, chunk));
        }
    }

    private static String types(byte[] file) {
        return LogBytes.types(file);
    }

    private static byte[] fromVehicle(byte[] file) {
        return LogBytes.fromVehicle(file);
    }
}
