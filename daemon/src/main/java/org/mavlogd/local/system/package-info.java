/**
 * The computer's own state from procfs and sysfs: load, memory, temperatures, disks, network, supply, and the
 * recorder's own health. The {@link org.mavlogd.local.Sampler} reads all sources. Topics of hardware that the computer
 * does not have are not published.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.system;
