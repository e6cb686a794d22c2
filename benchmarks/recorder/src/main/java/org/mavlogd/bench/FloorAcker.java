package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;

/**
 * The simplest receiver of a log: one thread that blocks for each datagram, acknowledges an ArduPilot's block or a
 * PX4's chunk at once and discards it, without a ring or a file. It is the floor for the daemon's acknowledgement
 * times.
 */
final class FloorAcker {
    private final DatagramChannel channel;
    private final FrameEncoder encoder = new FrameEncoder(191);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private SocketAddress vehicle = new InetSocketAddress(0);

    private FloorAcker(DatagramChannel channel) {
        this.channel = channel;
    }

    public static void main(String[] arguments) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])));
            System.out.println("ready");
            new FloorAcker(channel).run();
        }
    }

    private void run() throws IOException {
        FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
        ByteBuffer datagram = ByteBuffer.allocate(2048);
        while (channel.isOpen()) {
            datagram.clear();
            vehicle = channel.receive(datagram);
            decoder.decodeDatagram(datagram.array(), 0, datagram.position(), 0);
        }
    }

    private void onFrame(FrameView received, long now) {
        if (received.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            answerBlock(received.uint32(LogBlockLayout.NUMBER_OFFSET));
        } else if (received.messageId() == MessageIds.HEARTBEAT) {
            answerBlock(LogBlockStatus.START);
        } else if (received.messageId() == LogChunkLayout.LOGGING_DATA_ACKED) {
            LoggingAck ack = new LoggingAck(1, 1, received.uint16(LogChunkLayout.SEQUENCE_OFFSET));
            send(MessageIds.LOGGING_ACK, ack.encodePayload(payload));
        }
    }

    private void answerBlock(long number) {
        send(MessageIds.REMOTE_LOG_BLOCK_STATUS, LogBlockStatus.encode(payload, 1, 1, number, LogBlockStatus.ACK));
    }

    private void send(int messageId, int length) {
        int frameLength = encoder.encode(1, messageId, payload, length, frame, 0);
        try {
            channel.send(ByteBuffer.wrap(frame, 0, frameLength), vehicle);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
