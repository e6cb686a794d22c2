package org.mavlogd.record.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.record.LogBytes;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/** The start of each file, with memory and without. */
class LogHeadTest {
    private static final int LOCAL_BYTES = 64 << 10;
    private static final byte[] HEADER = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1, 9, 8, 7, 6, 5, 4, 3, 2};
    private static final byte[] FLAG_BITS = flagBits(40);
    private static final byte[] OWN = text('I', "\u0011char[10] recordertester 1.0");

    private final MemoryBudget budget = new MemoryBudget(8 * LOCAL_BYTES);
    private final MemoryShare others = budget.share(Requester.LOCAL_SOURCE);
    private final LogHead head = new LogHead(budget.share(Requester.LOCAL_SOURCE));

    private static byte[] flagBits(int length) {
        byte[] flags = new byte[length];
        for (int i = 0; i < length; i++) {
            flags[i] = (byte) (0x80 + i);
        }
        return LogBytes.encoded('B', flags);
    }

    private static byte[] text(char type, String text) {
        return LogBytes.encoded(type, text.getBytes(StandardCharsets.US_ASCII));
    }

    private boolean take(byte[] message) {
        return head.onMessage(new UnsafeBuffer(message), 0, message.length);
    }

    /** Begins a file, as it is on the disk. */
    private static byte[] file(LogHead head) {
        FakeDisk disk = new FakeDisk();
        Keeper keeper = new Keeper(disk, () -> 0, (name, bytes) -> {});
        StoreSettings settings =
                new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);
        LogStore store = new LogStore(disk, () -> 1_790_000_000_000L, settings, keeper);
        try {
            LogFile file = store.create(1);
            OwnInfos own = new OwnInfos("tester 1.0", Map.of());
            own.encodeHead(new StartClock(0), 1, "");
            head.appendDefinitions(file, own, 0);
            store.finish(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        keeper.doWork();
        return disk.contents().values().iterator().next();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void headerAndFlagBitsNeedNoMemory() {
        others.take(LOCAL_BYTES);

        head.onHeader(new UnsafeBuffer(HEADER), 0);
        assertThat(take(FLAG_BITS)).isTrue();
        assertThat(head.lacksMessages()).isFalse();
        assertThat(take(text('F', "x:uint64_t timestamp;"))).isFalse();

        assertThat(head.lacksMessages()).isTrue();
        assertThat(head.length()).isEqualTo(HEADER.length + FLAG_BITS.length);
        assertThat(file(head)).isEqualTo(join(HEADER, FLAG_BITS, OWN));
    }

    /** Bytes inside a message look like the start of a format without an end. */
    @Test
    void formatsAreReadIfTheHeaderCameWithoutMemory() {
        others.take(LOCAL_BYTES);
        head.onHeader(new UnsafeBuffer(HEADER), 0);
        take(FLAG_BITS);
        others.release(LOCAL_BYTES);
        byte[] info = new byte[5000];
        info[13] = (byte) 0xFF;
        info[14] = (byte) 0xFF;
        info[15] = 'F';
        assertThat(take(LogBytes.encoded('I', info))).isTrue();
        assertThat(take(text('F', "x:uint64_t timestamp;"))).isTrue();

        assertThat(head.formats(name -> 100)).containsExactly(Map.entry("x", "uint64_t timestamp;"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39, 40, 41, 236, 237})
    void flagBitsFollowTheHeader(int length) {
        byte[] flags = flagBits(length);
        byte[] format = text('F', "x:uint64_t timestamp;");
        head.onHeader(new UnsafeBuffer(HEADER), 0);
        assertThat(take(flags)).isTrue();
        assertThat(take(format)).isTrue();

        assertThat(file(head)).isEqualTo(join(HEADER, flags, OWN, format));
        assertThat(head.length()).isEqualTo(HEADER.length + flags.length + format.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {238, 1000, 0xFFFF})
    void flagBitsThatAreMuchTooLongNeedMemory(int length) {
        byte[] flags = flagBits(length);
        byte[] format = text('F', "x:uint64_t timestamp;");
        head.onHeader(new UnsafeBuffer(HEADER), 0);
        others.take(LOCAL_BYTES);
        assertThat(take(flags)).isFalse();
        others.release(LOCAL_BYTES);
        assertThat(take(FLAG_BITS)).isTrue();
        assertThat(take(format)).isTrue();
        assertThat(take(FLAG_BITS)).as("a second time").isTrue();

        assertThat(file(head)).isEqualTo(join(HEADER, FLAG_BITS, OWN, format, FLAG_BITS));
    }
}
