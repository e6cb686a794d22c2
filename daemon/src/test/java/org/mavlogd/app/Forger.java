package org.mavlogd.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Counter;

/**
 * Sends, from its own address and at a steady rate, all packets that could harm the recording of vehicle 1 if the
 * recorder believed them: answers to STOP and START, starts of other logs, chunks, heartbeats that disarm, reboots, and
 * heartbeats of vehicles that do not exist.
 */
final class Forger implements AutoCloseable {
    private static final int OWN_COMPONENT = 191;
    private static final int KINDS = 7;
    private static final long TICK_NS = 1_000_000;
    private static final byte[] LOG_BEGIN = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1};

    private final int port;
    private final int perSecond;
    private final Random random;
    private final FrameEncoder encoder = new FrameEncoder(1);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final Thread thread = new Thread(this::run, "forger");
    private volatile boolean closed;
    private final Counter sent = new Counter();
    private final Counter heard = new Counter();

    Forger(int port, int perSecond, long seed) {
        this.port = port;
        this.perSecond = perSecond;
        this.random = new Random(seed);
        thread.start();
    }

    long sent() {
        return sent.get();
    }

    /** Number of datagrams that came back. */
    long heard() {
        return heard.get();
    }

    private void run() {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.configureBlocking(false);
            InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            ByteBuffer in = ByteBuffer.allocate(2048);
            long beginNs = System.nanoTime();
            while (!closed) {
                long due = (System.nanoTime() - beginNs) * perSecond / 1_000_000_000L;
                while (sent.get() < due) {
                    channel.send(ByteBuffer.wrap(frame, 0, next()), to);
                    sent.increment();
                }
                while (channel.receive(in.clear()) != null) {
                    heard.increment();
                }
                LockSupport.parkNanos(TICK_NS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int next() {
        java.util.Arrays.fill(payload, (byte) 0);
        return switch (random.nextInt(KINDS)) {
            case 0 -> answer(CommandLong.LOGGING_STOP);
            case 1 -> answer(CommandLong.LOGGING_START);
            case 2 -> chunk(MessageIds.LOGGING_DATA_ACKED, 0, LOG_BEGIN, 0);
            case 3 -> chunk(MessageIds.LOGGING_DATA, random.nextInt(1 << 16), new byte[] {1, 2, 3}, 255);
            case 4 -> heartbeat(1);
            case 5 -> systemTime();
            default -> heartbeat(1 + random.nextInt(255));
        };
    }

    private int answer(int command) {
        buffer().putShort((short) command)
                .put((byte) 0)
                .put(new byte[5])
                .put((byte) 1)
                .put((byte) OWN_COMPONENT);
        return encode(1, MessageIds.COMMAND_ACK, 10);
    }

    private int chunk(int id, int sequence, byte[] begin, int firstMessage) {
        random.nextBytes(payload);
        buffer().putShort((short) sequence)
                .put((byte) 1)
                .put((byte) OWN_COMPONENT)
                .put((byte) 249)
                .put((byte) firstMessage)
                .put(begin);
        return encode(1, id, 255);
    }

    private int heartbeat(int systemId) {
        return encode(
                systemId,
                MessageIds.HEARTBEAT,
                new Heartbeat(2, Heartbeat.AUTOPILOT_PX4, 0, 0, 4).encodePayload(payload));
    }

    /** Alternates between a large and a small boot time: each change looks like a reboot. */
    private int systemTime() {
        buffer().putLong(0).putInt(random.nextInt() & 0x7FFF_FFFF);
        return encode(1, MessageIds.SYSTEM_TIME, 12);
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int encode(int systemId, int id, int length) {
        return encoder.encode(systemId, id, payload, length, frame, 0);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(50_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
