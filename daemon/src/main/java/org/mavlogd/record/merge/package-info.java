/**
 * Merges samples and log messages of this computer into the log that is being written: their place, their time, which
 * ones wait for a next file, which ones are dropped. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.merge;
