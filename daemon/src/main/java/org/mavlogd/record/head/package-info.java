/**
 * The data that every file of a log needs to be readable alone: definitions, infos, parameters, subscriptions, and the
 * start. Owned by the recorder's thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.head;
