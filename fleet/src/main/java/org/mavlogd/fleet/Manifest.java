package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.mavlogd.fleet.targets.Digests;

/**
 * A small file that describes a log to a fleet before the log arrives; docs/uploads.md lists its fields. Its content is
 * made again when it is sent, because the contents for very many logs would fill the memory.
 *
 * @param files of the log; the content lists those whose facts are known
 * @param vehicleId from any file that has it; may be empty
 * @param bytes length of the content
 * @param sha256 of the content
 */
record Manifest(String log, List<LogFile> files, String vehicleId, long bytes, String sha256) {
    private static final String SUFFIX = ".manifest.json";

    /** Creates the manifest of the files of a log. It is not complete without the facts of each file. */
    static Manifest of(String log, List<LogFile> files, List<FileFacts> facts) {
        byte[] content = text(log, files, facts).getBytes(StandardCharsets.UTF_8);
        return new Manifest(log, List.copyOf(files), vehicleId(facts), content.length, Digests.sha256(content));
    }

    /** The content, in JSON. */
    private static String text(String log, List<LogFile> files, List<FileFacts> facts) {
        LogFile first = files.get(0);
        boolean isComplete = first.isLogComplete() && files.size() == facts.size();
        String start = first.begin().map(time -> '"' + time.toString() + '"').orElse("null");
        return "{\"manifest\":1,\"log\":\"" + log + "\",\"system_id\":" + first.systemId() + ",\"begin_utc\":" + start
                + ",\"crash\":" + first.hasCrash() + ",\"complete\":" + isComplete + ",\"files\":["
                + facts.stream().map(FileFacts::json).collect(Collectors.joining(",")) + "]}\n";
    }

    /**
     * Makes the content again.
     *
     * @throws IOException if a file of the log has changed or is gone; the log then gets another manifest, or none
     */
    String text(FactsStore store) throws IOException {
        String text = text(
                log,
                files,
                files.stream().flatMap(file -> store.of(file).stream()).toList());
        if (!Digests.sha256(text.getBytes(StandardCharsets.UTF_8)).equals(sha256)) {
            throw new IOException("the log was changed since its manifest was made");
        }
        return text;
    }

    /** The first file of the log. */
    LogFile first() {
        return files.get(0);
    }

    /** The name used in keys and notes. */
    String name() {
        return log + SUFFIX;
    }

    /** Id of the vehicle, from any file that has it. */
    private static String vehicleId(List<FileFacts> facts) {
        return facts.stream()
                .map(FileFacts::vehicleId)
                .filter(id -> !id.isEmpty())
                .findFirst()
                .orElse("");
    }
}
