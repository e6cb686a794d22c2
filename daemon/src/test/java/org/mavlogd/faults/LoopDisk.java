package org.mavlogd.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small ext4 file system in a file, mounted on its own directory: it can lose power, freeze and become read-only. */
final class LoopDisk implements AutoCloseable {
    // linux/ext4: EXT4_IOC_SHUTDOWN is _IOR('X', 125, __u32); 2 is EXT4_GOING_FLAGS_NOLOGFLUSH: nothing more is
    // written.
    private static final String SHUT_DOWN = "open(F, '<', $ARGV[0]) or die \"open: $!\";"
            + " my $flags = pack('L', 2); ioctl(F, 0x8004587D, $flags) or die \"ioctl: $!\";";

    private final Path home;
    private final Path image;
    private final Path mountPoint;
    private boolean mounted;
    private boolean frozen;

    private LoopDisk(Path home) {
        this.home = home;
        this.image = home.resolve("disk.ext4");
        this.mountPoint = home.resolve("disk");
    }

    /** Why no such file system can be made; empty if it can. */
    static String obstacle() {
        String obstacle = Host.mountObstacle();
        return obstacle.isEmpty() ? Host.missing("perl", "fsfreeze") : obstacle;
    }

    static LoopDisk ofMegabytes(int megabytes) throws IOException {
        LoopDisk disk = new LoopDisk(Host.newDirectory());
        Host.closeAtEnd(disk);
        try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
            file.setLength((long) megabytes << 20);
        }
        Files.createDirectory(disk.mountPoint);
        // As much room as possible for files, and no background thread that initialises the file system during the
        // test.
        Host.run("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", disk.image.toString());
        disk.mount();
        return disk;
    }

    /** The mounted directory. */
    Path directory() {
        return mountPoint;
    }

    void mount() throws IOException {
        Host.run("mount", "-o", "loop", image.toString(), mountPoint.toString());
        mounted = true;
    }

    void unmount() throws IOException {
        Host.run("umount", mountPoint.toString());
        mounted = false;
    }

    /** Cuts the power: nothing more reaches the disk, all data that was not forced is lost, every access fails. */
    void cutPower() throws IOException {
        Host.run("perl", "-e", SHUT_DOWN, mountPoint.toString());
    }

    /** Makes all writes wait. */
    void freeze() throws IOException {
        Host.run("fsfreeze", "-f", mountPoint.toString());
        frozen = true;
    }

    void thaw() throws IOException {
        Host.run("fsfreeze", "-u", mountPoint.toString());
        frozen = false;
    }

    void readOnly(boolean isReadOnly) throws IOException {
        Host.run("mount", "-o", "remount," + (isReadOnly ? "ro" : "rw"), mountPoint.toString());
    }

    /** Mounts another disk on this directory, as when a card is changed. */
    void replaceBy(LoopDisk other) throws IOException {
        Host.run("umount", "-l", mountPoint.toString());
        mounted = false;
        Host.run("mount", "--bind", other.mountPoint.toString(), mountPoint.toString());
        mounted = true;
    }

    @Override
    public void close() throws IOException {
        Host.closed(this);
        if (frozen) {
            thaw();
        }
        if (mounted) {
            Host.run("umount", "-l", mountPoint.toString());
        }
        Host.delete(home);
    }
}
