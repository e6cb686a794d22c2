/**
 * Sends a file to a destination: S3, PUT, tus, Flight Review, or a command. Resumes interrupted uploads where the
 * destination can.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet.targets;
