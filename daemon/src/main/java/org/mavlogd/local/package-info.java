/**
 * Data of this computer: its own measurements and messages, and those of other programs and instruments. The sources
 * read procfs, sysfs, sentences of instruments, and reports and messages of other programs. They publish samples of
 * topics and tagged log messages to {@link org.mavlogd.feed.LocalFeed}s, one for each producing thread.
 *
 * <p>Two kinds of sources: a {@link org.mavlogd.local.TopicSource} is read at a fixed rate by the
 * {@link org.mavlogd.local.Sampler}, thread {@code sampler}; the others listen on their own link, on its thread, or
 * have a thread of their own. Each subpackage has one kind of source and depends on this package, which depends on none
 * of them.
 *
 * <p>No source may disturb the recording: a failure is reported once and tried again at a limited rate, and costs only
 * the source's own samples.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local;
