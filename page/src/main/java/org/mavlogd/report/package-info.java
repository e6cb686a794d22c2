/** Reports of flights: figures, plots and problems of one log. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.report;
