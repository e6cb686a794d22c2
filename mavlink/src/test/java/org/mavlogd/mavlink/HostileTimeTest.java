package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bytes that were made to be slow take a bounded multiple of the time of valid frames. Both are decoded in the same
 * run, so the limit holds on any machine.
 */
class HostileTimeTest {
    private static final int BYTES = 200 * 1472;
    private static final int ROUNDS = 4;

    /**
     * A valid frame takes one step for eight bytes of its checksum; where a frame may begin at each byte, each byte
     * takes some steps. The slowest family takes about 60. It took 240 when each start cost a checksum of up to 265
     * bytes.
     */
    private static final double MAX_RATIO = Double.parseDouble(System.getProperty("mavlink.hostile.ratio", "100"));

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Inputs that could be slow to decode. */
    enum Family {
        STARTS_OF_MAVLINK_1 {
            @Override
            void write(byte[] bytes, Random random) {
                Arrays.fill(bytes, FrameLayout.START_V1);
            }
        },
        STARTS_OF_MAVLINK_2 {
            @Override
            void write(byte[] bytes, Random random) {
                Arrays.fill(bytes, FrameLayout.START_V2);
            }
        },
        STARTS_OF_BOTH {
            @Override
            void write(byte[] bytes, Random random) {
                repeat(bytes, 0xFE, 0xFD);
            }
        },
        STARTS_AT_RANDOM {
            @Override
            void write(byte[] bytes, Random random) {
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = random.nextInt(3) == 0 ? FrameLayout.START_V2 : FrameLayout.START_V1;
                }
            }
        },
        /** A frame of a known message begins every two bytes. */
        LONG_FRAMES_OF_MAVLINK_1 {
            @Override
            void write(byte[] bytes, Random random) {
                repeat(bytes, 0xFE, 253);
            }
        },
        /** A frame with message 266 begins every five bytes. */
        LONG_FRAMES_OF_MAVLINK_2 {
            @Override
            void write(byte[] bytes, Random random) {
                repeat(bytes, 0xFD, 255, 266 & 0xFF, 266 >> 8, 0);
            }
        },
        /** Frames with a wrong checksum, each in the payload of another. */
        NESTED_FRAMES {
            @Override
            void write(byte[] bytes, Random random) {
                random.nextBytes(bytes);
                for (int at = 0; at + 10 < bytes.length; at += 10) {
                    put(bytes, at, 0xFD, 150 + random.nextInt(106), 0, 0, at / 10, 1, 1, 266 & 0xFF, 266 >> 8, 0);
                }
            }
        },
        /** An unknown message begins every two bytes and ends where another one may begin. */
        UNKNOWN_FRAMES {
            @Override
            void write(byte[] bytes, Random random) {
                int id = 254;
                while (MessageTable.standard().isKnown(id)) {
                    id -= 2;
                }
                repeat(bytes, 0xFE, id);
            }
        },
        /** Nested unknown messages, which all end where a valid frame disproves them. */
        DISPROVED_FRAMES {
            @Override
            void write(byte[] bytes, Random random) {
                byte[] heartbeat = FrameBytes.heartbeat(1);
                int group = 240 + heartbeat.length;
                for (int begin = 0; begin + 2 * group < bytes.length; begin += group) {
                    for (int at = 0; at < 240; at += 10) {
                        int length = group - at - 12;
                        put(bytes, begin + at, 0xFD, length, 0, 0, 1, 1, 1, 0x47, 0xEE, 0);
                    }
                    System.arraycopy(heartbeat, 0, bytes, begin + 240, heartbeat.length);
                }
            }
        },
        /** A frame begins every two bytes; all frames of a group end with the same valid one. */
        FRAMES_OF_ONE_END {
            @Override
            void write(byte[] bytes, Random random) {
                byte[] heartbeat = FrameBytes.heartbeat(1);
                int group = 236 + heartbeat.length;
                for (int begin = 0; begin + 2 * group < bytes.length; begin += group) {
                    for (int at = 0; at < 236; at += 2) {
                        put(bytes, begin + at, 0xFE, group - at - 8);
                    }
                    System.arraycopy(heartbeat, 0, bytes, begin + 236, heartbeat.length);
                }
            }
        },
        /** A few wrong checksums, each followed soon by a valid one. */
        VALID_FRAMES_BETWEEN {
            @Override
            void write(byte[] bytes, Random random) {
                byte[] heartbeat = FrameBytes.heartbeat(1);
                Arrays.fill(bytes, FrameLayout.START_V1);
                for (int at = 0; at + 2 * heartbeat.length < bytes.length; at += 2 * heartbeat.length) {
                    System.arraycopy(heartbeat, 0, bytes, at, heartbeat.length);
                }
            }
        },
        SIGNED_FRAMES_WITH_STARTS_IN_SIGNATURES {
            @Override
            void write(byte[] bytes, Random random) {
                byte[] signature = new byte[6];
                Arrays.fill(signature, FrameLayout.START_V1);
                byte[] frame = FrameBytes.v2(MessageIds.HEARTBEAT)
                        .payload(0, 0, 0, 0, 10, 12, 0x81, 4, 3)
                        .signed(0xFE, -1L, signature)
                        .bytes();
                for (int at = 0; at + frame.length <= bytes.length; at += frame.length) {
                    System.arraycopy(frame, 0, bytes, at, frame.length);
                }
            }
        },
        RANDOM_BYTES {
            @Override
            void write(byte[] bytes, Random random) {
                random.nextBytes(bytes);
            }
        };

