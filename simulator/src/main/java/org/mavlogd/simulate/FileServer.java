package org.mavlogd.simulate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * Answers FILE_TRANSFER_PROTOCOL as autopilots do, for reading: directories, one open file, bursts, checksums. A
 * repeated request is answered again but not executed again. ArduPilot numbers its sessions, finishes a burst before
 * anything else, and closes an open file after some seconds; PX4 has only one session. Owned by the vehicle's thread.
 */
final class FileServer {
    private static final int BURST_PACKETS = 500;
    private static final int MAX_WAITING = 5;
    private static final long FORGET_NS = 20_000_000_000L;
    private static final int NO_FILE = -1;
    private static final int POLYNOMIAL = 0xEDB8_8320;

    /** A request that waits until a burst has ended. */
    private static final class Waiting {
        private final int system;
        private final int component;
        private final byte[] payload = new byte[FtpLayout.LENGTH];

        Waiting(FrameView frame) {
            system = frame.systemId();
            component = frame.componentId();
            frame.copyPayload(0, payload, 0, FtpLayout.LENGTH);
        }
    }

    private final List<LogCard.StoredLog> files;
    private final String root;
    private final boolean isArduPilot;
    private final LogDownloads.PayloadSender sender;
    private final List<Waiting> waiting = new ArrayList<>();
    private byte[] request = new byte[FtpLayout.LENGTH];
    private final byte[] reply = new byte[FtpLayout.LENGTH];
    private boolean hasReply;
    private int open = NO_FILE;
    private int session;
    private int nextSession = 1;
    private long usedNs;
    private boolean isBursting;
    private int burstPackets;
    private int burstSize;
    private long burstOffset;
    private int burstNumber;

    /**
     * Creates a server.
     *
     * @param root directory of all logs; a name with a slash is in a directory below it
     */
    FileServer(List<LogCard.StoredLog> files, String root, boolean isArduPilot, LogDownloads.PayloadSender sender) {
        this.files = List.copyOf(files);
        this.root = root;
        this.isArduPilot = isArduPilot;
        this.sender = sender;
    }

    /** Resets the state, as a reboot does. */
    void restart() {
        waiting.clear();
        isBursting = false;
        hasReply = false;
        open = NO_FILE;
    }

    void onFrame(FrameView frame, int ownSystemId, long nowNs) {
        if (frame.messageId() != MessageIds.FILE_TRANSFER_PROTOCOL
                || frame.uint8(FtpLayout.TARGET_SYSTEM) != ownSystemId
                || waiting.size() >= MAX_WAITING) {
            return;
        }
        waiting.add(new Waiting(frame));
        work(nowNs);
    }

    /** Sends at most {@code frames} packets of a burst; returns the number sent. */
    int run(int frames, long nowNs) {
        if (isArduPilot && open != NO_FILE && nowNs - usedNs >= FORGET_NS) {
            open = NO_FILE;
        }
        int sent = 0;
        while (sent < frames && isBursting) {
            burst(nowNs);
            sent++;
        }
        work(nowNs);
        return sent;
    }

    private void work(long nowNs) {
        while (!waiting.isEmpty() && !(isBursting && isArduPilot)) {
            Waiting next = waiting.remove(0);
            request = next.payload;
            handle(next, nowNs);
        }
    }

    private void handle(Waiting from, long nowNs) {
        usedNs = nowNs;
        int number = LittleEndian.uint16(request, FtpLayout.NUMBER);
        boolean isAgain = hasReply
                && ((number + 1) & 0xFFFF) == LittleEndian.uint16(reply, FtpLayout.NUMBER)
                && (!isArduPilot || request[FtpLayout.SESSION] == reply[FtpLayout.SESSION]);
        if (!isAgain) {
            begin(from, number + 1);
            answer();
        }
        if (!isBursting) {
            hasReply = true;
            sender.send(MessageIds.FILE_TRANSFER_PROTOCOL, reply, FtpLayout.LENGTH);
        }
    }

    private void begin(Waiting to, int number) {
        Arrays.fill(reply, (byte) 0);
        reply[FtpLayout.TARGET_SYSTEM] = (byte) to.system;
        reply[FtpLayout.TARGET_COMPONENT] = (byte) to.component;
        LittleEndian.putInt16(reply, FtpLayout.NUMBER, number);
        reply[FtpLayout.SESSION] = request[FtpLayout.SESSION];
        reply[FtpLayout.OPCODE] = (byte) FtpLayout.ACK;
        reply[FtpLayout.REQUEST_OPCODE] = request[FtpLayout.OPCODE];
    }

    private void answer() {
        isBursting = false;
        switch (request[FtpLayout.OPCODE]) {
            case FtpLayout.TERMINATE_SESSION -> {
                if (open == NO_FILE && !isArduPilot) {
                    refuse(FtpLayout.ERROR_INVALID_SESSION);
                }
                open = NO_FILE;
            }
            case FtpLayout.RESET_SESSIONS -> open = NO_FILE;
            case FtpLayout.LIST_DIRECTORY -> list(path(), offset());
            case FtpLayout.OPEN_FILE_RO -> open(find(path()));
            case FtpLayout.READ_FILE -> read();
            case FtpLayout.BURST_READ_FILE -> beginBurst();
            case FtpLayout.CALC_FILE_CRC32 -> checksum(find(path()));
            default -> refuse(FtpLayout.ERROR_UNKNOWN_COMMAND);
        }
    }

