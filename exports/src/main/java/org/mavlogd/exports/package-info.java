/**
 * Converts logs to the formats of other tools. A log comes in as the calls of a ULog reader; the bytes of the other
 * format go to a channel. Opens no files and is independent of the recorder.
 *
 * <p>Every object belongs to one thread. Memory is bounded for any log.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.exports;
