package org.mavlogd.faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A serial cable that is pulled. */
@Timeout(120)
class LinkFaultsSystemTest {
    @Test
    void aCablePluggedInAgainIsUsedWithinASecond() throws Exception {
        Trial.of(new ReplugFault());
    }
}
