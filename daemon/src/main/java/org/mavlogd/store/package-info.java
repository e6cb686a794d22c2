/**
 * Log files on disk: their names, writing, forcing and finishing them, and deleting old ones. The recorder's thread
 * creates and fills files; the keeper's thread forces, closes and renames them, so that the recorder never waits for a
 * flush.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.store;
