/**
 * ArduPilot's log: its blocks into a {@code .bin} at their places, and the ULog that is mapped from them meanwhile. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.blocks;
