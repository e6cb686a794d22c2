package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.page.Catalogue.Entry;

class CatalogueTest {
    @TempDir
    private Path card;

    private Path log(String path) throws IOException {
        Path file = card.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, path).toRealPath();
    }

    private Catalogue of(String... directories) {
        return new Catalogue(Stream.of(directories).map(card::resolve).toList());
    }

    private static List<String> names(Catalogue catalogue) throws IOException {
        return catalogue.all().stream().map(Entry::name).toList();
    }

    /** As PX4 names them without GPS time. */
    @Test
    void logsWithEqualNamesInSeveralFoldersAreAllThere() throws IOException {
        Path first = log("sess001/log100.ulg");
        Path second = log("sess002/log100.ulg");
        Path third = log("sess002/log101.ulg");
        Catalogue catalogue = of("sess001", "sess002");

        assertThat(names(catalogue)).containsExactlyInAnyOrder("log100.ulg", "sess002_log100.ulg", "log101.ulg");
        assertThat(catalogue.find("log100.ulg").file()).isEqualTo(first);
        assertThat(catalogue.find("sess002_log100.ulg").file()).isEqualTo(second);
        assertThat(catalogue.find("sess002_log100.ulg").name()).isEqualTo("sess002_log100.ulg");
        assertThat(catalogue.find("log101.ulg").file()).isEqualTo(third);

        // Links to it stay valid when it has its plain name again.
        Files.delete(first);
        assertThat(names(catalogue)).containsExactlyInAnyOrder("log100.ulg", "log101.ulg");
        assertThat(catalogue.find("sess002_log100.ulg").file()).isEqualTo(second);
    }

    @Test
    void foldersWithEqualNamesAreToldApartByTheirParents() throws IOException {
        log("boat/log/a.ulg");
        Path rover = log("rover/log/a.ulg");
        Catalogue catalogue = of("boat/log", "rover/log");

        assertThat(names(catalogue)).containsExactlyInAnyOrder("a.ulg", "rover_log_a.ulg");
        assertThat(catalogue.find("rover_log_a.ulg").file()).isEqualTo(rover);
    }

    @Test
    void fetchedLogsWithTheNameOfARecordedOneAreThere() throws IOException {
        log("logs/a.ulg");
        Path fetched = log("logs/fetched/a.ulg");
        Catalogue catalogue = of("logs");

        assertThat(names(catalogue)).containsExactlyInAnyOrder("a.ulg", "fetched_a.ulg");
        assertThat(catalogue.find("fetched_a.ulg").file()).isEqualTo(fetched);
    }

    @Test
    void aFolderThatIsNamedTwiceIsListedOnce() throws IOException {
        log("logs/a.ulg");
        log("logs/fetched/b.ulg");
        Files.createSymbolicLink(card.resolve("link"), card.resolve("logs"));
        assertThat(names(of("logs", "logs", "logs/../logs", "logs/fetched", "link")))
                .containsExactlyInAnyOrder("a.ulg", "b.ulg");
    }

    @Test
    void aFileWithTheNameThatAnotherWouldGetIsFoundItself() throws IOException {
        log("one/a.ulg");
        log("two/a.ulg");
        Path plain = log("one/two_a.ulg");
        assertThat(of("one", "two").find("two_a.ulg").file()).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sess002_", "sess002_.ulg", "sess002_..", "sess002_sess001", "_log100.ulg", "x_log100.ulg"})
    void namesThatAreNoneOfALogAreNotFound(String name) throws IOException {
        log("sess001/log100.ulg");
        log("sess002/.ulg");
        Catalogue catalogue = of("sess001", "sess002");
        assertThatThrownBy(() -> catalogue.find(name)).isInstanceOf(Problem.class);
    }
}
