/**
 * The files of one log: when a next one starts, what its head contains, and what happens if the disk fails. Takes ULog
 * messages of any kind of log and writes them to {@link org.mavlogd.store.LogFile}. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.files;
