package org.mavlogd.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The map below a track: square pictures in the usual Web Mercator grid.
 *
 * @param from URL with {z}, {x} and {y}, or the absolute path of a folder with files z/x/y.png; empty for no map
 * @param credit attribution that the map's licence requires; may be empty
 * @see <a href="https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames">Slippy map tilenames</a>
 */
public record MapTiles(String from, String credit) {
    public static final MapTiles NONE = new MapTiles("", "");

    private static final Pattern ADDRESS = Pattern.compile("https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/[!-~&&[^\"'<>;,]]*");
    private static final Pattern CREDIT = Pattern.compile("[^\\p{Cntrl}]{0,200}");

    static final ValueType<String> FROM = ValueType.of(
            "an address such as \"https://tiles.example/{z}/{x}/{y}.png\", the absolute path of a folder, or \"\" for none",
            value -> value instanceof String text && (text.isEmpty() || isAddress(text))
                    ? text
                    : ValueType.ABSOLUTE_PATH.read(value));
    static final ValueType<String> CREDIT_TEXT =
            ValueType.matching(CREDIT, "a string of at most 200 characters in one line");

    private static boolean isAddress(String text) {
        return ADDRESS.matcher(text).matches() && Stream.of("{z}", "{x}", "{y}").allMatch(text::contains);
    }

    /** The folder of the tiles, if they are on this computer. */
    public Optional<Path> folder() {
        return from.startsWith("/") ? Optional.of(Path.of(from)) : Optional.empty();
    }

    /** The part of the server's address that browsers must allow; empty for none. */
    public String origin() {
        return from.startsWith("http") ? from.substring(0, from.indexOf('/', from.indexOf("//") + 2)) : "";
    }
}
