package org.mavlogd.record.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.LogStore;
import org.mavlogd.ulog.ULogLayout;

/**
 * Objects that all recordings of a recorder share.
 *
 * @param localFeeds in the order that decides about equal names of topics
 * @param resumable logs of an earlier run that may continue
 * @param message buffer in which the recorder's thread encodes one ULog message at a time
 */
public record RecordContext(
        NanoClock nanoClock,
        EpochClock epochClock,
        LogStore store,
        RecordSettings settings,
        List<LocalFeed> localFeeds,
        ResumableLogs resumable,
        ByteBuffer message) {
    public RecordContext {
        localFeeds = List.copyOf(localFeeds);
    }

    public RecordContext(
            NanoClock nanoClock,
            EpochClock epochClock,
            LogStore store,
            RecordSettings settings,
            List<LocalFeed> localFeeds,
            ResumableLogs resumable) {
        this(
                nanoClock,
                epochClock,
                store,
                settings,
                localFeeds,
                resumable,
                ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN));
    }
}
