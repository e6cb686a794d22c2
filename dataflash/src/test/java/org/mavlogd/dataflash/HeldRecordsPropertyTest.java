package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryShare;

/** For any order of releases, each record is released once, unchanged, and the records of a type in their order. */
class HeldRecordsPropertyTest {
    private record Held(int type, long position, List<Byte> bytes) {}

    private final List<Held> model = new ArrayList<>();
    private final List<Held> out = new ArrayList<>();
    private final HeldRecords records = new HeldRecords(MemoryShare.unlimited());

    private void release(int type, byte[] buffer, int offset, int length, long position) {
        out.add(new Held(type, position, bytes(buffer, offset, length)));
    }

    private static List<Byte> bytes(byte[] buffer, int offset, int length) {
        List<Byte> bytes = new ArrayList<>();
        for (int i = offset; i < offset + length; i++) {
            bytes.add(buffer[i]);
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 60, 255})
    void eachRecordComesOutOnce(int maxLength) throws IOException {
        Random random = new Random(maxLength);
        for (long position = 0; position < 50_000; position++) {
            hold(random, position, maxLength);
            if (random.nextInt(300) == 0) {
                releaseType(random.nextInt(256));
            }
        }
        records.releaseAll(this::release);

        assertThat(out).containsExactlyElementsOf(model);
        assertThat(records.isEmpty()).isTrue();
    }

    private void hold(Random random, long position, int maxLength) throws IOException {
        byte[] record = new byte[3 + random.nextInt(maxLength - 2)];
        random.nextBytes(record);
        while (!records.hasRoom(record.length)) {
            records.releaseOldest(this::release);
            assertThat(out).isNotEmpty().containsExactlyElementsOf(model.subList(0, out.size()));
            model.subList(0, out.size()).clear();
            out.clear();
        }
        int type = random.nextInt(random.nextBoolean() ? 256 : 4);
        records.hold(type, record, 0, record.length, position);
        model.add(new Held(type, position, bytes(record, 0, record.length)));
    }

    private void releaseType(int type) throws IOException {
        List<Held> expected = model.stream().filter(held -> held.type == type).toList();
        records.release(type, this::release);
        assertThat(out).isEqualTo(expected);
        model.removeIf(held -> held.type == type);
        out.clear();
    }
}
