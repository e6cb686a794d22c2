package org.mavlogd.fleet.state;

/** What tells without reading it whether a file is still the same. */
public record Version(long bytes, long modifiedMs) {}
