/** Runs simulated vehicles on real links until their plan is done. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.simulate.run;
