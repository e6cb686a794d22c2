/**
 * The rings between threads. A link's thread puts received data into a ring as records, and the recorder takes them out
 * in the same order; Each producing thread has its own ring, so that no producer waits for another.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.feed;
