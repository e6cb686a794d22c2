package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.config.MapTiles;
import org.mavlogd.config.PageSettings;

/** A map from a folder: only its tiles can be read. */
class TileFilesSystemTest {
    @TempDir
    private Path directory = Path.of(".");

    private PageFixture page() throws IOException {
        Path tiles = directory.resolve("map");
        Files.createDirectories(tiles.resolve("3/5"));
        Files.writeString(tiles.resolve("3/5/7.png"), "picture");
        Files.writeString(tiles.resolve("3/5/6.webp"), "other picture");
        Files.write(tiles.resolve("3/5/5.jpg"), new byte[(1 << 20) + 1]);
        Files.writeString(directory.resolve("secret.png"), "secret");
        Files.writeString(tiles.resolve("notes.png"), "secret");
        return new PageFixture(directory, settings -> withMap(settings, tiles));
    }

    private static PageSettings withMap(PageSettings from, Path tiles) {
        return new PageSettings(
                from.listen(),
                from.token(),
                from.hosts(),
                from.control(),
                from.tls(),
                new MapTiles(tiles.toString(), "of the mappers"),
                from.logDirectory(),
                Optional.empty(),
                from.origins());
    }

    @Test
    void servesPicturesByTheirPlace() throws IOException {
        try (PageFixture page = page()) {
            HttpResponse<byte[]> png = page.get("/tiles/3/5/7");
            assertThat(png.statusCode()).isEqualTo(200);
            assertThat(png.headers().firstValue("Content-Type")).contains("image/png");
            assertThat(new String(png.body(), StandardCharsets.UTF_8)).isEqualTo("picture");

            assertThat(page.get("/tiles/3/5/6").headers().firstValue("Content-Type"))
                    .contains("image/webp");
            assertThat(page.get("/tiles/3/5/5").statusCode()).isEqualTo(422);
            String settings = new String(page.get("/api/v1/page").body(), StandardCharsets.UTF_8);
            assertThat(settings)
                    .contains("\"tiles\":\"/tiles/{z}/{x}/{y}\"")
                    .contains("\"tiles_credit\":\"of the mappers\"")
                    .doesNotContain("/map");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tiles/3/5/4", // a tile that does not exist
                "/tiles/3/5/8", // outside the map
                "/tiles/3/5/-1",
                "/tiles/3/5/7.png",
                "/tiles/99/5/7",
                "/tiles/3/5/99999999999",
                "/tiles/../../secret",
                "/tiles/3/..%2F..%2F..%2Fsecret/7",
                "/tiles/%2e%2e/%2e%2e/secret",
                "/tiles/notes.png"
            })
    void servesNothingElse(String address) throws IOException {
        try (PageFixture page = page()) {
            HttpResponse<byte[]> answer = page.get(address);

            assertThat(answer.statusCode()).isIn(400, 404);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotStartWith("secret");
        }
    }
}
