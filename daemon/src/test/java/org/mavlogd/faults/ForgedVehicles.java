package org.mavlogd.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;

/**
 * Forged vehicles, eight at each address, that fly and send logs whose definitions never end: PX4s with as many small
 * parameters or topics as fit into chunks; ArduPilots with the longest definitions or with blocks without a record, and
 * with gaps. Like real vehicles they repeat the first piece until the recorder acknowledges it.
 */
final class ForgedVehicles extends Attacker {
    private static final int OWN_COMPONENT = 191;
    private static final int VEHICLES_AT_ONCE = 8;
    private static final int CHUNK = LogChunkLayout.MAX_DATA_LENGTH;
    private static final int FRAMES_FOR_A_HEARTBEAT = 50;
    // A log starts after the recorder has asked for it: a second is enough.
    private static final int FRAMES_BEFORE_THE_LOG = 60;
    private static final int BLOCKS_TO_A_HOLE = 25;
    // By vehicle: no gap, gaps that fillers close, and gaps too long for that.
    private static final int[] MAX_HOLE_BLOCKS = {1, 10, 1, 300};

    private final int autopilotType;
    private final Random random;
    private final List<DatagramChannel> farEnds = new ArrayList<>();
    private final int[] ids;
    private final int[] frames;
    private final int[] numbers;
    private final ForgedDataFlash[] heads;
    private final FrameEncoder autopilot = new FrameEncoder(1);
    private final FrameEncoder log = new FrameEncoder(155);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final boolean[] hasBegun = new boolean[256]; // by system id
    private final FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
    private final ByteBuffer heard = ByteBuffer.allocate(2048);
    private int next;

    /**
     * Starts this number of vehicles.
     *
     * @param firstHost the last byte of the first address
     * @param ports ports of the recorder's links, used in turn by the addresses
     */
    ForgedVehicles(int autopilotType, int firstId, int count, int firstHost, List<Integer> ports, Pace pace, long seed)
            throws IOException {
        super("forged-" + firstId, pace);
        this.autopilotType = autopilotType;
        this.random = new Random(seed);
        this.ids = new int[count];
        this.frames = new int[count];
        this.numbers = new int[count];
        this.heads = new ForgedDataFlash[count];
        for (int i = 0; i < count; i++) {
            ids[i] = firstId + i;
            heads[i] = new ForgedDataFlash();
        }
        for (int i = 0; i * VEHICLES_AT_ONCE < count; i++) {
            farEnds.add(channel(firstHost + i, ports.get(i % ports.size())));
        }
    }

    @Override
    void attack() throws IOException {
        int index = next;
        next = (next + 1) % ids.length;
        DatagramChannel farEnd = farEnds.get(index / VEHICLES_AT_ONCE);
        listen(farEnd);
        int length = nextFrame(index);
        farEnd.write(ByteBuffer.wrap(frame, 0, length));
    }

    private void listen(DatagramChannel farEnd) throws IOException {
        while (farEnd.read(heard.clear()) > 0) {
            decoder.decodeDatagram(heard.array(), 0, heard.position(), 0);
        }
    }

    private void onFrame(FrameView answer, long nowNs) {
        if (answer.messageId() == MessageIds.LOGGING_ACK) {
            hasBegun[LoggingAck.decode(answer).targetSystem()] = true;
        } else if (answer.messageId() == MessageIds.REMOTE_LOG_BLOCK_STATUS) {
            LogBlockStatus status = LogBlockStatus.decode(answer);
            hasBegun[status.targetSystem()] |= status.status() == LogBlockStatus.ACK && status.number() == 0;
        }
    }

    private int nextFrame(int index) {
        int count = frames[index]++;
        Arrays.fill(payload, (byte) 0);
        if (count < FRAMES_BEFORE_THE_LOG || count % FRAMES_FOR_A_HEARTBEAT == 0) {
            int length = new Heartbeat(2, autopilotType, 128, 0, 4).encodePayload(payload);
            return encode(autopilot, index, MessageIds.HEARTBEAT, length);
        }
        if (autopilotType == Heartbeat.AUTOPILOT_ARDUPILOT) {
            return block(index);
        }
        return count % FRAMES_FOR_A_HEARTBEAT == 1 ? accepted(index) : chunk(index);
    }

