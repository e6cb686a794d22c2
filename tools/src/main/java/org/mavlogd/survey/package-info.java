/** The contents of a log for people and programs: its figures, topics, parameters and files. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.survey;
