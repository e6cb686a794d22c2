/** Presents the contents of a log to people and programs: its figures, topics, parameters and files. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.survey;
