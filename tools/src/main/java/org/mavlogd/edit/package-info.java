/** New logs made of logs: recovered, converted, cut, filtered, merged. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.edit;
