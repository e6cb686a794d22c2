package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names in a log become file names that any file system accepts, and never paths. */
class OutputDirectoryTest {
    @TempDir
    private Path place = Path.of(".");

    private Stream<String> names(String ending, String... names) throws IOException {
        try (OutputDirectory directory = new OutputDirectory(place)) {
            Stream.Builder<String> files = Stream.builder();
            for (String name : names) {
                Path file = directory.file(name, ending, ".x");
                assertThat(file.getParent()).isEqualTo(place);
                files.add(String.valueOf(file.getFileName()));
            }
            return files.build();
        }
    }

    @Test
    void namesAreNoPaths() throws IOException {
        assertThat(names("", "../../a", "/b", "..", ".", "a\0b", "c\\d", "e:f", "\u202eg", "x".repeat(300)))
                .containsExactly(
                        "______a.x", "_b.x", "__.x", "_.x", "a_b.x", "c_d.x", "e_f.x", "_g.x", "x".repeat(100) + ".x");
    }

    @Test
    void namesThatDifferByCaseOnlyGetNumbers() throws IOException {
        assertThat(names("_0", "topic", "Topic", "TOPIC", "to/pic", "to-pic"))
                .containsExactly("topic_0.x", "Topic_0-2.x", "TOPIC_0-3.x", "to_pic_0.x", "to-pic_0.x");
    }

    @Test
    void namesOfDevicesAreNotUsed() throws IOException {
        assertThat(names("", "CON", "nul", "Com1", "LPT9", "com", "nul_"))
                .containsExactly("CON_.x", "nul_.x", "Com1_.x", "LPT9_.x", "com.x", "nul_-2.x");
        assertThat(names("_0", "CON")).containsExactly("CON_0.x");
    }
}
