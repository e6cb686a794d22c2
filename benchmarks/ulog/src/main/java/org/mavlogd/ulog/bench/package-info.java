/**
 * Benchmarks of the ULog library, each next to its floor: the least work that any implementation must do.
 *
 * <p>{@code scripts/bench-ulog} runs them. It measures the floor and the library in the same run, since only their
 * ratio is meaningful on a shared machine.
 */
package org.mavlogd.ulog.bench;
