package org.mavlogd.lake.spark;

import java.util.List;
import org.mavlogd.text.Words;

/** The result of a build.
 *
 * @param problems why logs failed, one line each
 */
record BuildResult(int converted, int replaced, int unchanged, int copies, List<String> problems) {
    String text() {
        return Words.count(converted, "log") + " converted, " + replaced + " replaced, " + unchanged + " unchanged, "
                + copies + " copies of others, " + problems.size() + " failed";
    }
}
