/** Translates the configurations of other programs into ours. Reads text and returns text. */
@NullMarked
package org.mavlogd.migrate;

import org.jspecify.annotations.NullMarked;