        abstract void write(byte[] bytes, Random random);

        private static void repeat(byte[] bytes, int... pattern) {
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) pattern[at % pattern.length];
            }
        }

        private static void put(byte[] bytes, int at, int... values) {
            for (int i = 0; i < values.length; i++) {
                bytes[at + i] = (byte) values[i];
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void takesABoundedMultipleOfValidFramesTime(Family family) {
        byte[] hostile = new byte[BYTES];
        family.write(hostile, new Random(1));
        byte[] valid = validFrames();
        for (int piece : new int[] {1472, 300}) {
            for (boolean datagrams : new boolean[] {true, false}) {
                double ratio = ratio(hostile, valid, piece, datagrams);
                for (int again = 0; again < 9 && ratio >= MAX_RATIO; again++) {
                    // On a busy machine the compiler may need many rounds until its turn comes.
                    ratio = Math.min(ratio, ratio(hostile, valid, piece, datagrams));
                }

                if (Boolean.getBoolean("mavlink.hostile.print")) {
                    System.out.printf("%s, %d, %s: %.1f times%n", family, piece, datagrams, ratio);
                }
                assertThat(ratio)
                        .as(
                                "%s in pieces of %d, datagrams: %s: times as long as valid frames",
                                family, piece, datagrams)
                        .isLessThan(MAX_RATIO);
            }
        }
    }

    private static double ratio(byte[] hostile, byte[] valid, int piece, boolean datagrams) {
        return decodeNs(hostile, piece, datagrams) / decodeNs(valid, piece, datagrams);
    }

    private static byte[] validFrames() {
        byte[] bytes = new byte[BYTES];
        byte[] frame = FrameBytes.logChunk(1).bytes();
        for (int at = 0; at < bytes.length; at += frame.length) {
            System.arraycopy(frame, 0, bytes, at, Math.min(frame.length, bytes.length - at));
        }
        return bytes;
    }

    /** The minimum of some rounds, in which the code is compiled. */
    private static double decodeNs(byte[] bytes, int piece, boolean datagrams) {
        long leastNs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            FrameDecoder decoder = new FrameDecoder((frame, nowNs) -> {}, FrameCounters.unregistered());
            // CPU time of this thread, since the machine may be busy.
            long beginNs = THREADS.getCurrentThreadCpuTime();
            for (int at = 0; at < bytes.length; at += piece) {
                int length = Math.min(piece, bytes.length - at);
                if (datagrams) {
                    decoder.decodeDatagram(bytes, at, length, 0);
                } else {
                    decoder.decode(bytes, at, length, 0);
                }
            }
            leastNs = Math.min(leastNs, THREADS.getCurrentThreadCpuTime() - beginNs);
        }
        return leastNs;
    }
}
