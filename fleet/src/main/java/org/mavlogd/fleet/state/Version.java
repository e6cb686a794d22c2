package org.mavlogd.fleet.state;

/** Length and time of a file, which show without reading it whether it is still the same. */
public record Version(long bytes, long modifiedMs) {}