    private void list(String path, long from) {
        List<String> entries = entries(path);
        if (entries.isEmpty()) {
            refuse(FtpLayout.ERROR_FILE_NOT_FOUND);
            return;
        }
        if (from >= entries.size()) {
            refuse(FtpLayout.ERROR_END_OF_FILE);
            return;
        }
        int length = 0;
        for (String entry : entries.subList((int) from, entries.size())) {
            byte[] text = (entry + '\0').getBytes(StandardCharsets.US_ASCII);
            if (length + text.length > FtpLayout.DATA_LENGTH) {
                break;
            }
            System.arraycopy(text, 0, reply, FtpLayout.DATA + length, text.length);
            length += text.length;
        }
        LittleEndian.putInt32(reply, FtpLayout.OFFSET, (int) from);
        reply[FtpLayout.SIZE] = (byte) length;
    }

    private List<String> entries(String path) {
        TreeSet<String> entries = new TreeSet<>();
        for (LogCard.StoredLog file : files) {
            String full = root + '/' + file.name();
            if (full.startsWith(path + '/')) {
                String rest = full.substring(path.length() + 1);
                int slash = rest.indexOf('/');
                entries.add(slash < 0 ? "F" + rest + '\t' + file.length() : "D" + rest.substring(0, slash));
            }
        }
        return new ArrayList<>(entries);
    }

    private int find(String path) {
        for (int i = 0; i < files.size(); i++) {
            if (path.equals(root + '/' + files.get(i).name())) {
                return i;
            }
        }
        return NO_FILE;
    }

    private void open(int file) {
        if (open != NO_FILE) {
            refuse(isArduPilot ? FtpLayout.ERROR_FAIL : FtpLayout.ERROR_NO_SESSIONS_AVAILABLE);
        } else if (file == NO_FILE) {
            refuse(FtpLayout.ERROR_FILE_NOT_FOUND);
        } else {
            open = file;
            session = isArduPilot ? nextSession++ & 0xFF : 0;
            reply[FtpLayout.SESSION] = (byte) session;
            reply[FtpLayout.SIZE] = Integer.BYTES;
            LittleEndian.putInt32(reply, FtpLayout.DATA, (int) files.get(file).length());
        }
    }

    private boolean isOpen() {
        return open != NO_FILE && (request[FtpLayout.SESSION] & 0xFF) == session;
    }

    private void read() {
        if (!isOpen()) {
            refuse(isArduPilot ? FtpLayout.ERROR_FILE_NOT_FOUND : FtpLayout.ERROR_INVALID_SESSION);
        } else {
            fill(offset(), size());
        }
    }

    private void fill(long from, int most) {
        LogCard.StoredLog file = files.get(open);
        int count = (int) Math.min(most, file.length() - from);
        if (count <= 0) {
            refuse(FtpLayout.ERROR_END_OF_FILE);
            return;
        }
        LittleEndian.putInt32(reply, FtpLayout.OFFSET, (int) from);
        reply[FtpLayout.SIZE] = (byte) count;
        file.copy(from, reply, FtpLayout.DATA, count);
    }

    private void beginBurst() {
        if (!isOpen()) {
            refuse(isArduPilot ? FtpLayout.ERROR_FILE_NOT_FOUND : FtpLayout.ERROR_INVALID_SESSION);
            return;
        }
        isBursting = true;
        burstPackets = 0;
        burstSize = size() == 0 ? FtpLayout.DATA_LENGTH : size();
        burstOffset = offset();
        burstNumber = LittleEndian.uint16(reply, FtpLayout.NUMBER);
    }

    private void burst(long nowNs) {
        usedNs = nowNs;
        burstPackets++;
        Arrays.fill(reply, FtpLayout.OFFSET, FtpLayout.LENGTH, (byte) 0);
        reply[FtpLayout.OPCODE] = (byte) FtpLayout.ACK;
        LittleEndian.putInt16(reply, FtpLayout.NUMBER, burstNumber++);
        boolean isLast = burstPackets == BURST_PACKETS;
        boolean isBeyond = burstOffset >= files.get(open).length();
        fill(burstOffset, burstSize);
        LittleEndian.putInt32(reply, FtpLayout.OFFSET, (int) burstOffset);
        burstOffset += isBeyond ? 0 : reply[FtpLayout.SIZE] & 0xFF;
        reply[FtpLayout.BURST_COMPLETE] = (byte) (isLast || isBeyond ? 1 : 0);
        isBursting = !isLast && !isBeyond;
        hasReply = true;
        sender.send(MessageIds.FILE_TRANSFER_PROTOCOL, reply, FtpLayout.LENGTH);
    }

    private void checksum(int file) {
        if (file == NO_FILE) {
            refuse(FtpLayout.ERROR_FILE_NOT_FOUND);
            return;
        }
        int crc = 0;
        for (byte next : files.get(file).bytes()) {
            crc ^= next & 0xFF;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
            }
        }
        reply[FtpLayout.SIZE] = Integer.BYTES;
        LittleEndian.putInt32(reply, FtpLayout.DATA, crc);
    }

    private void refuse(int error) {
        reply[FtpLayout.OPCODE] = (byte) FtpLayout.NAK;
        reply[FtpLayout.SIZE] = 1;
        reply[FtpLayout.DATA] = (byte) error;
    }

    private String path() {
        return new String(request, FtpLayout.DATA, Math.min(size(), FtpLayout.DATA_LENGTH), StandardCharsets.US_ASCII);
    }

    private int size() {
        return request[FtpLayout.SIZE] & 0xFF;
    }

    private long offset() {
        return (LittleEndian.uint16(request, FtpLayout.OFFSET)
                | (long) LittleEndian.uint16(request, FtpLayout.OFFSET + 2) << Short.SIZE);
    }
}
