package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;

/** A real ArduPilot's messages during another program's download give the same log. */
class CaptureDownloadTest {
    private static final int V1_OVERHEAD = 8;
    private static final int V2_OVERHEAD = 12;
    private static final int GROUND_STATION = 255;

    private final MemoryClient client = MemoryClient.ofAll();
    private int asked;
    private boolean entryAsked;
    private boolean entrySeen;
    private int entryAt;
    private int entryLength;
    private @Nullable FetchSession session;

    @Test
    void realAnswersGiveTheLogByteForByte() throws Exception {
        byte[] tlog = resource("s4_logdownload.tlog.gz");
        FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
        ByteBuffer buffer = ByteBuffer.wrap(tlog);
        while (buffer.remaining() > Long.BYTES) {
            long nowNs = TimeUnit.MICROSECONDS.toNanos(buffer.getLong());
            int at = buffer.position();
            int overhead = (tlog[at] & 0xFF) == 0xFD ? V2_OVERHEAD : V1_OVERHEAD;
            int length = overhead + (tlog[at + 1] & 0xFF);
            decoder.decodeDatagram(tlog, at, length, nowNs);
            if (entryAsked && entryLength > 0) {
                // The recorder asks for the entry again if data is slow; the vehicle was asked once, and its answer
                // would be the same.
                entryAsked = false;
                decoder.decodeDatagram(tlog, entryAt, entryLength, nowNs);
            }
            if (entryLength == 0 && entrySeen) {
                entryAt = at;
                entryLength = length;
            }
            if (session != null) {
                session.onTick(nowNs);
            }
            buffer.position(at + length);
        }

        assertThat(client.list()).containsExactly(new RemoteLog(1, 335_872, 1_795_225_638L, ""));
        assertThat(client.whole()).containsOnlyKeys(1);
        assertThat(client.end()).isEmpty();
        assertThat(client.content(1)).isEqualTo(resource("s4_logdownload.log_data.bin.gz"));
        assertThat(asked).as("messages of ours").isGreaterThan(2);
    }

    private void onRequest(int id, byte[] payload, int length) {
        asked++;
        entryAsked |= id == MessageIds.LOG_REQUEST_LIST;
    }

    private void onFrame(FrameView frame, long nowNs) {
        if (frame.systemId() == GROUND_STATION) {
            if (frame.messageId() == MessageIds.LOG_REQUEST_LIST) {
                session = new FetchSession(
                        new FetchTarget(1, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191),
                        new FetchSession.Wish(List.of(FetchClient.Way.MESSAGES), TimeUnit.SECONDS.toNanos(30), true),
                        this::onRequest,
                        client,
                        MemoryShare.unlimited(),
                        nowNs);
            }
        } else if (session != null && frame.componentId() == 1) {
            entrySeen |= frame.messageId() == MessageIds.LOG_ENTRY;
            session.onFrame(frame, nowNs);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(
                Objects.requireNonNull(CaptureDownloadTest.class.getResourceAsStream("/captures/ardupilot/" + name)))) {
            return in.readAllBytes();
        }
    }
}
