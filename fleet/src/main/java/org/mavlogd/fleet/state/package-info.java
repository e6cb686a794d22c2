/**
 * The uploader's durable notes: which file was sent to which target, and the progress of uploads. They survive power
 * cuts.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet.state;
