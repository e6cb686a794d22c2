package org.mavlogd.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;

/**
 * Any DataFlash log becomes a ULog in which the project's reader finds no fault, and cutting the log into pieces makes
 * no difference.
 */
class DataFlashFuzzTest {
    static Stream<byte[]> seeds() {
        byte[] real = Arrays.copyOf(Captures.log("s3_reconnect.client2.mav.bin"), 30_000);
        byte[] made = DataFlashBuilder.aLog()
                .fmt(1, "PARM", "QNff", "TimeUS,Name,Value,Default")
                .fmt(2, "MSG", "QZ", "TimeUS,Message")
                .fmt(3, "SCR", "QNI", "TimeUS,Name,Runtime")
                .fmt(4, "HALF", "Qgad", "TimeUS,g,a,d")
                .record("FMTU", 0L, 3, "s#s", "F-F")
                .record("PARM", 1L, "A", 1.0, 2.0)
                .record("MSG", 2L, "text")
                .record("SCR", 3L, "a.lua", 1)
                .record("HALF", 4L, 0x3C00, new short[32], 1.0)
                .record("PARM", 5L, "A", 3.0, Double.NaN)
                .toByteArray();
        byte[] damaged = made.clone();
        Arrays.fill(damaged, made.length - 60, made.length - 40, (byte) 0);
        return Stream.of(real, made, damaged, Arrays.copyOf(made, made.length - 7));
    }

    @MethodSource("seeds")
    @FuzzTest
    void convertsWhatIsSound(byte[] log) throws IOException {
        Mapped whole = Mapped.of(log, ULogMapper.Values.RAW, log.length + 1);
        int piece = 1 + (Arrays.hashCode(log) & 0xFF);

        assertThat(Mapped.of(log, ULogMapper.Values.RAW, piece).bytes()).isEqualTo(whole.bytes());
        ULogMapper.Counts counts = whole.counts();
        assertThat(whole.sampleCount()).isEqualTo(counts.samples());
        assertThat(Mapped.of(log, ULogMapper.Values.SCALED, piece).sampleCount())
                .isEqualTo(counts.samples());
    }
}
