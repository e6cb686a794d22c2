package org.mavlogd.foxglove;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.mavlogd.foxglove.Protocol.Channel;
import org.mavlogd.foxglove.Protocol.Schema;
import org.mavlogd.mcap.MessageSink;
import org.mavlogd.ulog.ULogException;

/**
 * The channels of a log for one client, and the sending of their messages. A log that is read again has the same
 * channels. Owned by the reading thread.
 */
final class Channels implements MessageSink {
    private static final int MAX_SCHEMA_BYTES = 2 << 20;
    private static final int BATCH_CHARS = 48 * 1024;

    private final Subscriptions subscriptions;
    private final Outbox out;
    private final List<Schema> schemas = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private int schemaBytes;
    private int nextSchema;
    private int nextChannel;
    private int advertised;

    Channels(Subscriptions subscriptions, Outbox out) {
        this.subscriptions = subscriptions;
        this.out = out;
    }

    /** Starts the log again from its beginning. */
    void rewind() {
        nextSchema = 0;
        nextChannel = 0;
    }

    /** Starts another log: tells the client that the channels no longer exist. */
    void clear() {
        long first = subscriptions.firstChannel();
        int count = subscriptions.restart();
        if (count > 0) {
            out.text(Protocol.unadvertise(first, count));
        }
        schemas.clear();
        channels.clear();
        schemaBytes = 0;
        advertised = 0;
        rewind();
    }

    /** Announces new channels to the client. */
    void advertise() {
        while (advertised < channels.size()) {
            int end = advertised;
            for (long length = 0; end < channels.size() && length < BATCH_CHARS; end++) {
                Channel next = channels.get(end);
                length += 100L + next.topic().length() + next.schema().data().length();
            }
            subscriptions.advertise(end);
            out.text(Protocol.advertise(channels.subList(advertised, end)));
            advertised = end;
        }
    }

    @Override
    public int addSchema(String name, String encoding, byte[] data) throws ULogException {
        if (nextSchema == schemas.size()) {
            schemaBytes += data.length + 2 * name.length();
            if (schemaBytes > MAX_SCHEMA_BYTES) {
                throw new ULogException("its topics are described by more than " + MAX_SCHEMA_BYTES + " bytes");
            }
            schemas.add(new Schema(name, encoding, Base64.getEncoder().encodeToString(data)));
        } else if (!schemas.get(nextSchema).name().equals(name)) {
            throw changed();
        }
        return nextSchema++;
    }

    @Override
    public int addChannel(String topic, int schemaId, String messageEncoding, Map<String, String> metadata)
            throws ULogException {
        if (nextChannel == channels.size()) {
            if (nextChannel == Subscriptions.MAX_CHANNELS) {
                throw new ULogException("it has more than " + Subscriptions.MAX_CHANNELS + " topics");
            }
            long id = subscriptions.firstChannel() + nextChannel;
            channels.add(new Channel(id, topic, messageEncoding, schemas.get(schemaId)));
        } else if (!channels.get(nextChannel).topic().equals(topic)) {
            throw changed();
        }
        return nextChannel++;
    }

    private static ULogException changed() {
        return new ULogException("the log has changed while it was read");
    }

    @Override
    public boolean wants(int channelId) {
        return subscriptions.of(channelId) != Subscriptions.NONE;
    }

    @Override
    public void message(
            int channelId, long sequence, long logTimeNs, long publishTimeNs, byte[] data, int offset, int length) {
        long subscription = subscriptions.of(channelId);
        if (subscription != Subscriptions.NONE) {
            out.data(subscription, logTimeNs, data, offset, length);
        }
    }

    @Override
    public void metadata(String name, Map<String, String> values) {
        // The protocol has no message for it.
    }

    @Override
    public void finish() {
        // The connection is kept.
    }
}
