/**
 * The definitions and subscriptions of this computer's topics in a vehicle's log: formats, names, message ids. Does not
 * handle samples. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.local;
