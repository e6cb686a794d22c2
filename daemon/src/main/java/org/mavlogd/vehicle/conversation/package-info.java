/** The parts of log conversations that do not depend on the autopilot. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle.conversation;
