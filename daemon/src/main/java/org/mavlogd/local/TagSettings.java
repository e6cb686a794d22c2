package org.mavlogd.local;

import org.mavlogd.tags.TagMap;

/** The names of tagged texts, and how many of them each source may publish under each tag. */
public record TagSettings(TagMap tags, TextLimits limits) {}
