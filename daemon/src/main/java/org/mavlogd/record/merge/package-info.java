/**
 * Samples and messages of this computer on their way into the log that is being written: their place, their time, what waits for a next file, what is dropped. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.merge;
