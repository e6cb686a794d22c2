package org.mavlogd.fleet.state;

/** Length and modification time of a file, to detect changes without reading it. */
public record Version(long bytes, long modifiedMs) {}
