package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.targets.Digests;
import org.mavlogd.fleet.targets.Shipment;
import org.mavlogd.fleet.targets.Throttle;

/** Prepares a log or a manifest for one target: name and compression. Owned by its thread. */
final class Shipments {
    private static final String MANIFEST_TYPE = "application/json";
    private static final String LOG_TYPE = "application/octet-stream";
    private static final String ZSTD_TYPE = "application/zstd";

    private final UploadTarget settings;
    private final FinishedLogs logs;
    private final FactsStore facts;
    private final Spool spool;
    private final KeyName keys;

    Shipments(UploadTarget settings, Shared shared) throws IOException {
        this.settings = settings;
        this.logs = shared.logs();
        this.facts = shared.facts();
        this.spool = new Spool(
                shared.state().resolve("spool").resolve(settings.name()),
                shared.settings().space());
        this.keys = new KeyName(settings.key(), shared.settings().vehicle());
    }

    /** Prepares a log or a manifest. */
    Shipment of(Work work, Backlog backlog, Throttle throttle) throws IOException {
        Manifest manifest = work.manifest();
        return manifest == null
                ? log(work, backlog.manifest(work.file()).vehicleId(), throttle)
                : manifest(work, manifest, throttle);
    }

    private Shipment log(Work work, String vehicleId, Throttle throttle) throws IOException {
        LogFile file = work.file();
        Path log = logs.path(file);
        String key = keys.of(file, file.name(), vehicleId);
        long bytes = file.version().bytes();
        if (!settings.compress() || !spool.hasRoomFor(file.name(), bytes)) {
            return new Shipment(log, bytes, work.sha256(), work.sha256(), file.name(), key, LOG_TYPE, throttle);
        }
        Path copy = spool.compressed(file, log, throttle);
        long copyBytes = Files.size(copy);
        return new Shipment(
                copy,
                copyBytes,
                Digests.sha256(copy, copyBytes),
                work.sha256(),
                file.name(),
                key + Spool.COMPRESSED,
                ZSTD_TYPE,
                throttle);
    }

    private Shipment manifest(Work work, Manifest manifest, Throttle throttle) throws IOException {
        return new Shipment(
                spool.text(work.name(), manifest.text(facts)),
                work.version().bytes(),
                work.sha256(),
                work.sha256(),
                work.name(),
                keys.of(work.file(), work.name(), manifest.vehicleId()),
                MANIFEST_TYPE,
                throttle);
    }

    /** Deletes the prepared copies. */
    void clear() throws IOException {
        spool.clear();
    }
}
