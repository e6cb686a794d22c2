/**
 * Log files on disk: names, growing files, forcing them to the medium, finishing them. The recorder's thread creates and
 * fills files; the keeper's thread forces, closes and renames them, so that the recorder never waits for a flush.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.store;
