/**
 * The benchmark of {@code scripts/bench}: the built program in its own process, a simulated vehicle that streams to it
 * over UDP, and the kernel's figures of the process. It is neither part of the program nor a test.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.bench;
