package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.series.RawLog;

/** The size of answers on the way to the browser, which may be a radio link. */
class PageCompressionSystemTest {
    private static final String LOG = "/api/v1/logs/noise.ulg";
    private static final int SAMPLES = 20_000;
    private static final int PLOT_BYTES = 100_000;
    private static final long SEED = 11;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private PageFixture page;

    @BeforeEach
    void start() throws IOException {
        page = new PageFixture(directory, PageFixture::withControl);
        Random random = new Random(SEED);
        RawLog log = new RawLog().format(PageFixture.FORMAT).subscribe(PageFixture.TOPIC, 0, 3);
        for (int i = 0; i < SAMPLES; i++) {
            // Noise in values and times, without repetitions.
            log.sample(
                    3,
                    1_000_000 + 10_000L * i + random.nextInt(3000),
                    random.nextFloat(),
                    random.nextDouble(),
                    random.nextGaussian());
        }
        page.add("noise.ulg", log.bytes());
    }

    @AfterEach
    void stop() {
        page.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/topics", "/series?field=one.a", "/series?field=one.b%5B1%5D", "/report", "/messages", "/modes"
            })
    void isZippedForWhoAcceptsThat(String path) throws IOException {
        HttpResponse<byte[]> plain = page.get(LOG + path);
        HttpResponse<byte[]> zipped = page.get(LOG + path, "Accept-Encoding", "br;q=0.1, gzip");

        assertThat(plain.headers().firstValue("Content-Encoding").orElse("identity"))
                .isEqualTo("identity");
        assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
        for (String refusal : new String[] {"identity", "gzip;q=0", "br"}) {
            assertThat(page.get(LOG + path, "Accept-Encoding", refusal).body())
                    .as(refusal)
                    .isEqualTo(plain.body());
        }
    }

    /** The columns of a screen of 1500 pixels, without repetitions. */
    @Test
    void aPlotTakesAHundredKilobytesAtMost() {
        for (String field : new String[] {"one.a", "one.b%5B0%5D", "one.b%5B1%5D"}) {
            byte[] body = page.get(LOG + "/series?points=1500&field=" + field, "Accept-Encoding", "gzip")
                    .body();

            assertThat(body.length).as(field).isBetween(1000, PLOT_BYTES);
        }
    }
}
