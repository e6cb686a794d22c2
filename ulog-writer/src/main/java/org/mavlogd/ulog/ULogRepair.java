package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes the intact messages of a damaged log into a new log.
 *
 * <p>The result has a header, flag bits without appended data (appended sections become part of the data), and all
 * intact messages, including those of unknown types, in their order and unchanged. Damaged bytes, truncated messages
 * and messages that are not as specified are left out. Data messages whose subscription was lost are left out or kept
 * as {@link Orphans} says: they cannot be decoded, and many readers refuse logs that contain them. Each damaged span
 * and each truncation inside the log becomes a dropout as long as the time between the samples around it, at least 1
 * ms.
 *
 * <p>Takes chunks of any size, with the limits of {@link ULogScanner}. Owned by one thread.
 *
 * <pre>{@code
 * try (FileSink sink = FileSink.create(repaired)) {
 *     RepairResult result = ULogRepair.repair(damaged, sink, ULogRepair.Orphans.DROP);
 * }
 * }</pre>
 */
public final class ULogRepair {
    /** Treatment of data messages whose subscription was lost. */
    public enum Orphans {
        DROP,
        KEEP
    }

    private static final int US_PER_MS = 1000;

    /** Maximum dropout, 24 hours: damaged timestamps could ask for any duration. */
    private static final long MAX_DROPOUT_MS = 86_400_000;

    private final ULogSink sink;
    private final Orphans orphans;
    private final ULogScanner scanner = new ULogScanner(new Copier());
    private final ByteBuffer small = ByteBuffer.allocate(8 * 1024).order(ByteOrder.LITTLE_ENDIAN);

    private boolean dataSection;
    private boolean gapOpen;
    private long lastUs = -1;
    private long messages;
    private long orphanMessages;
    private long flawedMessages;
    private long damagedSpans;
    private long damagedBytes;
    private long cutBytes;
    private long firstDamageAt = RepairResult.NOWHERE;
    private long firstCutAt = RepairResult.NOWHERE;

    public ULogRepair(ULogSink sink, Orphans orphans) {
        this.sink = sink;
        this.orphans = orphans;
    }

    /** Repairs a complete file. */
    public static RepairResult repair(Path damaged, ULogSink sink, Orphans orphans) throws IOException {
        ULogRepair repair = new ULogRepair(sink, orphans);
        try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.READ)) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(64 * 1024);
            while (channel.read(chunk) >= 0) {
                repair.scanner.feed(chunk.flip());
                chunk.clear();
            }
        }
        return repair.finish();
    }

    /**
     * Takes the next bytes of the damaged log.
     *
     * @throws ULogException if it is not a ULog or needs a newer reader
     */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        scanner.feed(buffer, offset, length);
    }

    /** Ends the damaged log. When this returns, everything has been passed to the sink. */
    public RepairResult finish() throws IOException {
        scanner.finish();
        closeGap(-1);
        return new RepairResult(
                messages,
                orphanMessages,
                flawedMessages,
                damagedSpans,
                damagedBytes,
                cutBytes,
                firstDamageAt,
                firstCutAt);
    }

    private void writeSmall() throws IOException {
        sink.write(small.flip());
        small.clear();
    }

    private void copy(byte[] buffer, int offset, int length) throws IOException {
        sink.write(ByteBuffer.wrap(buffer, offset, length));
        messages++;
    }

    /** Writes a dropout for the gap before the sample of this time; negative if the time is unknown. */
    private void closeGap(long timestampUs) throws IOException {
        if (gapOpen && dataSection) {
            long ms = lastUs < 0 || timestampUs < lastUs ? 1 : (timestampUs - lastUs) / US_PER_MS;
            MessageEncoder.dropouts(small, Math.max(1, Math.min(ms, MAX_DROPOUT_MS)));
            writeSmall();
        }
        gapOpen = false;
    }

    private final class Copier implements ScanHandler {
        @Override
        public void onHeader(int version, long startUs) throws IOException {
            MessageEncoder.header(small, startUs);
            small.put(ULogLayout.VERSION_OFFSET, (byte) version);
            writeSmall();
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) throws IOException {
            if (type == MessageType.FLAG_BITS) {
                copyFlagBits(buffer, offset, length);
                return;
            }
            dataSection |= MessageType.endsDefinitions(type);
            if (type == MessageType.DATA) {
                onData(buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH);
            }
            copy(buffer, offset, length);
        }

        private void onData(byte[] buffer, int payload) throws IOException {
            Topic topic = scanner.definitions().topic(Bytes.uint16(buffer, payload));
            long timestampUs =
                    topic != null && topic.timestampAt >= 0 ? Bytes.int64(buffer, payload + topic.timestampAt) : -1;
            closeGap(timestampUs);
            lastUs = timestampUs >= 0 ? timestampUs : lastUs;
        }

        /** Copies the flag bits without the flag and the offsets of appended data. */
        private void copyFlagBits(byte[] buffer, int offset, int length) throws IOException {
            ByteBuffer flags = ByteBuffer.allocate(length);
            flags.put(buffer, offset, length);
            int appended = ULogLayout.INCOMPAT_FLAGS_POSITION - ULogLayout.FLAG_BITS_POSITION;
            int end = Math.min(length, MessageEncoder.FLAG_BITS_LENGTH);
            for (int i = appended; i < end; i++) {
                flags.put(i, (byte) 0);
            }
            sink.write(flags.flip());
            messages++;
        }

        @Override
        public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
                throws IOException {
            if (flaw == Flaw.UNKNOWN_TYPE) {
                copy(buffer, offset, length);
                return;
            }
            firstDamageAt = firstDamageAt < 0 ? position : firstDamageAt;
            if (flaw == Flaw.NO_TOPIC) {
                orphanMessages++;
                if (orphans == Orphans.KEEP) {
                    copy(buffer, offset, length);
                }
            } else {
                flawedMessages++;
            }
        }

        @Override
        public void onDamage(long position, long length) {
            firstDamageAt = firstDamageAt < 0 ? position : firstDamageAt;
            damagedSpans++;
            damagedBytes += length;
            gapOpen = true;
        }

        @Override
        public void onCut(long position, long length) {
            firstCutAt = firstCutAt < 0 ? position : firstCutAt;
            cutBytes += length;
            gapOpen = true;
        }
    }
}
