/**
 * An ArduPilot's log: its blocks in a {@code .bin} at their places, and the ULog that is mapped from them at the same
 * time. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.blocks;
