package org.mavlogd.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sections {@code [[target]]}: where finished logs are sent. */
final class TargetSection {
    private static final int MAX_TARGETS = 16;
    private static final int MEBI = 1 << 20;
    private static final String NO_URL = "";
    private static final String DEFAULT_KEY = "{vehicle}/{date}/{name}";

    /** The kinds of files, as written in the configuration. */
    private enum FileKind {
        BIN,
        ULG,
        TLOG
    }

    /** The placeholders in a key. */
    private static final Set<String> PLACEHOLDERS =
            Set.of("vehicle", "system", "date", "year", "month", "day", "log", "name");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]*)}");
    private static final Pattern KEY_TEXT = Pattern.compile("[A-Za-z0-9_=-][A-Za-z0-9._/=-]{0,254}");
    private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}]{0,200}");

    private static final Key<String> NAME = Key.withoutDefault(
            "name",
            "unnamed",
            ValueType.matching(Pattern.compile("[A-Za-z0-9_-]{1,32}"), "1 to 32 letters, digits, \"_\" and \"-\""),
            "name of the target in messages and metrics; each name once");
    private static final Key<UploadTarget.Type> TYPE = Key.withoutDefault(
            "type", UploadTarget.Type.S3, ValueType.oneOf(List.of(UploadTarget.Type.values())), "how logs are sent");
    private static final Key<String> URL = Key.withoutDefault(
            "url",
            NO_URL,
            ValueType.of("an address such as \"https://files.example/logs\"", TargetSection::url),
            "the server, and for put and tus the folder to which keys are added; none for S3 of AWS and for commands");
    private static final Key<Boolean> PLAIN_HTTP = Key.bool(
            "plain_http",
            false,
            "allow an unencrypted http:// address that is not this computer; others on the network path can read the logs");
    private static final Key<String> SECRET_FILE = Key.string(
            "secret_file",
            "",
            SecretFile.PLACE,
            "s3: file in the form of ~/.aws/credentials; put, tus: file with the value of the header Authorization; readable by its owner only");
    private static final Key<String> CA_FILE = Key.string(
            "ca_file",
            "",
            ValueType.of(
                    "an absolute path in quotes, or \"\" for none",
                    value -> "".equals(value) ? "" : ValueType.ABSOLUTE_PATH.read(value)),
            "PEM file with the certificates of the authorities that may sign the server's certificate, instead of Java's");
    private static final Key<String> BUCKET = Key.withoutDefault(
            "bucket",
            "bucket",
            ValueType.matching(Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"), "a name of a bucket"),
            "s3: name of the bucket, which must exist");
    private static final Key<String> REGION = Key.string(
            "region",
            "us-east-1",
            ValueType.matching(Pattern.compile("[a-z0-9-]{1,32}"), "a name of a region"),
            "s3: the region of the bucket");
    private static final Key<Boolean> PATH_STYLE = Key.bool(
            "path_style",
            true,
            "s3: the bucket's name is in the path, as most servers except AWS need it, not in the host name");
    private static final Key<Integer> PART_MIB = Key.integer(
            "part_mib",
            8,
            ValueType.range(5, 512),
            "s3: MiB that are sent as one part; a disconnect costs at most one");
    private static final Key<String> KEY = Key.withDefault(
            "key",
            DEFAULT_KEY,
            '"' + DEFAULT_KEY + '"',
            ValueType.of(
                    "letters, digits and \"._/=-\" with {name} and perhaps {vehicle}, {system}, {date}, {year}, {month}, {day}, {log}",
                    TargetSection::key),
            "name of a file at the target");
    private static final Key<List<FileKind>> FILES = Key.withDefault(
            "files",
            List.of(FileKind.values()),
            "[\"bin\", \"ulg\", \"tlog\"]",
            ValueType.listOf(
                    ValueType.oneOf(List.of(FileKind.values())), 3, "an array of \"bin\", \"ulg\" and \"tlog\""),
            "kinds of files that are sent; flight_review takes only ulg");
    private static final Key<Boolean> COMPRESS = Key.bool(
            "compress",
            false,
            "s3, put, tus: send files compressed with zstd, with \".zst\" appended to their names; needs disk space for one file");
    private static final Key<Boolean> MANIFEST =
            Key.bool("manifest", true, "s3, put, tus, command: send a small JSON file about each log before the log");
    private static final Key<String> EMAIL = Key.string(
            "email",
            "",
            ValueType.matching(LINE, "a string of at most 200 characters in one line"),
            "flight_review: e-mail address to which the server sends the links to view and to delete the log");
    private static final Key<String> DESCRIPTION = Key.string(
            "description",
            "",
            ValueType.matching(LINE, "a string of at most 200 characters in one line"),
            "flight_review: description of the flights");
    private static final Key<Boolean> PUBLIC =
            Key.bool("public", false, "flight_review: show the flights in the server's public list");
    private static final Key<List<String>> COMMAND = Key.withoutDefault(
            "command",
            List.of(),
            ValueType.listOf(
                    ValueType.matching(Pattern.compile("[^\\x00]{1,1000}"), "a string of 1 to 1000 characters"),
                    64,
                    "an array of a program's absolute path and its arguments, at most 64"),
            "command: the program and its arguments, where {file} stands for the path of the log and {key} for its key; no shell");
    private static final Key<Integer> TIMEOUT_S = Key.integer(
            "timeout_s", 3600, ValueType.range(1, 604_800), "command: seconds after which the program is stopped");

    static final Section SECTION = Section.list(
            "target",
            "a place that finished logs are sent to",
            NAME,
            TYPE,
            URL,
            PLAIN_HTTP,
            SECRET_FILE,
            CA_FILE,
            BUCKET,
            REGION,
            PATH_STYLE,
            PART_MIB,
            KEY,
            FILES,
            COMPRESS,
            MANIFEST,
            EMAIL,
            DESCRIPTION,
            PUBLIC,
            COMMAND,
            TIMEOUT_S);

    private static final List<Key<?>> COMMON = List.of(NAME, TYPE, FILES);
    private static final List<Key<?>> OF_SERVERS = List.of(URL, PLAIN_HTTP, CA_FILE);
    private static final Map<UploadTarget.Type, List<Key<?>>> OF_TYPE = new EnumMap<>(Map.of(
            UploadTarget.Type.S3,
            List.of(SECRET_FILE, BUCKET, REGION, PATH_STYLE, PART_MIB, KEY, COMPRESS, MANIFEST),
            UploadTarget.Type.PUT,
            List.of(SECRET_FILE, KEY, COMPRESS, MANIFEST),
            UploadTarget.Type.TUS,
            List.of(SECRET_FILE, KEY, COMPRESS, MANIFEST),
            UploadTarget.Type.FLIGHT_REVIEW,
            List.of(EMAIL, DESCRIPTION, PUBLIC),
            UploadTarget.Type.COMMAND,
            List.of(KEY, MANIFEST, COMMAND, TIMEOUT_S)));

    private TargetSection() {}

    static List<UploadTarget> read(Configuration config) {
        List<SectionReader> readers = config.list(SECTION);
        if (readers.size() > MAX_TARGETS) {
            readers.get(MAX_TARGETS)
                    .excess(
                            "target",
                            readers.size() + " are too many",
                            "up to " + MAX_TARGETS + " " + SECTION.header());
        }
        Set<String> names = new HashSet<>();
        List<UploadTarget> targets = new ArrayList<>();
        for (SectionReader reader : readers) {
            reader.require(NAME);
            reader.require(TYPE);
            if (reader.hasGood(NAME) && !names.add(reader.value(NAME))) {
                reader.problem(NAME, "is taken by another target", "one that no other target has");
            }
            if (reader.hasGood(TYPE)) {
                checkKeys(reader, reader.value(TYPE));
            }
            targets.add(target(reader));
        }
        return targets;
    }

    private static UploadTarget target(SectionReader reader) {
        UploadTarget.Type type = reader.value(TYPE);
        Set<String> files = new LinkedHashSet<>();
        reader.value(FILES).forEach(kind -> files.add('.' + ValueType.word(kind)));
        if (type == UploadTarget.Type.FLIGHT_REVIEW) {
            files.retainAll(Set.of(".ulg"));
        }
        return new UploadTarget(
                reader.value(NAME),
                type,
                URI.create(reader.value(URL)),
                new UploadSecret(reader.value(SECRET_FILE)),
                reader.value(CA_FILE),
                reader.value(KEY),
                files,
                reader.value(COMPRESS),
                reader.value(MANIFEST) && type != UploadTarget.Type.FLIGHT_REVIEW,
                new UploadTarget.Bucket(
                        reader.value(BUCKET),
                        reader.value(REGION),
                        reader.value(PATH_STYLE),
                        reader.value(PART_MIB) * MEBI),
                new UploadTarget.Form(reader.value(EMAIL), reader.value(DESCRIPTION), reader.value(PUBLIC)),
                new UploadTarget.Command(reader.value(COMMAND), reader.value(TIMEOUT_S)));
    }

    private static void checkKeys(SectionReader reader, UploadTarget.Type type) {
        Set<Key<?>> allowed = new LinkedHashSet<>(COMMON);
        if (type != UploadTarget.Type.COMMAND) {
            allowed.addAll(OF_SERVERS);
        }
        allowed.addAll(OF_TYPE.getOrDefault(type, List.of()));
        for (Key<?> key : SECTION.keys()) {
            if (reader.has(key) && !allowed.contains(key)) {
                reader.problem(key, "is not for type \"" + ValueType.word(type) + '"', "other keys");
            }
        }
        switch (type) {
            case S3 -> reader.require(BUCKET);
            case PUT, TUS, FLIGHT_REVIEW -> reader.require(URL);
            case COMMAND -> checkCommand(reader);
        }
        if (reader.hasGood(URL)) {
            checkUrl(reader, type);
        }
        if (reader.hasGood(FILES) && reader.value(FILES).isEmpty()) {
            reader.problem(
                    FILES, "is empty: nothing would be sent", FILES.type().allowed());
        }
    }

    private static void checkUrl(SectionReader reader, UploadTarget.Type type) {
        String url = reader.value(URL);
        if (url.isEmpty() && type != UploadTarget.Type.S3) {
            reader.problem(URL, "is empty", URL.type().allowed());
        } else if (url.startsWith("http:")
                && !reader.value(PLAIN_HTTP)
                && !HttpSection.isLoopback(host(URI.create(url)))) {
            reader.problem(URL, "is not encrypted", "https://, this computer, or plain_http = true");
        }
    }

    private static void checkCommand(SectionReader reader) {
        reader.require(COMMAND);
        List<String> words = reader.value(COMMAND);
        if (reader.hasGood(COMMAND) && (words.isEmpty() || !words.get(0).startsWith("/"))) {
            reader.problem(
                    COMMAND,
                    "does not begin with an absolute path",
                    COMMAND.type().allowed());
        }
    }

    private static String host(URI url) {
        String host = String.valueOf(url.getHost());
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String url(Object value) throws ValueType.BadValueException {
        String text = ValueType.string(value);
        if (text.isEmpty()) {
            return text;
        }
        try {
            URI url = new URI(text);
            boolean isServer =
                    ("https".equals(url.getScheme()) || "http".equals(url.getScheme())) && url.getHost() != null;
            // Java finds no user in "https://me:p@ss@host" and "https://me:pass@my_host", because these are not valid
            // servers.
            boolean hasUser = url.getRawUserInfo() != null || (!isServer && text.indexOf('@') >= 0);
            if (hasUser || url.getRawQuery() != null || url.getRawFragment() != null) {
                // Not quoted: it may contain a password or a token, and messages go into the journal.
                throw new ValueType.BadValueException(
                        "has a user, \"?\" or \"#\" in it; passwords and tokens belong in secret_file");
            }
            if (!isServer) {
                throw new ValueType.BadValueException(Quoted.text(text) + " is not the address of a server");
            }
        } catch (URISyntaxException e) {
            throw new ValueType.BadValueException("is not the address of a server: " + e.getReason(), e);
        }
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static String key(Object value) throws ValueType.BadValueException {
        String text = ValueType.string(value);
        Matcher placeholder = PLACEHOLDER.matcher(text);
        boolean hasName = false;
        while (placeholder.find()) {
            String name = placeholder.group(1);
            if (!PLACEHOLDERS.contains(name)) {
                throw new ValueType.BadValueException("there is no " + Quoted.text('{' + name + '}'));
            }
            hasName |= name.equals("name");
        }
        if (!hasName) {
            throw new ValueType.BadValueException("lacks {name}: logs would overwrite each other");
        }
        String rest = PLACEHOLDER.matcher(text).replaceAll("x");
        boolean hasBadPart = List.of(rest.split("/", -1)).stream()
                .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
        if (!KEY_TEXT.matcher(rest).matches() || hasBadPart) {
            throw new ValueType.BadValueException(Quoted.text(text) + " does not fit");
        }
        return text;
    }
}
