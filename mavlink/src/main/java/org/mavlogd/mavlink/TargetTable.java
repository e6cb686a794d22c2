package org.mavlogd.mavlink;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.MessageTable.Definition;

/**
 * Returns the target of a frame: the system and component in its target fields, if its message has them. Immutable.
 *
 * @see <a href="https://mavlink.io/en/guide/routing.html">Routing</a>
 */
public final class TargetTable {
    /** The target of frames for everyone. */
    public static final int EVERYONE = 0;

    private static final int NOWHERE = -1;

    // By definition: offsets of the target system and component in the payload.
    private final short[] systems;
    private final short[] components;

    private TargetTable(short[] systems, short[] components) {
        this.systems = systems;
        this.components = components;
    }

    static TargetTable of(Dialect dialect) {
        Map<List<Integer>, int[]> rows = rows(TargetRows.text());
        List<Definition> definitions = dialect.table().definitions();
        short[] systems = new short[definitions.size()];
        short[] components = new short[definitions.size()];
        Arrays.fill(systems, (short) NOWHERE);
        Arrays.fill(components, (short) NOWHERE);
        for (int i = 0; i < systems.length; i++) {
            Definition message = definitions.get(i);
            MessageLayout given = dialect.given(message);
            int[] offsets = given == null ? rows.get(List.of(message.id(), message.crcExtra())) : offsets(given);
            if (offsets != null) {
                systems[i] = (short) offsets[0];
                components[i] = (short) offsets[1];
            }
        }
        return new TargetTable(systems, components);
    }

    /**
     * The system in bits 8 to 15 and the component in bits 0 to 7, 0 for all; {@link #EVERYONE} without target fields.
     * Hot path.
     */
    public int target(FrameView frame) {
        int definition = frame.definition();
        if (definition == FrameView.UNKNOWN || systems[definition] == NOWHERE) {
            return EVERYONE;
        }
        int system = frame.uint8(systems[definition]);
        boolean isOfAll = system == 0 || components[definition] == NOWHERE;
        return system << Byte.SIZE | (isOfAll ? 0 : frame.uint8(components[definition]));
    }

    private static int @Nullable [] offsets(MessageLayout message) {
        int system = offset(message, "target_system");
        return system == NOWHERE ? null : new int[] {system, offset(message, "target_component")};
    }

    private static int offset(MessageLayout message, String name) {
        int offset = 0;
        for (MessageLayout.Field field : message.fields()) {
            if (field.name().equals(name)) {
                return field.length() == 1 ? offset : NOWHERE;
            }
            offset += field.length();
        }
        return NOWHERE;
    }

    private static Map<List<Integer>, int[]> rows(String text) {
        Map<List<Integer>, int[]> rows = new HashMap<>();
        text.lines().forEach(line -> {
            String[] columns = line.split("\t", -1);
            rows.put(
                    List.of(Integer.valueOf(columns[0]), Integer.valueOf(columns[1])),
                    new int[] {Integer.parseInt(columns[2]), Integer.parseInt(columns[3])});
        });
        return rows;
    }
}
