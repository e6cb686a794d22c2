package org.mavlogd.whole;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages that an ArduPilot dropped itself, from the differences of DMS.Dp in its blocks, read without the code
 * under test. Each mark lasts for the dropped messages' share of the time since the previous DMS.
 */
final class VehicleDrops {
    private static final int HEADER_LENGTH = 3;
    private static final int FMT = 128;
    private static final int FMT_LENGTH = 89;
    private static final int FMT_NAME = 5;
    private static final int NAME_LENGTH = 4;
    private static final int FMT_LABELS = 25;
    private static final int TIME_LENGTH = 8;
    private static final int LONGEST_DROPOUT_MS = 65_535;

    private final ByteBuffer log;
    private final int[] lengths = new int[256];
    private final List<Integer> dropoutsMs = new ArrayList<>();
    private int dmsType = -1;
    private long records;
    private long lastUs;
    private long lastRecords;
    private long lastDropped = -1;

    private VehicleDrops(byte[] blocks) {
        log = ByteBuffer.wrap(blocks).order(ByteOrder.LITTLE_ENDIAN);
        lengths[FMT] = FMT_LENGTH;
    }

    static VehicleDrops of(byte[] blocks) {
        VehicleDrops drops = new VehicleDrops(blocks);
        int at = 0;
        while (at + HEADER_LENGTH <= blocks.length) {
            int length = drops.lengthAt(at);
            if (length > 0 && at + length <= blocks.length) {
                drops.onRecord(at);
                at += length;
            } else {
                at++; // a filler, or the log's last block
            }
        }
        return drops;
    }

    List<Integer> dropoutsMs() {
        return dropoutsMs;
    }

    private int lengthAt(int at) {
        boolean isRecord = (log.get(at) & 0xFF) == 0xA3 && (log.get(at + 1) & 0xFF) == 0x95;
        return isRecord ? lengths[log.get(at + 2) & 0xFF] : 0;
    }

    private void onRecord(int at) {
        records++;
        int type = log.get(at + 2) & 0xFF;
        if (type == FMT) {
            onFormat(at);
        } else if (type == dmsType) {
            onDms(
                    log.getLong(at + HEADER_LENGTH),
                    log.getInt(at + HEADER_LENGTH + TIME_LENGTH + Integer.BYTES) & 0xFFFF_FFFFL);
        }
    }

    private void onFormat(int at) {
        int type = log.get(at + HEADER_LENGTH) & 0xFF;
        lengths[type] = log.get(at + HEADER_LENGTH + 1) & 0xFF;
        if (text(at + FMT_NAME, NAME_LENGTH).equals("DMS")) {
            dmsType = type;
            // The two fields before Dp take 8 and 4 bytes.
            if (!text(at + FMT_LABELS, FMT_LENGTH - FMT_LABELS).startsWith("TimeUS,N,Dp,")) {
                throw new AssertionError("another DMS: " + text(at + FMT_LABELS, FMT_LENGTH - FMT_LABELS));
            }
        }
    }

    private String text(int at, int length) {
        byte[] bytes = new byte[length];
        log.get(at, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1).trim();
    }

    private void onDms(long timeUs, long dropped) {
        if (lastDropped >= 0 && dropped > lastDropped) {
            long missing = dropped - lastDropped;
            double share = (double) missing / (missing + records - lastRecords);
            mark(Math.max(1, Math.round((timeUs - lastUs) * share / 1000)));
        }
        lastDropped = dropped;
        lastRecords = records;
        lastUs = timeUs;
    }

    /** One message of a ULog can hold at most 65,535 ms. */
    private void mark(long ms) {
        long rest = ms;
        for (; rest > LONGEST_DROPOUT_MS; rest -= LONGEST_DROPOUT_MS) {
            dropoutsMs.add(LONGEST_DROPOUT_MS);
        }
        dropoutsMs.add((int) rest);
    }
}
