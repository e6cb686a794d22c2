/**
 * Completes the unfinished logs of earlier runs: finds them, continues the file of a stream that is still running, cuts
 * the others after their last complete message, appends crash data and gives them their final names. It reads the files
 * and notes that earlier runs left in the directory, and provides {@link org.mavlogd.recovery.UnfinishedLog}s for the
 * recorder, and finished logs. Everything but the {@link org.mavlogd.recovery.ResumableLogs} belongs to the keeper's
 * thread, which calls it through {@link org.mavlogd.store.OtherRuns}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.recovery;
