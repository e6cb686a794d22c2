/** The layout of telemetry logs, for writers and readers. Of frames it only knows where they end. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tlog;
