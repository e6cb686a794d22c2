package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the form of Flight Review, and which of its answers count as received. */
@Timeout(120)
class FlightReviewUploadTest {
    private WebServers servers;
    private UploadFixture fixture;

    @SuppressWarnings("NullAway.Init")
    FlightReviewUploadTest() {}

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        servers = new WebServers();
        fixture = new UploadFixture(directory).web("flight_review", servers);
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    private void failsEachTime(int runs) throws IOException, InterruptedException {
        for (int run = 0; run < runs; run++) {
            assertThat(fixture.once()).isFalse();
        }
    }

    private void assertSentTwiceAndUnsure() throws IOException {
        assertThat(servers.files).hasSize(2);
        assertThat(fixture.status()).contains("\"state\":\"unsure\"");
        assertThat(fixture.uploaded()).isEmpty();
    }

    @Test
    void fillsInTheFormAndKeepsTheLink(@TempDir Path other) throws IOException, InterruptedException {
        fixture = new UploadFixture(other)
                .web(
                        "flight_review",
                        servers,
                        "email = \"pilot@example.org\"",
                        "description = \"Rover \\\"7\\\"\"",
                        "public = true");
        fixture.log(1);

        assertThat(fixture.once()).isTrue();

        assertThat(servers.forms.get(UploadFixture.name(1)))
                .containsEntry("email", "pilot@example.org")
                .containsEntry("description", "Rover \"7\"")
                .containsEntry("type", "flightreport")
                .containsEntry("public", "true")
                .containsEntry("redirect", "false");
        assertThat(fixture.status()).contains("\"link\":\"" + servers.links.get(UploadFixture.name(1)) + '"');
    }

    @Test
    void aRefusedFileDoesNotStopTheOthers() throws IOException, InterruptedException {
        Files.write(fixture.logs().resolve(UploadFixture.name(2)), new byte[UploadFixture.BYTES]);
        fixture.log(1);

        assertThat(fixture.once()).isFalse();

        fixture.assertArrived(servers, 1);
        assertThat(fixture.status()).contains("the server answers with status 400");
    }

    @Test
    void aLogIsSentAgainAfterAnError() throws IOException, InterruptedException {
        fixture.log(1);
        servers.status = 503;
        failsEachTime(4);
        servers.status = 0;

        assertThat(fixture.once()).isTrue();

        fixture.assertArrived(servers, 1);
    }

    @Test
    void aLogIsSentAtMostTwiceWithoutAnAnswer() throws IOException, InterruptedException {
        fixture.log(1);
        servers.cutBeforeAnswer = number -> true;

        failsEachTime(5);

        assertSentTwiceAndUnsure();
    }

    /** A proxy's time-out, and the login page of a guest network, which answers without a link. */
    @ParameterizedTest
    @ValueSource(ints = {504, 200})
    void aLogIsSentAtMostTwiceIfTheAnswerIsNotTheServers(int status) throws IOException, InterruptedException {
        fixture.log(1);
        servers.lateStatus = status;

        failsEachTime(5);

        assertSentTwiceAndUnsure();
    }

    /** Answers of a proxy that redirects to https, or of the login page of a guest network. */
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307})
    void aRedirectElsewhereDoesNotCountAsReceived(int status) throws IOException, InterruptedException {
        fixture.log(1);
        servers.status = status;
        servers.location = "https://127.0.0.1/login";

        failsEachTime(4);

        assertThat(fixture.uploaded()).isEmpty();
        assertThat(fixture.status()).contains("https://127.0.0.1/login").doesNotContain("\"sent\"", "\"unsure\"");
    }
}
