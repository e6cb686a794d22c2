package org.mavlogd.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs the short form of a fault as a test. */
final class Trial {
    private Trial() {}

    static void of(Fault fault) throws Exception {
        String obstacle = fault.obstacle();
        assumeTrue(obstacle.isEmpty(), fault.name() + ": " + obstacle);
        System.out.println(fault.name() + ": " + fault.run(Fault.Form.SHORT, (done, of) -> {}));
    }
}
