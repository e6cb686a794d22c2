package org.mavlogd.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mavlogd.link.UnixDatagramClient;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;

/** Attackers other than vehicles. */
final class Floods {
    private Floods() {}

    /**
     * Bursts of packets: half of them random bytes, half frames with correct checksums, some of them with the id of
     * vehicle 1.
     */
    static final class Packets extends Attacker {
        private static final int[] IDS = {
            MessageIds.LOGGING_DATA,
            MessageIds.LOGGING_DATA_ACKED,
            MessageIds.REMOTE_LOG_DATA_BLOCK,
            MessageIds.COMMAND_ACK,
            MessageIds.SYSTEM_TIME
        };

        private final List<DatagramChannel> channels = new ArrayList<>();
        private final Random random;
        private final FrameEncoder encoder = new FrameEncoder(1);
        private final byte[] payload = new byte[255];
        private final byte[] packet = new byte[FrameEncoder.MAX_FRAME_LENGTH];

        Packets(int firstHost, List<Integer> ports, int perSecond, long seed) throws IOException {
            super("flood", Pace.bursts(perSecond, TimeUnit.MILLISECONDS.toNanos(200)));
            this.random = new Random(seed);
            for (int i = 0; i < 8; i++) {
                channels.add(channel(firstHost + i, ports.get(i % ports.size())));
            }
        }

        @Override
        void attack() throws IOException {
            channels.get(random.nextInt(channels.size())).write(ByteBuffer.wrap(packet, 0, next()));
        }

        private int next() {
            random.nextBytes(payload);
            if (random.nextBoolean()) {
                int length = 1 + random.nextInt(payload.length);
                System.arraycopy(payload, 0, packet, 0, length);
                packet[0] = random.nextBoolean() ? (byte) 0xFD : packet[0];
                return length;
            }
            int systemId = random.nextBoolean() ? 1 : 1 + random.nextInt(255);
            return encoder.encode(systemId, IDS[random.nextInt(IDS.length)], payload, payload.length, packet, 0);
        }

        @Override
        void disarm() throws IOException {
            for (DatagramChannel channel : channels) {
                channel.close();
            }
        }
    }

    /**
     * Defines 1,024 topics of 256 fields, and sends samples of them, of various instances; each fourth line has nothing but long names of
     * fields that are unknown, none of them twice.
     */
    static final class Topics extends Attacker {
        static final int TOPICS = 1024;
        private static final int FIELDS = 256;
        private static final int MAX_INSTANCE = 255;
        private static final int INSTANCE_STEP = 37;
        /** As many as a line of 64 KB holds. */
        private static final int UNKNOWN_FIELDS = 480;

        private static final long SEND_LIMIT_MS = 200;

        private final UnixDatagramClient client;
        private int next;

        Topics(Path socket, int perSecond) throws IOException {
            super("topics", Pace.steady(perSecond));
            this.client = UnixDatagramClient.open(socket);
        }

        @Override
        void attack() throws IOException {
            int index = next++;
            String line = index >= TOPICS && index % 4 == 0 ? unknownFields(index) : line(index);
            try {
                client.send(line.getBytes(StandardCharsets.US_ASCII), SEND_LIMIT_MS);
            } catch (IOException e) {
                // The socket's buffer is full: the recorder reads at its own pace.
            }
        }

        private static String line(int index) {
            StringBuilder line = new StringBuilder(10_000);
            boolean isDefinition = index < TOPICS;
            line.append(isDefinition ? "{\"define\":\"siege" : "{\"topic\":\"siege")
                    .append(index % TOPICS)
                    .append("\",\"fields\":{");
            for (int field = 0; field < FIELDS; field++) {
                line.append(field == 0 ? "" : ",")
                        .append("\"a_field_with_a_name_")
                        .append(field);
                line.append(isDefinition ? "\":\"double\"" : "\":1");
            }
            // The highest first: a list of instances that grows with the number would grow at once.
            int instance = (MAX_INSTANCE - (index / TOPICS - 1) * INSTANCE_STEP) & MAX_INSTANCE;
            return line.append(isDefinition ? "}}" : "},\"instance\":" + instance + "}")
                    .toString();
        }

        private static String unknownFields(int index) {
            return IntStream.range(0, UNKNOWN_FIELDS)
                    .mapToObj(
                            field -> String.format(Locale.ROOT, "\"f%0124d\":1", (long) index * UNKNOWN_FIELDS + field))
                    .collect(Collectors.joining(",", "{\"topic\":\"siege0\",\"fields\":{", "}}"));
        }

        @Override
        void disarm() {
            client.close();
        }
    }

    /** HTTP clients that request long pages and read a byte now and then. */
    static final class SlowReaders extends Attacker {
        private static final int READERS = 12;

        private final InetSocketAddress server;
        private final List<SocketChannel> readers = new ArrayList<>();
        private final ByteBuffer one = ByteBuffer.allocate(1);
        private int next;

        SlowReaders(int httpPort) {
            super("slow-readers", Pace.steady(READERS * 20));
            this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort);
        }

        @Override
        void attack() throws IOException {
            if (readers.size() < READERS) {
                readers.add(connected());
                return;
            }
            int index = next++ % READERS;
            SocketChannel reader = readers.get(index);
            if (!isOpen(reader)) {
                reader.close();
                readers.set(index, connected());
            }
        }

        private boolean isOpen(SocketChannel reader) {
            try {
                return reader.read(one.clear()) >= 0;
            } catch (IOException e) {
                return false;
            }
        }

        private SocketChannel connected() throws IOException {
            SocketChannel reader = SocketChannel.open();
            try {
                reader.setOption(java.net.StandardSocketOptions.SO_RCVBUF, 1024);
                reader.connect(server);
                String request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + server.getPort() + "\r\n\r\n";
                for (int i = 0; i < 4; i++) {
                    reader.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
                }
            } catch (IOException e) {
                // Refused: the client tries again.
            }
            reader.configureBlocking(false);
            return reader;
        }

        @Override
        void disarm() throws IOException {
            for (SocketChannel reader : readers) {
                reader.close();
            }
        }
    }
}
