/** Logs opened, read and written: places, formats, times, topics and messages. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.logtools;
