package org.mavlogd.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.status.UploadReport.State;

class UploadReportTest {
    private static final int HEAP_MB = 32;
    private static final int FILES = 30_000;

    @TempDir
    private Path directory;

    @Test
    void knowsHowFarEachFileIs() throws IOException {
        write("""
                {"waits_for":null,"bytes_per_s":0,"backlog_files":3,"backlog_bytes":3000,
                "targets":[{"name":"a","state":"sending","file":"sent-now.ulg"}],
                "files":[7,
                {"file":"there.ulg","uploaded":true,"targets":[{"name":"a","state":"sent"}]},
                {"file":"refused.ulg","uploaded":false,"targets":[{"name":"a","state":"waiting","problem":"too large"}]},
                {"file":"unsure.ulg","uploaded":false,"targets":[{"name":"a","state":"unsure"}]},
                {"file":"sent-now.ulg","uploaded":false,"targets":[{"name":"a","state":"waiting"}]},
                {"file":"later.ulg","uploaded":false,"targets":[]}]}
                """);

        UploadReport report = UploadReport.read(directory).orElseThrow();

        assertThat(report.of("there.ulg")).contains(State.UPLOADED);
        assertThat(report.of("refused.ulg")).contains(State.FAILED);
        assertThat(report.of("unsure.ulg")).contains(State.FAILED);
        assertThat(report.of("sent-now.ulg")).contains(State.UPLOADING);
        assertThat(report.of("later.ulg")).contains(State.WAITING);
        assertThat(report.of("unknown.ulg")).isEmpty();
        assertThat(report.summary()).isEqualTo("uploads: 3 files, 3.0 KB to go");
    }

    @Test
    void anUploaderThatNoLongerConfirmsItsReportDoesNotRun() throws IOException {
        write("""
                {"waits_for":null,"bytes_per_s":1000,"backlog_files":1,"backlog_bytes":3000,
                "targets":[{"name":"a","state":"sending","file":"sent-then.ulg"}],
                "files":[{"file":"sent-then.ulg","uploaded":false,"targets":[{"name":"a","state":"waiting"}]}]}
                """);
        Files.setLastModifiedTime(
                directory.resolve(UploadSettings.STATUS), FileTime.from(Instant.parse("2026-03-20T20:27:40Z")));

        UploadReport report = UploadReport.read(directory).orElseThrow();

        assertThat(report.of("sent-then.ulg")).contains(State.WAITING);
        assertThat(report.summary())
                .isEqualTo("uploads: not running since 2026-03-20 20:27:40Z; its last report: 1 file, 3.0 KB to go");
    }

    @Test
    void hasNoReportOfADocumentThatIsNone() throws IOException {
        for (String document : List.of("", "[]", "{\"files\":[{\"file\":\"a.ulg\"", "{\"files\":[")) {
            write(document);

            assertThat(UploadReport.read(directory)).as(document).isEmpty();
        }
    }

    @Test
    void readsTheStatesOfManyFilesWithALittleMemory() throws Exception {
        try (Writer out = Files.newBufferedWriter(directory.resolve(UploadSettings.STATUS))) {
            out.write("{\"backlog_files\":0,\"targets\":[],\"files\":[");
            for (int i = 0; i < FILES; i++) {
                out.write(i == 0 ? "" : ",");
                out.write("{\"file\":\"" + name(i) + "\",\"bytes\":123456789,\"uploaded\":true,\"targets\":["
                        + target("archive", i) + "," + target("review", i) + "]}");
            }
            out.write("]}");
        }
        Path output = directory.resolve("output.txt");

        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx" + HEAP_MB + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Count.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(output).hasContent(FILES + " uploaded");
    }

    private static String name(int number) {
        return "2026-11-26/vehicle-1_2026-11-26_10-00-00_" + number + ".ulg";
    }

    private static String target(String name, int number) {
        return "{\"name\":\"" + name + "\",\"state\":\"sent\",\"link\":\"https://logs.example.org/" + name + "/"
                + number + "\"}";
    }

    private void write(String document) throws IOException {
        Files.writeString(directory.resolve(UploadSettings.STATUS), document);
    }

    /** Counts what is uploaded, in a process of its own. */
    static final class Count {
        private Count() {}

        public static void main(String[] arguments) {
            Optional<UploadReport> report = UploadReport.read(Path.of(arguments[0]));
            int count = 0;
            for (int i = 0; i < FILES; i++) {
                String name = name(i);
                count += report.flatMap(its -> its.of(name)).equals(Optional.of(State.UPLOADED)) ? 1 : 0;
            }
            System.out.println(count + " uploaded");
        }
    }
}
