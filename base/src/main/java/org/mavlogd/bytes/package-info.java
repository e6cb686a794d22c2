/** Access to numbers in byte arrays, in the byte order of this program's formats. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.bytes;
