/**
 * What {@code scripts/bench} runs: the built program as a process of its own, a simulated vehicle that streams to it over
 * UDP, and what the kernel tells about the process meanwhile. Not part of the program, and no test.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.bench;
