/** How numbers, sizes, durations, untrusted text and failures of files are written for people: one line each. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.text;
