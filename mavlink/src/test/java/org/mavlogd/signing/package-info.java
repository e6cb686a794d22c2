@org.jspecify.annotations.NullMarked
package org.mavlogd.signing;
