package org.mavlogd.simulate.ardupilot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.LogBlockLayout;

/**
 * The blocks that an ArduPilot holds for its log over MAVLink: one being filled, and those waiting for acknowledgement.
 * A message without room is dropped completely. Owned by the vehicle's thread; allocates nothing after construction.
 */
final class BlockBuffer {
    /** AP_Logger_MAVLink.h, sizeof(struct dm_block), rounded: with 8 kB there are 37 blocks. */
    private static final int BLOCK_COST = 220;

    private static final long RESEND_NS = 100_000_000;

    private enum State {
        FREE,
        FILLING,
        PENDING,
        SENT,
        RETRY
    }

    private static final class Block {
        private final byte[] data = new byte[LogBlockLayout.DATA_LENGTH];
        private State state = State.FREE;
        private long number;
        private long sentNs;
    }

    /** Sends a block. */
    interface Sender {
        void send(long number, byte[] data, boolean isRepeat);
    }

    private final Block[] blocks;
    private final ArduPilotCounters counters;
    private final ArduPilotVehicle.Observer observer;
    private @Nullable Block current;
    private int used;
    private int free;
    private long nextNumber;
    private long resentNs;
    private long sentNs;

    BlockBuffer(int bufferKb, ArduPilotCounters counters, ArduPilotVehicle.Observer observer) {
        this.blocks = new Block[bufferKb * 1024 / BLOCK_COST];
        Arrays.setAll(blocks, index -> new Block());
        this.counters = counters;
        this.observer = observer;
    }

    /** Number of blocks. */
    int capacity() {
        return blocks.length;
    }

    /** Starts a new log. */
    void reset(long nowNs) {
        for (Block block : blocks) {
            block.state = State.FREE;
        }
        free = blocks.length;
        current = null;
        used = 0;
        nextNumber = 0;
        resentNs = nowNs;
        sentNs = nowNs;
    }

    /** Time when a block was last sent, new or repeated. */
    long sentNs() {
        return sentNs;
    }

    /** Logs a message; false if there is no room. */
    boolean write(byte[] message, int length, long nowNs) {
        int room = free * LogBlockLayout.DATA_LENGTH + (current == null ? 0 : LogBlockLayout.DATA_LENGTH - used);
        if (room < length) {
            counters.droppedMessages.increment();
            return false;
        }
        for (int done = 0; done < length; ) {
            Block block = filling();
            int part = Math.min(LogBlockLayout.DATA_LENGTH - used, length - done);
            System.arraycopy(message, done, block.data, used, part);
            used += part;
            done += part;
            if (used == LogBlockLayout.DATA_LENGTH) {
                block.state = State.PENDING;
                current = null;
                observer.onBlock(block.number, block.data, nowNs);
            }
        }
        return true;
    }

    private Block filling() {
        Block block = current;
        if (block == null) {
            block = find(State.FREE);
            block.state = State.FILLING;
            block.number = nextNumber++;
            free--;
            used = 0;
            current = block;
        }
        return block;
    }

    private Block find(State state) {
        for (Block block : blocks) {
            if (block.state == state) {
                return block;
            }
        }
        throw new IllegalStateException("no block is " + state);
    }

    /** Sends requested blocks, new blocks, and ten times a second unanswered ones. */
    void push(Sender sender, long nowNs) {
        sendAll(State.RETRY, sender, nowNs);
        sendAll(State.PENDING, sender, nowNs);
        if (nowNs - resentNs >= RESEND_NS) {
            resentNs = nowNs;
            for (Block block : blocks) {
                if (block.state == State.SENT && nowNs - block.sentNs >= RESEND_NS) {
                    send(block, sender, nowNs);
                }
            }
        }
    }

    /** Sends the blocks of a state in the order of their numbers, like ArduPilot's queues. */
    private void sendAll(State state, Sender sender, long nowNs) {
        for (Block next = lowest(state); next != null; next = lowest(state)) {
            send(next, sender, nowNs);
        }
    }

    private @Nullable Block lowest(State state) {
        Block lowest = null;
        for (Block block : blocks) {
            if (block.state == state && (lowest == null || block.number < lowest.number)) {
                lowest = block;
            }
        }
        return lowest;
    }

    private void send(Block block, Sender sender, long nowNs) {
        boolean isRepeat = block.state != State.PENDING;
        (isRepeat ? counters.repeats : counters.blocks).increment();
        block.state = State.SENT;
        block.sentNs = nowNs;
        sentNs = nowNs;
        sender.send(block.number, block.data, isRepeat);
    }

    /** Frees a block; false if it is not held. */
    boolean onAck(long number) {
        Block block = sent(number);
        if (block == null) {
            counters.uselessAcks.increment();
            return false;
        }
        counters.acks.increment();
        block.state = State.FREE;
        free++;
        return true;
    }

    /** Repeats a block; false if it is not held. */
    boolean onNack(long number) {
        Block block = sent(number);
        if (block == null || block.state != State.SENT) {
            counters.uselessNacks.increment();
            return false;
        }
        counters.nacks.increment();
        block.state = State.RETRY;
        return true;
    }

    private @Nullable Block sent(long number) {
        for (Block block : blocks) {
            if (block.number == number && (block.state == State.SENT || block.state == State.RETRY)) {
                return block;
            }
        }
        return null;
    }
}
