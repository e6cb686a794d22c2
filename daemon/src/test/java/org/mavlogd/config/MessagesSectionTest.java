package org.mavlogd.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.mavlink.Dialect;

/** Files of message definitions are read with the configuration, and their errors are reported with it. */
class MessagesSectionTest {
    @TempDir
    private Path directory;

    private String section;

    @BeforeEach
    void nameTheFile() {
        section = ConfigText.LINK + "[messages]\ndefinitions = [\"" + directory.resolve("my.xml") + "\"]\n";
    }

    @Test
    void furtherMessagesCanBeIncluded() throws IOException, ConfigException {
        write("<mavlink>\n<message id='42000' name='WINCH_LOAD'><field type='float' name='kg'/></message>\n</mavlink>");

        Settings settings = new ConfigText(directory).load(section + "include = [\"WINCH_*\", \"ATTITUDE\"]\n");

        Dialect dialect = settings.local().messages().dialect();
        assertThat(dialect.count()).isEqualTo(Dialect.standard().count() + 1);
        assertThat(settings.local().messages().include()).containsExactly("WINCH_*", "ATTITUDE");
    }

    @Test
    void mistakesAreToldWithThePlacesInBothFiles() throws IOException {
        write("<mavlink>\n<message id='42000' name='WINCH_LOAD'>\n<field type='half' name='kg'/></message></mavlink>");

        assertThat(new ConfigText(directory).problems(section))
                .singleElement()
                .asString()
                .startsWith(
                        "c.toml:6:1: messages.definitions: my.xml:3: field kg of WINCH_LOAD: type \"half\"; allowed: int8_t");
    }

    private void write(String xml) throws IOException {
        Files.writeString(directory.resolve("my.xml"), xml);
    }
}
