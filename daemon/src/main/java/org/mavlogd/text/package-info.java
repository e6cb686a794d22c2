/** Readable forms of numbers, sizes, durations, untrusted strings and failures of files: one line each. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.text;
