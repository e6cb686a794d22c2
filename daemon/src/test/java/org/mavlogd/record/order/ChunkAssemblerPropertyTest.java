package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.LogBytes;

class ChunkAssemblerPropertyTest {
    private static final int SEEDS = 400;
    private static final int MAX_CHUNK_LENGTH = 249;
    private static final int MAX_MESSAGE_LENGTH = 65_538;

    private static final class Collected implements ChunkAssembler.Output {
        private final List<byte[]> messages = new ArrayList<>();
        private byte[] header = {};
        private int headers;
        private long discarded;
        private int contradictions;

        @Override
        public void onHeader(DirectBuffer buffer, int offset) {
            header = copy(buffer, offset, LogBytes.HEADER_LENGTH);
            headers++;
        }

        @Override
        public void onMessage(DirectBuffer buffer, int offset, int length) {
            messages.add(copy(buffer, offset, length));
        }

        @Override
        public void onDiscarded(int bytes) {
            discarded += bytes;
        }

        @Override
        public void onContradiction() {
            contradictions++;
        }

        private long bytes() {
            return header.length
                    + discarded
                    + messages.stream().mapToLong(message -> message.length).sum();
        }

        private static byte[] copy(DirectBuffer buffer, int offset, int length) {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            return bytes;
        }
    }

    private record Piece(int begin, int end) {}

    /** A log of random messages, cut at random places. */
    private static final class Stream {
        private final byte[] bytes;
        private final List<Piece> messages = new ArrayList<>();
        private final List<Piece> chunks = new ArrayList<>();

        private Stream(Random random) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(randomBytes(random, LogBytes.HEADER_LENGTH));
            int count = 1 + random.nextInt(60);
            for (int i = 0; i < count; i++) {
                int begin = out.size();
                out.writeBytes(LogBytes.encoded('D', randomBytes(random, payloadLength(random))));
                messages.add(new Piece(begin, out.size()));
            }
            bytes = out.toByteArray();
            cut(random);
        }

        private static byte[] randomBytes(Random random, int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        private static int payloadLength(Random random) {
            int kind = random.nextInt(40);
            if (kind == 0) {
                return MAX_MESSAGE_LENGTH - LogBytes.MESSAGE_HEADER_LENGTH - random.nextInt(2);
            }
            return kind < 8 ? random.nextInt(3) : random.nextInt(kind < 12 ? 2000 : 120);
        }

        private void cut(Random random) {
            int shortest = random.nextBoolean() ? 1 : 200;
            for (int begin = 0; begin < bytes.length; ) {
                int wanted = shortest + random.nextInt(MAX_CHUNK_LENGTH + 1 - shortest);
                int end = Math.min(bytes.length, begin + wanted);
                chunks.add(new Piece(begin, end));
                begin = end;
            }
        }

        private int firstMessageOffset(Piece chunk) {
            if (chunk.begin() == 0) {
                return 0;
            }
            return messages.stream()
                    .filter(message -> message.begin() >= chunk.begin() && message.begin() < chunk.end())
                    .mapToInt(message -> message.begin() - chunk.begin())
                    .findFirst()
                    .orElse(LogBytes.NO_START);
        }

        private byte[] copy(Piece piece) {
            return Arrays.copyOfRange(bytes, piece.begin(), piece.end());
        }

        private List<byte[]> copies(List<Piece> pieces) {
            return pieces.stream().map(this::copy).toList();
        }
    }

    @Test
    void returnsEveryMessageOfAWholeStream() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Stream stream = new Stream(new Random(seed));
            Collected collected = new Collected();
            ChunkAssembler assembler = new ChunkAssembler(collected, MemoryShare.unlimited());

            for (Piece chunk : stream.chunks) {
                offer(assembler, stream, chunk);
            }
            assembler.onEnd();

            assertThat(collected.header).as("seed %d", seed).isEqualTo(Arrays.copyOf(stream.bytes, 16));
            assertThat(collected.headers).as("seed %d", seed).isEqualTo(1);
            assertSame(seed, collected.messages, stream.copies(stream.messages));
            assertThat(collected.discarded).as("seed %d", seed).isZero();
            assertThat(collected.contradictions).as("seed %d", seed).isZero();
        }
    }

    @Test
    void returnsEveryMessageThatNoGapTouched() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Stream stream = new Stream(random);
            Collected collected = new Collected();
            ChunkAssembler assembler = new ChunkAssembler(collected, MemoryShare.unlimited());
            boolean[] missing = new boolean[stream.bytes.length];
            long arrived = 0;
            boolean gap = false;

            for (Piece chunk : stream.chunks) {
                if (chunk.begin() >= LogBytes.HEADER_LENGTH && random.nextInt(8) == 0) {
                    Arrays.fill(missing, chunk.begin(), chunk.end(), true);
                    gap = true;
                    continue;
                }
                if (gap) {
                    assembler.onGap();
                    gap = false;
                }
                offer(assembler, stream, chunk);
                arrived += chunk.end() - chunk.begin();
            }
            assembler.onEnd();

            List<Piece> whole = stream.messages.stream()
                    .filter(message -> isComplete(message, missing))
                    .toList();
            assertSame(seed, collected.messages, stream.copies(whole));
            assertThat(collected.bytes())
                    .as("seed %d: each byte that came", seed)
                    .isEqualTo(arrived);
            assertThat(collected.contradictions).as("seed %d", seed).isZero();
        }
    }

    @Test
    void comesBackAfterWrongOffsetsAndAccountsForEveryByte() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Stream stream = new Stream(random);
            Collected collected = new Collected();
            ChunkAssembler assembler = new ChunkAssembler(collected, MemoryShare.unlimited());

            for (Piece chunk : stream.chunks) {
                int length = chunk.end() - chunk.begin();
                boolean lie = chunk.begin() >= LogBytes.HEADER_LENGTH && random.nextInt(10) == 0;
                int first = lie ? random.nextInt(length + 1) : stream.firstMessageOffset(chunk);
                assembler.onChunk(new UnsafeBuffer(stream.copy(chunk)), 0, length, first);
            }
            assembler.onEnd();

            assertThat(collected.bytes()).as("seed %d", seed).isEqualTo(stream.bytes.length);
        }
    }

    private static boolean isComplete(Piece message, boolean[] missing) {
        for (int i = message.begin(); i < message.end(); i++) {
            if (missing[i]) {
                return false;
            }
        }
        return true;
    }

    private static void offer(ChunkAssembler assembler, Stream stream, Piece chunk) {
        // Not at the start of its buffer, as in the ring.
        byte[] bytes = new byte[chunk.end() - chunk.begin() + 7];
        System.arraycopy(stream.bytes, chunk.begin(), bytes, 7, bytes.length - 7);
        assembler.onChunk(new UnsafeBuffer(bytes), 7, bytes.length - 7, stream.firstMessageOffset(chunk));
    }

    private static void assertSame(int seed, List<byte[]> actual, List<byte[]> expected) {
        assertThat(actual).as("seed %d", seed).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(Arrays.equals(actual.get(i), expected.get(i)))
                    .as("seed %d, message %d", seed, i)
                    .isTrue();
        }
    }
}
