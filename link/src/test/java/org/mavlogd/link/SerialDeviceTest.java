package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class SerialDeviceTest {
    @Test
    void missingRightsAreToldFromASandboxThatDoesNotAllowTheDevice() {
        IOException rights = new AccessDeniedException("/dev/ttyACM0");
        IOException sandbox = new FileSystemException("/dev/ttyACM0", null, "Operation not permitted");
        IOException other = new FileSystemException("/dev/ttyACM0", null, null);

        assertThat(SerialDevice.accessProblem(rights)).contains("dialout");
        assertThat(SerialDevice.accessProblem(other)).contains("dialout");
        assertThat(SerialDevice.accessProblem(sandbox))
                .contains("DeviceAllow=", "restart mavlogd")
                .doesNotContain("dialout");
    }
}
