/**
 * Containment: an error in one part of the recorder is reported and counted, and only that part pauses or stays off. Any thread;
 * see docs/design.md.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.contain;
