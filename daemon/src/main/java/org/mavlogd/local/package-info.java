/**
 * Data of this computer: its own measurements and messages, and those of other programs and instruments. In come
 * procfs, sysfs, sentences of instruments, and reports and messages of other programs; out go samples of topics and tagged
 * texts into {@link org.mavlogd.feed.LocalFeed}s, one for each producing thread.
 *
 * <p>Two kinds of sources: a {@link org.mavlogd.local.TopicSource} is asked at a fixed rate by the {@link
 * org.mavlogd.local.Sampler}, thread {@code sampler}; the others listen to a link of their own, on its thread, or are agents with
 * one. The packages below hold one source each and know this one, which knows none of them.
 *
 * <p>No source may disturb the recording: what fails is reported once, tried again at a bounded pace, and costs its own samples.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local;
