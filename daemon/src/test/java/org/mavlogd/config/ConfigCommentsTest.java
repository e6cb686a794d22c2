package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comments cost no parsing time, and removing them changes nothing else. */
class ConfigCommentsTest {
    @TempDir
    private Path directory;

    @Test
    void leavesLinesWhereTheyAre() {
        assertThat(ConfigFile.withoutComments("# a\n[log]\n \t# b = \"\"\ndirectory = \"x\" # c\n\n#"))
                .isEqualTo("\n[log]\n\ndirectory = \"x\" # c\n\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = \"\"\"\n# not a comment\n\"\"\"\n",
                "a = '''\n# not a comment\n'''\n",
                "# a control character: \u0001\n",
                "# Umlauts: \u00e4\n",
                "# of another system\r\na = 1\r\n",
                "a = [\n 1, # one\n 2]",
                ""
            })
    void leavesAloneWhatTheParserMaySeeOtherwise(String text) {
        assertThat(ConfigFile.withoutComments(text)).isEqualTo(text);
    }

    @Test
    void tellsTheLineOfAProblemBehindComments() {
        ConfigText config = new ConfigText(directory);

        assertThat(config.problems("# one\n# two\n[vehicle]\n# four\nsystem_idd = 1\n" + ConfigText.LINK))
                .singleElement()
                .asString()
                .startsWith("c.toml:5:1: ");
    }

    @Test
    void stillRefusesAControlCharacterInAComment() {
        ConfigText config = new ConfigText(directory);

        assertThat(config.problems("# bad \u0001\n" + ConfigText.LINK)).isNotEmpty();
    }
}
