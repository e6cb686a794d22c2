package org.mavlogd.local;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers devices of one kind by name, from 0 in the order in which they were first seen. A device that comes back gets
 * its number again. Limited; devices beyond the limit are reported once and not measured. Owned by one thread.
 */
public final class Instances {
    /** The result of {@link #of} if there is no number left. */
    public static final int NONE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(Instances.class);

    private final String what;
    private final int limit;
    private final List<String> names = new ArrayList<>();
    private boolean told;

    /** @param what name of the devices, for messages: {@code network links} */
    public Instances(String what, int limit) {
        this.what = what;
        this.limit = limit;
    }

    /** The number of a name, or {@link #NONE}. */
    public int of(String name) {
        int known = names.indexOf(name);
        if (known >= 0) {
            return known;
        }
        if (names.size() == limit) {
            if (!told) {
                told = true;
                LOG.warn("more than {} {}: \"{}\" and further ones are not measured", limit, what, name);
            }
            return NONE;
        }
        names.add(name);
        return names.size() - 1;
    }
}
