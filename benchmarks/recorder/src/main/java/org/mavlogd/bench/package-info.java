/**
 * The benchmark of {@code scripts/bench}: the built program in a process of its own, a simulated vehicle that streams
 * to it over UDP, and the kernel's figures of the process. Not part of the program, and no test.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.bench;
