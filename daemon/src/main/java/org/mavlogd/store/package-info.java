/**
 * Log files on disk: names, files being written, forcing them to the disk, finishing them. The recorder's thread creates and
 * fills files; the keeper's thread forces, closes and renames them, so that the recorder never waits for a flush.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.store;
