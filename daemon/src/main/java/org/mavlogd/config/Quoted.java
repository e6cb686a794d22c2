package org.mavlogd.config;

/** Makes text from a file safe for a message: in quotes, on one line, and shortened. */
final class Quoted {
    private static final int MAX_LENGTH = 60;
    private static final int MAX_MESSAGE_LENGTH = 200;

    private Quoted() {}

    static String text(String text) {
        return '"' + plain(text) + '"';
    }

    /** The same without quotes. */
    static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MAX_LENGTH); i++) {
            append(plain, text.charAt(i));
        }
        if (text.length() > MAX_LENGTH) {
            plain.append("...");
        }
        return plain.toString();
    }

    /** Makes a message of the parser, which may quote the file, safe: on one line, and shortened. */
    static String line(String message) {
        StringBuilder line = new StringBuilder();
        message.chars().limit(MAX_MESSAGE_LENGTH).forEach(c -> append(line, (char) c));
        return line.toString();
    }

    /** The complete text as a string of TOML. */
    static String toml(String text) {
        StringBuilder toml = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isPlain = c >= ' ' && c != '"' && c != '\\' && c != 0x7F;
            toml.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return toml.append('"').toString();
    }

    private static void append(StringBuilder plain, char c) {
        boolean printable = Character.isLetterOrDigit(c) || (c >= ' ' && c <= '~');
        if (printable) {
            plain.append(c);
        } else {
            plain.append(String.format("\\u%04x", (int) c));
        }
    }
}
