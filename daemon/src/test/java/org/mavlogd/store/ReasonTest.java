package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class ReasonTest {
    @Test
    void namesTheFileAndWhatWentWrong() {
        assertThat(Reason.of(new AccessDeniedException("/logs/.probe"))).isEqualTo("/logs/.probe: permission denied");
        assertThat(Reason.of(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(Reason.of(new NotDirectoryException("/logs"))).isEqualTo("/logs (NotDirectoryException)");
        assertThat(Reason.of(new IOException(""))).isEqualTo("IOException");
    }
}
