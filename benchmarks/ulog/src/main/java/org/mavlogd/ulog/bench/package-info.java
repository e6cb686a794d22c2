/**
 * Benchmarks of the ULog library, each beside its floor: the least work that anything doing the same must do.
 *
 * <p>Run by {@code scripts/bench-ulog}; floor and library are measured in the same run, for only their ratio says
 * anything on a machine that is shared.
 */
package org.mavlogd.ulog.bench;
