package org.mavlogd.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Serves map tiles from the operator's folder: files z/x/y.png, .jpg or .webp. */
final class TileFiles {
    static final String ADDRESS = "/tiles/{z}/{x}/{y}";
    static final String ROUTE = "/tiles/:z/:x/:y";

    private static final int MAX_LEVEL = 22;
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DIGITS = 7;
    private static final Map<String, String> TYPES = new LinkedHashMap<>();

    static {
        TYPES.put("png", "image/png");
        TYPES.put("jpg", "image/jpeg");
        TYPES.put("webp", "image/webp");
    }

    private final Path folder;
    private final Workers files;

    TileFiles(Path folder, Workers files) {
        this.folder = folder;
        this.files = files;
    }

    private record Picture(Buffer content, String type) {}

    void serve(RoutingContext request) {
        int level = number(request, "z", MAX_LEVEL);
        int most = (1 << level) - 1;
        // The path consists of numbers only, so no other file can be requested.
        String name = level + "/" + number(request, "x", most) + "/" + number(request, "y", most);
        files.run(
                request,
                wanted -> find(name),
                picture -> request.response()
                        .putHeader("Content-Type", picture.type)
                        .putHeader("Cache-Control", "private, max-age=86400")
                        .end(picture.content));
    }

    private static int number(RoutingContext request, String name, int most) {
        String text = request.pathParam(name);
        boolean isNumber = !text.isEmpty()
                && text.length() <= MAX_DIGITS
                && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        if (!isNumber || Integer.parseInt(text) > most) {
            throw new Problem(404, "there is no map tile at this place: " + name + " must be from 0 to " + most);
        }
        return Integer.parseInt(text);
    }

    private Picture find(String name) throws IOException {
        for (Map.Entry<String, String> type : TYPES.entrySet()) {
            Path file = folder.resolve(name + "." + type.getKey());
            if (Files.isRegularFile(file)) {
                return new Picture(Buffer.buffer(read(file)), type.getValue());
            }
        }
        throw new Problem(404, "the map has no tile of this place");
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw new Problem(422, "this map tile is larger than " + MAX_BYTES + " bytes");
            }
            return content;
        }
    }
}
