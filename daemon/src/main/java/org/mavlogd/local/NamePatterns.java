package org.mavlogd.local;

import java.util.List;

/** Matches names with patterns: {@code *} stands for any characters, {@code ?} for one. */
public final class NamePatterns {
    private NamePatterns() {}

    /** Whether a name matches at least one of the patterns. */
    public static boolean anyFits(List<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> fits(pattern, name));
    }

    // Goes back to the last star only, so that the time is limited by the product of both lengths.
    static boolean fits(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int mark = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = n;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
