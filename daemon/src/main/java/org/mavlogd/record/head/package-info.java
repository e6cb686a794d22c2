/**
 * What is kept of a vehicle's log so that each of its files stands alone: definitions, infos, parameters, subscriptions, and when it started. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.head;
