/** Measurements of the structure of the whole program. */
package org.mavlogd.arch;
