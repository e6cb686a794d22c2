/** Checks that the documents agree with each other and with the program. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.documents;
