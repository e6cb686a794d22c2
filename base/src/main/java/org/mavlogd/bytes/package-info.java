/** Numbers in byte arrays, as all formats of this program have them. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.bytes;
