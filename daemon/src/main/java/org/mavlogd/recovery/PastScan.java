package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads an ArduPilot log that continues, in steps, for its types, units and current parameters: formats and changes may
 * be anywhere in it. Definitions that do not fit into its memory share are missing. Owned by the keeper's thread; the
 * share passes to the recorder with the result.
 */
final class PastScan {
    private static final Logger LOG = LoggerFactory.getLogger(PastScan.class);
    private static final int STEP_BYTES = 256 << 10;

    private final Disk disk;
    private final UnfinishedLog log;
    private final ContainedPart part;
    private final MemoryShare memory;
    private final HeadCollector collector;
    private byte @Nullable [] step;
    private Disk.@Nullable Access file;
    private long position;

    /** @param part contains errors */
    PastScan(Disk disk, UnfinishedLog log, MemoryShare memory, ContainedPart part) {
        this.part = part;
        this.disk = disk;
        this.log = log;
        this.memory = memory;
        this.collector = HeadCollector.ofPast(memory);
    }

    /** Reads some more; false when there is nothing left to read. */
    boolean step() {
        try {
            if (log.isPastNeeded() && read()) {
                return true;
            }
        } catch (IOException e) {
            giveUp(Reason.of(e));
        } catch (Throwable e) {
            giveUp("internal error");
            part.contain(e);
        }
        close();
        return false;
    }

    private void giveUp(String reason) {
        LOG.warn("{}: formats and parameters are taken from its start only: {}", log.unfinishedName(), reason);
        log.noPast();
    }

    private boolean read() throws IOException {
        byte[] bytes = ofStep();
        Disk.Access its = file;
        if (its == null) {
            its = disk.open(log.unfinishedName());
            file = its;
        }
        ByteBuffer target = ByteBuffer.wrap(bytes).limit((int) Math.min(STEP_BYTES, log.bytes() - position));
        its.read(position, target);
        collector.feed(bytes, 0, target.position());
        position += target.position();
        if (target.position() > 0 && position < log.bytes()) {
            return true;
        }
        handOver();
        return false;
    }

    private byte[] ofStep() throws IOException {
        byte[] bytes = step;
        if (bytes == null) {
            if (!memory.reserve(STEP_BYTES)) {
                throw new IOException("no memory is left for unfinished logs");
            }
            bytes = new byte[STEP_BYTES];
            step = bytes;
        }
        return bytes;
    }

    private void handOver() {
        if (memory.wasRefused()) {
            LOG.warn(
                    "{}: some formats and parameters are unknown: they exceed the memory budget", log.unfinishedName());
        }
        releaseStep();
        log.past(collector);
    }

    private void releaseStep() {
        if (step != null) {
            step = null;
            memory.release(STEP_BYTES);
        }
    }

    /** The name of the file that it reads. */
    String unfinishedName() {
        return log.unfinishedName();
    }

    /** Stops reading. */
    void close() {
        Disk.Access its = file;
        file = null;
        if (its != null) {
            try {
                its.close();
            } catch (IOException e) {
                LOG.debug("{}: close: {}", log.unfinishedName(), Reason.of(e));
            }
        }
    }
}
