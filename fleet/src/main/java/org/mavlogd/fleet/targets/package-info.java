/** Sends one file to one place: S3, PUT, tus, Flight Review, or a command. Each resumes where it was interrupted, as far as the place can. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet.targets;
