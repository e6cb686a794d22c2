/** Creates new logs from logs: recovered, converted, cut, filtered, merged. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.edit;
