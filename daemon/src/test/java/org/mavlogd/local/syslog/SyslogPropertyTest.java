package org.mavlogd.local.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SyslogPropertyTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final List<String> SEEDS = List.of(
            "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed",
            "<165>1 2003-10-11T22:14:15.003Z h evntslog 7 ID47 [exampleSDID@32473 iut=\"3\" x=\"\\\"\\]\"][b@1] text",
            "<34>Oct 11 22:14:15 mymachine su[12]: 'su root' failed for lonvick on /dev/pts/8",
            "<30>2026-11-21T09:00:01.123456+01:00 boat camerad[812]: frame lost",
            "<14>modem: no carrier");

    /** Any bytes: nothing throws, and the end of the message is the end of the datagram. */
    @Test
    void takesSpoiledMessagesAsTheyAre() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = spoiled(random);
            int offset = random.nextInt(1 + bytes.length / 4);

            SyslogMessage message = SyslogMessage.of(bytes, offset, bytes.length - offset);

            assertThat(message.facility()).as("seed " + seed).isBetween(0, 23);
            assertThat(message.program().length()).as("seed " + seed).isLessThanOrEqualTo(48);
            if (!message.isSound()) {
                String all = new String(bytes, offset, bytes.length - offset, StandardCharsets.UTF_8);
                assertThat(all).as("seed " + seed).contains(message.text());
            }
        }
    }

    /** Invalid input that is slow to refuse would allow an attack. */
    @Test
    void longNonsenseIsRefusedAtOnce() {
        for (String piece : List.of("[", "[a ", "[a b=\"", "\\\"", "a ", "a[", "a:", "<1>", "1 - ", "]")) {
            byte[] bytes =
                    ("<14>1 - h a p m " + piece.repeat(60_000 / piece.length())).getBytes(StandardCharsets.UTF_8);
            long beganNs = THREADS.getCurrentThreadCpuTime(); // the machine may be busy

            SyslogMessage.of(bytes, 0, bytes.length);
            SyslogMessage.of(bytes, 16, bytes.length - 16);

            assertThat(THREADS.getCurrentThreadCpuTime() - beganNs).as(piece).isLessThan(1_000_000_000L);
        }
    }

    private static byte[] spoiled(SplittableRandom random) {
        byte[] bytes = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 10));
        }
        for (int changes = random.nextInt(6); changes > 0 && bytes.length > 0; changes--) {
            bytes[random.nextInt(bytes.length)] =
                    (byte) (random.nextBoolean() ? "<>[]\" :-1\\=".charAt(random.nextInt(11)) : random.nextInt(256));
        }
        return bytes;
    }
}
