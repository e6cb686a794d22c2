package org.mavlogd.fleet;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A small file that announces a log to a fleet before the log arrives; docs/uploads.md lists its fields.
 *
 * @param first of the log's files
 * @param vehicleId of whichever file has it; may be empty
 * @param text JSON
 */
record Manifest(String log, LogFile first, String vehicleId, String text) {
    private static final String SUFFIX = ".manifest.json";

    /** Of the files of one log. */
    static Manifest of(String log, List<LogFile> files, List<FileFacts> facts) {
        LogFile first = files.get(0);
        boolean isComplete = first.isLogComplete() && files.size() == facts.size();
        String start = first.begin().map(time -> '"' + time.toString() + '"').orElse("null");
        String text =
                "{\"manifest\":1,\"log\":\"" + log + "\",\"system_id\":" + first.systemId() + ",\"begin_utc\":" + start
                        + ",\"crash\":" + first.hasCrash() + ",\"complete\":" + isComplete + ",\"files\":["
                        + facts.stream().map(FileFacts::json).collect(Collectors.joining(",")) + "]}\n";
        return new Manifest(log, first, vehicleId(facts), text);
    }

    /** In place of a file's name in a key, and of its notes. */
    String name() {
        return log + SUFFIX;
    }

    /** The id of the vehicle, from whichever file has it. */
    private static String vehicleId(List<FileFacts> facts) {
        return facts.stream()
                .map(FileFacts::vehicleId)
                .filter(id -> !id.isEmpty())
                .findFirst()
                .orElse("");
    }
}
