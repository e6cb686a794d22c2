/**
 * The files of one log: when a next one starts, what its head holds, what happens when the disk fails. Takes ULog messages of any kind of log, gives them to {@link org.mavlogd.store.LogFile}. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.files;
