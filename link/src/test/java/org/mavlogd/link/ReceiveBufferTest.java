package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiveBufferTest {
    @Test
    void saysNothingWhenTheKernelGrantsEnough() {
        assertThat(ReceiveBuffer.warning(ReceiveBuffer.WANTED_BYTES)).isEmpty();
        assertThat(ReceiveBuffer.warning(ReceiveBuffer.WANTED_BYTES * 2)).isEmpty();
    }

    @Test
    void namesSizesAndRemedyWhenTheKernelGrantsLess() {
        assertThat(ReceiveBuffer.warning(ReceiveBuffer.WANTED_BYTES - 1)).isNotEmpty();
        assertThat(ReceiveBuffer.warning(212_992))
                .contains("208 KiB")
                .contains("4096 KiB")
                .contains("net.core.rmem_max=4194304")
                .contains("/etc/sysctl.d/");
    }
}
