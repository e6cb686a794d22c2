/**
 * Turns logs into the formats of other tools. A log comes in as the calls of a ULog reader; the bytes of the other format
 * go to a channel. Knows the formats only, no files and nothing of the recorder.
 *
 * <p>Every object belongs to one thread. Memory stays bounded whatever a log contains.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.exports;
