package org.mavlogd.fleet;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A small file that describes a log to a fleet before the log arrives; docs/uploads.md lists its fields.
 *
 * @param first the first file of the log
 * @param vehicleId from any file that has it; may be empty
 * @param text JSON
 */
record Manifest(String log, LogFile first, String vehicleId, String text) {
    private static final String SUFFIX = ".manifest.json";

    /** Creates the manifest of the files of a log. */
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
