/** Devices of Linux' Industrial I/O subsystem: accelerometers, gyroscopes, barometers, converters and the like. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.iio;
