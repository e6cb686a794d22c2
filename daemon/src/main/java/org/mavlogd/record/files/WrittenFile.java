package org.mavlogd.record.files;

import org.agrona.DirectBuffer;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogName;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.ULogLayout;

/**
 * The file that is being written for a log, with the length of its head, its start, and whether its name has the true
 * time. Owned by the recorder's thread.
 */
final class WrittenFile {
    private final LogFile file;
    private final long openedNs;
    private long headBytes;
    private long beganNs;
    // An earlier run knew the time already.
    private final boolean isNameRight;

    private WrittenFile(LogFile file, long headBytes, long beganNs, long nowNs, boolean isNameRight) {
        this.file = file;
        this.openedNs = nowNs;
        this.headBytes = headBytes;
        this.beganNs = beganNs;
        this.isNameRight = isNameRight;
    }

    /** A new file that has only its head. */
    static WrittenFile begun(LogFile file, long nowNs) {
        return new WrittenFile(file, file.appendedBytes(), nowNs, nowNs, false);
    }

    /** A file of an earlier run, with a head of this length, and that start. */
    static WrittenFile resumed(LogFile file, long headBytes, long beganNs, long nowNs) {
        return new WrittenFile(file, headBytes, beganNs, nowNs, !LogName.lacksTime(file.name()));
    }

    LogFile file() {
        return file;
    }

    long headBytes() {
        return headBytes;
    }

    /** Appends complete messages of any type. Hot path. */
    void append(DirectBuffer buffer, int offset, int length, long arrivalNs) {
        file.append(buffer, offset, length, arrivalNs);
        if (!LogHead.isPlain(buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET))) {
            file.headEndsHere();
        }
    }

    /** The bytes appended last belong to the head. */
    void headGrew(int bytes) {
        headBytes += bytes;
    }

    boolean hasData() {
        return file.appendedBytes() > headBytes;
    }

    /** Whether the next message, of this length, belongs in a new file. Hot path. */
    boolean isDue(StoreSettings.RotationPolicy rotation, int nextBytes, long nowNs) {
        return rotation.isDue(file.appendedBytes(), headBytes, nextBytes, ageNs(nowNs));
    }

    /** Whether it reaches a limit with so many further bytes. Hot path. */
    boolean isNear(StoreSettings.RotationPolicy rotation, int nextBytes, long nowNs) {
        return rotation.isReached(file.appendedBytes() + nextBytes, ageNs(nowNs));
    }

    /** How long this run has written it. */
    long ageNs(long nowNs) {
        return nowNs - openedNs;
    }

    /** Sets the time at which its data began. */
    void beganAt(long timeNs) {
        beganNs = timeNs;
    }

    /** Whether the start time in its name and infos waits for a clock. */
    boolean isTimeOpen() {
        return !isNameRight;
    }

    /** Its name will show the start, if the clock knows it. */
    void nameBy(StartClock clock) {
        if (!isNameRight && clock.isKnown()) {
            file.beganAt(clock.epochMs(beganNs));
        }
    }
}
