/** What all log conversations have in common, whatever the autopilot. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle.conversation;
