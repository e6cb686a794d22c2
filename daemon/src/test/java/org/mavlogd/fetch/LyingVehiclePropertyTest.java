package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogDataLayout;
import org.mavlogd.mavlink.LogEntryLayout;
import org.mavlogd.mavlink.LogRequestDataLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;

/**
 * A vehicle that answers with random messages: nothing throws, nothing is written outside a log, and the conversation
 * ends.
 */
class LyingVehiclePropertyTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int SEEDS = 150;
    private static final int SMALL = 3000;

    /** One conversation in which each request gets some made-up answers. */
    private static final class Talk {
        private final Random random;
        private final FrameEncoder encoder = new FrameEncoder(1);
        private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        private final Queue<byte[]> answers = new ArrayDeque<>();
        private final MemoryClient client;
        private final FetchSession session;
        private final FrameDecoder decoder;
        private long nowNs = 5;
        private int requests;

        Talk(long seed, int autopilot, FetchClient.Way way) {
            this.random = new Random(seed);
            // Memory for logs with a false size is not part of this test.
            this.client = new MemoryClient(
                    list -> list.stream().filter(log -> log.length() < 1 << 20).toList(), seed, 0.1);
            this.session = new FetchSession(
                    new FetchTarget(1, 1, autopilot, 191),
                    new FetchSession.Wish(List.of(way), 20 * SECOND_NS, true),
                    this::onRequest,
                    client,
                    MemoryShare.unlimited(),
                    nowNs);
            this.decoder = new FrameDecoder(session::onFrame, FrameCounters.unregistered());
        }

        void run() {
            for (int i = 0; i < 40_000 && !session.isEnded(); i++) {
                nowNs += 20_000_000;
                for (byte[] answer = answers.poll(); answer != null; answer = answers.poll()) {
                    if (answers.size() > 100) {
                        answers.clear();
                    }
                    decoder.decodeDatagram(answer, 0, answer.length, nowNs);
                }
                session.onTick(nowNs);
            }
            assertThat(session.isEnded()).isTrue();
            assertThat(requests).isLessThan(200_000);
        }

        private void onRequest(int messageId, byte[] payload, int length) {
            requests++;
            if (answers.size() > 50) {
                return;
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                switch (messageId) {
                    case MessageIds.LOG_REQUEST_LIST -> entry();
                    case MessageIds.LOG_REQUEST_DATA -> data(payload);
                    case MessageIds.FILE_TRANSFER_PROTOCOL -> reply(payload);
                    default -> {}
                }
            }
        }

        private void entry() {
            byte[] content = new byte[LogEntryLayout.FULL_LENGTH];
            random.nextBytes(content);
            if (random.nextInt(3) > 0) {
                int count = random.nextInt(4);
                LogEntryLayout.putNumLogs(content, count);
                LogEntryLayout.putId(content, random.nextInt(5));
                LogEntryLayout.putSize(content, random.nextInt(SMALL));
            }
            answer(MessageIds.LOG_ENTRY, content);
        }

        private void data(byte[] request) {
            byte[] content = new byte[LogDataLayout.FULL_LENGTH];
            random.nextBytes(content);
            if (random.nextInt(4) > 0) {
                System.arraycopy(request, LogRequestDataLayout.ID_OFFSET, content, LogDataLayout.ID_OFFSET, 2);
                System.arraycopy(request, 0, content, 0, 4);
                content[1] += (byte) random.nextInt(2);
                content[LogDataLayout.COUNT_OFFSET] = (byte) random.nextInt(100);
            }
            answer(MessageIds.LOG_DATA, content);
        }

        private void reply(byte[] request) {
            byte[] content = new byte[FtpLayout.LENGTH];
            random.nextBytes(content);
            content[FtpLayout.TARGET_SYSTEM] = 1;
            content[FtpLayout.TARGET_COMPONENT] = (byte) 191;
            int number = (request[FtpLayout.NUMBER] & 0xFF) | (request[FtpLayout.NUMBER + 1] & 0xFF) << 8;
            LittleEndian.putInt16(content, FtpLayout.NUMBER, number + random.nextInt(3));
            content[FtpLayout.OPCODE] = (byte) (random.nextInt(4) == 0 ? FtpLayout.NAK : FtpLayout.ACK);
            content[FtpLayout.REQUEST_OPCODE] = request[FtpLayout.OPCODE];
            content[FtpLayout.SIZE] = (byte) random.nextInt(256);
            if (content[FtpLayout.OPCODE] == (byte) FtpLayout.NAK) {
                content[FtpLayout.DATA] = (byte) random.nextInt(12);
            } else if (request[FtpLayout.OPCODE] == FtpLayout.LIST_DIRECTORY) {
                list(content);
            } else if (request[FtpLayout.OPCODE] == FtpLayout.OPEN_FILE_RO) {
                LittleEndian.putInt32(content, FtpLayout.DATA, random.nextInt(SMALL));
            } else {
                System.arraycopy(request, FtpLayout.OFFSET, content, FtpLayout.OFFSET, Integer.BYTES);
            }
            answer(MessageIds.FILE_TRANSFER_PROTOCOL, content);
        }

        private void list(byte[] content) {
            String[] words = {
                "F00000001.BIN\t900",
                "F00000002.BIN\t99999999999",
                "F../../etc/passwd\t10",
                "D..",
                "D2026-11-20",
                "Fa.ulg\t700",
                "F/b.ulg\t1",
                "S",
                "",
                "\t",
                "F\t",
                "FLASTLOG.TXT\t7",
                "Dsess001",
                "F12_00_00.ulg\t-5"
            };
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(6); i > 0; i--) {
                text.append(words[random.nextInt(words.length)]).append('\0');
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(bytes, 0, content, FtpLayout.DATA, Math.min(bytes.length, FtpLayout.DATA_LENGTH));
            content[FtpLayout.SIZE] = (byte) Math.min(bytes.length, FtpLayout.DATA_LENGTH);
        }

        private void answer(int messageId, byte[] content) {
            int length = encoder.encode(1, messageId, content, content.length, frame, 0);
            answers.add(Arrays.copyOf(frame, length));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Heartbeat.AUTOPILOT_ARDUPILOT, Heartbeat.AUTOPILOT_PX4})
    void endsByMessages(int autopilot) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new Talk(seed, autopilot, FetchClient.Way.MESSAGES).run();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Heartbeat.AUTOPILOT_ARDUPILOT, Heartbeat.AUTOPILOT_PX4})
    void endsByFtp(int autopilot) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new Talk(seed, autopilot, FetchClient.Way.FTP).run();
        }
    }

    /** A vehicle that answers each request for its list with the same entries. */
    private static final class Lister {
        private final MemoryClient client = MemoryClient.ofAll();
        private final FrameEncoder encoder = new FrameEncoder(1);
        private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        private final Queue<byte[]> answers = new ArrayDeque<>();
        private final FrameDecoder decoder;
        private final FetchSession session;
        private final String entries;

        Lister(String entries, MemoryShare memory) {
            this.entries = entries;
            this.session = new FetchSession(
                    new FetchTarget(1, 1, Heartbeat.AUTOPILOT_PX4, 191),
                    new FetchSession.Wish(List.of(FetchClient.Way.FTP), 60 * SECOND_NS, true),
                    (id, payload, length) -> answer(id, payload),
                    client,
                    memory,
                    0);
            this.decoder = new FrameDecoder(session::onFrame, FrameCounters.unregistered());
        }

        private void answer(int id, byte[] payload) {
            byte[] content = payload.clone();
            content[FtpLayout.TARGET_COMPONENT] = (byte) 191;
            content[FtpLayout.OPCODE] = (byte) FtpLayout.ACK;
            content[FtpLayout.REQUEST_OPCODE] = FtpLayout.LIST_DIRECTORY;
            int number = (payload[FtpLayout.NUMBER] & 0xFF) | (payload[FtpLayout.NUMBER + 1] & 0xFF) << 8;
            LittleEndian.putInt16(content, FtpLayout.NUMBER, number + 1);
            byte[] text = entries.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(text, 0, content, FtpLayout.DATA, text.length);
            content[FtpLayout.SIZE] = (byte) text.length;
            int size = encoder.encode(1, id, content, content.length, frame, 0);
            answers.clear(); // the same request again
            answers.add(Arrays.copyOf(frame, size));
        }

        /** Answers once every {@code ticks} ticks until the session gives up; returns the number of answers. */
        int run(long tickNs, int ticks) {
            for (int i = 1; i < 50_000; i++) {
                long nowNs = i * tickNs;
                byte[] alive = new byte[9];
                int size = encoder.encode(
                        1, MessageIds.HEARTBEAT, alive, new Heartbeat(0, 12, 0, 0, 3).encodePayload(alive), frame, 0);
                hear(Arrays.copyOf(frame, size), nowNs);
                session.onTick(nowNs);
                if (i % ticks == 0) {
                    hear(answers.poll(), nowNs);
                }
                if (session.isEnded()) {
                    return i / ticks;
                }
            }
            throw new AssertionError("still running");
        }

        private void hear(byte @Nullable [] answer, long nowNs) {
            if (answer != null) {
                decoder.decodeDatagram(answer, 0, answer.length, nowNs);
            }
        }
    }

    @Test
    void anEndlessDirectoryIsGivenUp() {
        Lister lister = new Lister("Da\0Db\0", MemoryShare.unlimited());

        lister.run(1, 1);

        assertThat(lister.client.end()).contains("more than 20000 entries");
    }

    /** Ten such vehicles once ended the recorder. */
    @Test
    void whatIsKeptOfListsComesOutOfTheMemoryOfTheVehicles() {
        MemoryBudget budget = new MemoryBudget(8 << 20);
        String name = "x".repeat(58);
        String entries = ("F" + name + ".ulg\t1\0").repeat(3);
        List<Lister> listers = new ArrayList<>();
        for (int system = 1; system <= 20; system++) {
            listers.add(new Lister(entries, budget.beside(system)));
        }
        long most = 0;
        for (int i = 0; i < 3000; i++) {
            for (Lister lister : listers) {
                lister.session.onTick(i);
                lister.hear(lister.answers.poll(), i);
            }
            most = Math.max(most, budget.used());
        }

        assertThat(most).isLessThan(budget.part(Requester.STRANGER).limit()).isPositive();
        assertThat(listers)
                .allSatisfy(lister -> assertThat(lister.client.end())
                        .containsAnyOf("the memory budget has no room for the vehicle's list", "more than 4096 logs"));
        assertThat(listers).anySatisfy(lister -> assertThat(lister.client.end()).contains("the memory budget"));
        assertThat(budget.part(Requester.STRANGER).refused()).isPositive();
        assertThat(budget.used()).isZero();
        assertThat(budget.part(Requester.HTTP_CLIENT).refused()).isZero();
    }

    @Test
    void vehicleThatAnswersNowAndThenDoesNotKeepItsListForEver() {
        Lister lister = new Lister("Da\0", MemoryShare.unlimited());

        int answers = lister.run(SECOND_NS, 50);

        assertThat(lister.client.end()).contains("the vehicle lists its logs too slowly");
        assertThat(answers).isLessThan(6);
    }

    /** Six lists of 300 logs with long paths once left no memory for HTTP connections. */
    @Test
    void listsThatAreShownLeaveHttpItsMemory() {
        MemoryBudget budget = new MemoryBudget(8 << 20);
        FetchChannels.OfLink link = new FetchChannels(0).forLink("air", budget::beside);
        List<RemoteLog> logs = new ArrayList<>();
        for (int i = 0; i < FetchReport.MAX_LISTED; i++) {
            logs.add(new RemoteLog(i, 1, 0, "/fs/microsd/log/" + "x".repeat(120) + i));
        }
        for (int system = 1; system <= 20; system++) {
            FetchTarget vehicle = new FetchTarget(system, 1, Heartbeat.AUTOPILOT_PX4, 191);
            new FetchReport(link, vehicle, false, 0)
                    .watch(MemoryClient.ofAll(), new FetchRequest(1, FetchRequest.Kind.FETCH, List.of()))
                    .onList(logs, FetchClient.Way.FTP);
        }

        assertThat(budget.part(Requester.HTTP_CLIENT).used()).isZero();
        assertThat(budget.part(Requester.STRANGER).used()).isPositive();
    }
}
