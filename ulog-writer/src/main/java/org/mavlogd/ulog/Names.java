package org.mavlogd.ulog;

/** The character sets of names (ULog, "Format Message", "Information Message"). */
final class Names {
    /** Longer names are treated as damage: real ones have about twenty characters. */
    static final int MAX_LENGTH = 255;

    private Names() {}

    static boolean isFieldName(CharSequence name) {
        return isName(name, false);
    }

    /** Names of formats, infos and parameters. */
    static boolean isMessageName(CharSequence name) {
        return isName(name, true);
    }

    private static boolean isName(CharSequence name, boolean withSlashAndDash) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetterOrDigit(c) && c != '_' && !(withSlashAndDash && (c == '-' || c == '/'))) {
                return false;
            }
        }
        return name.length() > 0 && name.length() <= MAX_LENGTH;
    }

    static boolean isMessageNameByte(int c) {
        return isLetterOrDigit(c) || c == '_' || c == '-' || c == '/';
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