    private int accepted(int index) {
        buffer().putShort((short) CommandLong.LOGGING_START).put((byte) CommandAck.ACCEPTED);
        payload[8] = (byte) ids[index];
        payload[9] = (byte) OWN_COMPONENT;
        return encode(autopilot, index, MessageIds.COMMAND_ACK, 10);
    }

    private int block(int index) {
        if (!hasBegun[ids[index]]) {
            numbers[index] = 0;
            heads[index] = new ForgedDataFlash();
        }
        int maxHole = MAX_HOLE_BLOCKS[index % MAX_HOLE_BLOCKS.length];
        if (numbers[index] % BLOCKS_TO_A_HOLE == BLOCKS_TO_A_HOLE - 1) {
            int hole = random.nextInt(maxHole);
            numbers[index] += hole;
            for (int i = 0; i < hole; i++) {
                heads[index].take(payload, LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH);
            }
        }
        if (ids[index] % 2 == 0) {
            heads[index].take(payload, LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH);
        } else {
            noise();
        }
        buffer().putInt(LogBlockLayout.NUMBER_OFFSET, numbers[index]++);
        payload[LogBlockLayout.TARGET_SYSTEM] = (byte) ids[index];
        payload[LogBlockLayout.TARGET_COMPONENT] = (byte) OWN_COMPONENT;
        return encode(log, index, MessageIds.REMOTE_LOG_DATA_BLOCK, LogBlockLayout.BLOCK_LENGTH);
    }

    private void noise() {
        for (int i = 0; i < LogBlockLayout.DATA_LENGTH; i++) {
            payload[LogBlockLayout.DATA_OFFSET + i] = (byte) (1 + random.nextInt(100)); // starts no record
        }
    }

    private int chunk(int index) {
        int number = hasBegun[ids[index]] ? ++numbers[index] : 0;
        ByteBuffer data =
                ByteBuffer.wrap(payload, LogChunkLayout.DATA_OFFSET, CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        if (number == 0) {
            header(data);
        } else if (ids[index] % 2 == 0) {
            parameters(data, number);
        } else {
            topic(data, number);
        }
        int length = data.position() - LogChunkLayout.DATA_OFFSET;
        buffer().putShort((short) number)
                .put((byte) ids[index])
                .put((byte) OWN_COMPONENT)
                .put((byte) length)
                .put((byte) 0);
        int type = number == 0 ? MessageIds.LOGGING_DATA_ACKED : MessageIds.LOGGING_DATA;
        return encode(autopilot, index, type, LogChunkLayout.DATA_OFFSET + length);
    }

    private static void header(ByteBuffer out) {
        out.put(new byte[] {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1}).putLong(1);
        out.putShort((short) 40).put((byte) 'B').put(new byte[40]);
    }

    private static void parameters(ByteBuffer out, int number) {
        for (int i = 0; out.remaining() >= 24; i++) {
            byte[] key = ("float " + Integer.toString(number * 16 + i, 36)).getBytes(StandardCharsets.US_ASCII);
            out.putShort((short) (1 + key.length + 4)).put((byte) 'P').put((byte) key.length);
            out.put(key).putFloat(1);
        }
    }

    private static void topic(ByteBuffer out, int number) {
        byte[] name = String.format("t%0100d", number).getBytes(StandardCharsets.US_ASCII);
        byte[] fields = ":uint64_t timestamp;".getBytes(StandardCharsets.US_ASCII);
        out.putShort((short) (name.length + fields.length)).put((byte) 'F');
        out.put(name).put(fields);
        out.putShort((short) (name.length + 3)).put((byte) 'A');
        out.put((byte) 0).putShort((short) number).put(name);
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int encode(FrameEncoder encoder, int index, int id, int length) {
        return encoder.encode(ids[index], id, payload, length, frame, 0);
    }

    @Override
    void disarm() throws IOException {
        for (DatagramChannel farEnd : farEnds) {
            farEnd.close();
        }
    }
}
