package org.mavlogd.whole;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.LinkConversations;

/** All frames of a driving rover, its ground station and a client on a link: captures/ardupilot/ORIGIN.md. */
final class HeardReplay {
    private static final String CAPTURE = "/captures/ardupilot/s5_telemetry";
    private static final int TIME_BYTES = 8;

    private HeardReplay() {}

    /** Delivers each frame at its time, then calls {@code step} with that time. */
    static void run(LinkConversations link, LongConsumer step) throws IOException {
        Peer peer = new SilentPeer();
        byte[] bytes = unpacked(CAPTURE + ".tlog.gz");
        link.onPeerUp(peer, 0);
        for (int at = 0; at < bytes.length; ) {
            long nowNs = TimeUnit.MICROSECONDS.toNanos(ByteBuffer.wrap(bytes).getLong(at));
            int frame = at + TIME_BYTES;
            int length = (bytes[frame + 1] & 0xFF) + ((bytes[frame] & 0xFF) == 0xFD ? 12 : 8);
            link.onBytes(peer, bytes, frame, length, nowNs);
            link.onTick(nowNs);
            step.accept(nowNs);
            at = frame + length;
        }
    }

    /** Expected counts by system, component and message. */
    static Map<String, Integer> expected() throws IOException {
        Map<String, Integer> expected = new HashMap<>();
        try (InputStream in = HeardReplay.class.getResourceAsStream(CAPTURE + ".csv");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    int comma = line.lastIndexOf(',');
                    expected.put(line.substring(0, comma), Integer.parseInt(line.substring(comma + 1)));
                }
            }
        }
        return expected;
    }

    private static byte[] unpacked(String resource) throws IOException {
        try (InputStream in = HeardReplay.class.getResourceAsStream(resource)) {
            return new GZIPInputStream(Objects.requireNonNull(in, resource)).readAllBytes();
        }
    }

    /** A serial port. */
    private static final class SilentPeer implements Peer {
        @Override
        public String address() {
            return "test";
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            // no answers
        }
    }
}
