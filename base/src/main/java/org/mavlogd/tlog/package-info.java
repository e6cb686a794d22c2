/** The layout of telemetry logs, for those who write them and those who read them. Knows of frames only where they end. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tlog;
