package org.mavlogd.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mavlogd.signing.Signing;
import org.mavlogd.signing.SigningKey;

/** Section {@code [signing]}: MAVLink 2 message signing. */
final class SigningSection {
    /** In a key file, before the words from which the key is made. */
    static final String PASSPHRASE_PREFIX = "passphrase:";

    private static final String DEFAULT_STATE_FILE = "/var/lib/mavlogd/signing.state";
    private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]{" + 2 * SigningKey.LENGTH + "}");
    private static final String CONTENT =
            "64 hex digits, or \"" + PASSPHRASE_PREFIX + "\" and the words in one line, or 32 raw bytes";

    private static final Key<String> KEY_FILE = Key.string(
            "key_file",
            "",
            SecretFile.PLACE,
            "file with the key, readable by its owner only; \"\" ignores signatures and signs nothing");
    private static final Key<Signing.Policy> POLICY = Key.choice(
            "policy",
            Signing.Policy.SIGNED_ONLY,
            List.of(Signing.Policy.values()),
            "with a key: accept only validly signed frames, or unsigned ones as well");
    private static final Key<Path> STATE_FILE = Key.withDefault(
            "state_file",
            Path.of(DEFAULT_STATE_FILE),
            '"' + DEFAULT_STATE_FILE + '"',
            ValueType.DIRECTORY,
            "with a key: file with the time of the latest signature, so that old frames cannot be replayed after a restart");

    static final Section SECTION = Section.table("signing", "MAVLink 2 message signing", KEY_FILE, POLICY, STATE_FILE);

    private SigningSection() {}

    static Signing.Settings read(SectionReader section, SecretFile secrets) {
        return new Signing.Settings(key(section, secrets), section.value(POLICY), section.value(STATE_FILE));
    }

    private static Optional<SigningKey> key(SectionReader section, SecretFile secrets) {
        String place = section.value(KEY_FILE);
        if (place.isEmpty() || secrets.leavesOut(place)) {
            return Optional.empty();
        }
        try {
            return Optional.of(key(secrets.read(place)));
        } catch (ValueType.BadValueException e) {
            section.problem(
                    KEY_FILE, String.valueOf(e.getMessage()), KEY_FILE.type().allowed());
            return Optional.empty();
        }
    }

    /** The key in a file. */
    static SigningKey key(byte[] content) throws ValueType.BadValueException {
        SigningKey key = readKey(content);
        if (key.isAllZero()) {
            throw new ValueType.BadValueException(
                    "the key is all zeros, which is not secret: vehicles without a key sign with it");
        }
        return key;
    }

    private static SigningKey readKey(byte[] content) throws ValueType.BadValueException {
        String text = line(content);
        if (HEX.matcher(text).matches()) {
            return SigningKey.of(HexFormat.of().parseHex(text));
        }
        if (text.startsWith(PASSPHRASE_PREFIX)) {
            String words = text.substring(PASSPHRASE_PREFIX.length()).strip();
            if (words.isEmpty()) {
                throw new ValueType.BadValueException("the key's passphrase is empty");
            }
            return SigningKey.ofPassphrase(words);
        }
        if (content.length == SigningKey.LENGTH) {
            return SigningKey.of(content);
        }
        throw new ValueType.BadValueException("the file does not hold a key; it must hold " + CONTENT);
    }

    /** The line without its end; empty if it is not one line of text. */
    private static String line(byte[] content) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString()
                    .stripTrailing();
            return text.lines().count() == 1 ? text : "";
        } catch (CharacterCodingException e) {
            return "";
        }
    }
}
