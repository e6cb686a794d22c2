package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.mavlogd.config.UploadSecret;
import org.mavlogd.config.UploadTarget;

/** Settings of a target on a server of a test. */
final class S3Settings {
    private S3Settings() {}

    /** @param directory for the file with the keys */
    static UploadTarget of(Path directory, String url, String caFile, int partBytes) throws IOException {
        Path keys = directory.resolve("keys");
        Files.writeString(keys, "[default]\naws_access_key_id = a\naws_secret_access_key = b\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        return new UploadTarget(
                "store",
                UploadTarget.Type.S3,
                URI.create(url),
                new UploadSecret(keys.toString()),
                caFile,
                "{name}",
                Set.of(".ulg"),
                false,
                true,
                new UploadTarget.Bucket("bucket", "us-east-1", true, partBytes),
                new UploadTarget.Form("", "", false),
                new UploadTarget.Command(List.of(), 1));
    }
}
