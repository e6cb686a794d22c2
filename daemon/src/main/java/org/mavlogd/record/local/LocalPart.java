package org.mavlogd.record.local;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.ulog.ULogLayout;

/**
 * This computer's part of one log: the names, message ids and multi ids of its topics, which never collide with the
 * vehicle's.
 *
 * <p>A topic gets its ids with its first sample, from the highest id down. Finding a topic's place is on the hot path
 * and allocates nothing after the first time. Owned by the recorder's thread.
 */
public final class LocalPart {
    private static final int MAX_VEHICLE_TOPICS = 8192;
    private static final LocalHead NO_FILE = LocalHead.ofFile(
            Map.of(), List.of(), new LocalHead.VehicleTopics(Map.of(), name -> -1), "", MemoryShare.unlimited());
    private static final int ENTRY_BYTES = 128;
    private static final int PLACE_BYTES = 48;
    private static final int MAX_NAME_LENGTH = 255;

    private final List<LocalFeed> feeds;
    private final String prefix;
    private final Place[][] places;
    private final int[] plannedTopics;
    private final int[] seenTopics;
    private final int[] adoptedTopics;
    private final MemoryShare share;
    private final Map<LocalHead.FormatKey, LocalFormat> known = new HashMap<>();
    private final Map<String, Integer> vehicleMultiIds = new HashMap<>();
    // All ids that the vehicle ever subscribed, also those that it unsubscribed: many readers ignore that.
    private final BitSet vehicleIds = new BitSet();
    private final BitSet usedIds = new BitSet();
    // Whether some subscriptions of the vehicle were not noted for lack of room.
    private boolean isCrowded;
    private LocalHead head = NO_FILE;
    private int nextId;
    private long notBeforeUs;
    private int files;

    /** @param share memory for the topics */
    public LocalPart(List<LocalFeed> feeds, String prefix, MemoryShare share) {
        this.share = share;
        this.feeds = feeds;
        this.prefix = prefix;
        this.places = new Place[feeds.size()][0];
        this.plannedTopics = new int[feeds.size()];
        this.seenTopics = new int[feeds.size()];
        this.adoptedTopics = new int[feeds.size()];
    }

    /** Whether the current file has its local definitions. */
    public boolean isDefined() {
        return head != NO_FILE;
    }

    /** How many files have got local definitions so far. */
    public int files() {
        return files;
    }

    /** Makes the definitions for a file whose vehicle's definitions end now. */
    public LocalHead plan(LogHead vehicle) {
        List<LocalTopic> topics = new ArrayList<>();
        for (int i = 0; i < plannedTopics.length; i++) {
            List<LocalTopic> now = feeds.get(i).topics();
            topics.addAll(now);
            plannedTopics[i] = now.size();
        }
        Map<String, Integer> longest = new HashMap<>();
        topics.forEach(topic -> longest.merge(base(topic.name()), topic.fields().length(), Math::max));
        return LocalHead.of(topics, vehicleTopics(vehicle, longest), prefix, known, share);
    }

    /** The vehicle's formats with the name of a local topic, or with a name derived from it. */
    private LocalHead.VehicleTopics vehicleTopics(LogHead vehicle, Map<String, Integer> longest) {
        return new LocalHead.VehicleTopics(
                vehicle.formats(name -> longest.getOrDefault(base(name), 0)), this::highestMultiId);
    }

    private int highestMultiId(String name) {
        return vehicleMultiIds.getOrDefault(name, isCrowded ? ULogLayout.MAX_MULTI_ID - 1 : -1);
    }

    /** The name without the prefix and the number that are added if another topic has the name. */
    private String base(String name) {
        String base = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        int end = base.length() - 2;
        boolean isNumbered = end > 0 && base.charAt(end) == '_' && Character.isDigit(base.charAt(end + 1));
        return isNumbered ? base.substring(0, end) : base;
    }

    /** The current file has these definitions, and no local subscriptions. */
    public void adopt(LocalHead next) {
        head = next;
        files++;
        usedIds.clear();
        nextId = ULogLayout.MAX_MESSAGE_ID;
        System.arraycopy(plannedTopics, 0, seenTopics, 0, seenTopics.length);
        System.arraycopy(plannedTopics, 0, adoptedTopics, 0, adoptedTopics.length);
        for (LocalFormat format : next.formats()) {
            format.onNewFile();
        }
    }

    /** There is no file, or it has no local definitions yet. */
    public void onNoFile() {
        head = NO_FILE;
    }

    /** Continues a file of an earlier run. */
    public void resume(UnfinishedLog log, LogHead vehicle) {
        LocalHeadReader reader = new LocalHeadReader(log.localHead());
        notBeforeUs = log.lastLocalUs();
        Map<String, Integer> longest = new HashMap<>();
        reader.names().forEach(name -> longest.put(base(name), LocalTopic.MAX_FORMAT_LENGTH));
        LocalHead its =
                LocalHead.ofFile(reader.formats(), reader.names(), vehicleTopics(vehicle, longest), prefix, share);
        Arrays.fill(plannedTopics, 0);
        adopt(its);
        for (LocalHeadReader.Subscription subscription : reader.subscriptions()) {
            LocalFormat format = its.byName(subscription.name());
            if (format != null && !vehicleIds.get(subscription.messageId())) {
                format.resume(subscription.multiId(), subscription.messageId());
                usedIds.set(subscription.messageId());
            }
        }
        for (LocalFormat format : its.formats()) {
            format.notBefore(notBeforeUs);
            known.putIfAbsent(new LocalHead.FormatKey(format.name(), format.fields()), format);
        }
    }

    /**
     * Takes a subscription of the vehicle before it is written.
     *
     * @return whether a local topic has its message id or instance in the current file
     */
    public boolean onVehicleSubscription(DirectBuffer message, int offset, int length) {
        if (length < ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SUBSCRIPTION_HEADER_SIZE) {
            return false;
        }
        int multiId = multiId(message, offset);
        int messageId = messageId(message, offset);
        String name = name(message, offset, length);
        vehicleIds.set(messageId);
        noteMultiId(name, multiId);
        LocalFormat namesake = head.byName(name);
        return usedIds.get(messageId) || (namesake != null && namesake.isSubscribed(multiId));
    }

    private void noteMultiId(String name, int multiId) {
        if (name.length() > MAX_NAME_LENGTH) {
            return; // no local name is that long
        }
        boolean hasRoom = vehicleMultiIds.containsKey(name)
                || (vehicleMultiIds.size() < MAX_VEHICLE_TOPICS && share.reserve(ENTRY_BYTES + name.length()));
        if (hasRoom) {
            vehicleMultiIds.merge(name, multiId, Math::max);
        }
        isCrowded |= !hasRoom;
    }

    /** Gives the subscription's message id and instance to the vehicle; a local topic that had them gets others. */
    public void giveWay(DirectBuffer message, int offset, int length) {
        int messageId = messageId(message, offset);
        if (usedIds.get(messageId)) {
            head.formats().forEach(format -> format.giveWayId(messageId));
            usedIds.clear(messageId);
        }
        LocalFormat namesake = head.byName(name(message, offset, length));
        if (namesake != null && namesake.isSubscribed(multiId(message, offset))) {
            namesake.giveWay(multiId(message, offset));
        }
    }

    private static int multiId(DirectBuffer message, int offset) {
        return message.getByte(offset + ULogLayout.MESSAGE_HEADER_LENGTH) & 0xFF;
    }

    private static int messageId(DirectBuffer message, int offset) {
        return message.getShort(offset + ULogLayout.MESSAGE_HEADER_LENGTH + 1, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static String name(DirectBuffer message, int offset, int length) {
        int begin = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        return message.getStringWithoutLengthAscii(offset + begin, length - begin);
    }

    /** The place for samples of a topic in the current file. */
    public Place place(int feed, LocalTopic topic) {
        Place[] ofFeed = places[feed];
        if (topic.index() >= ofFeed.length) {
            ofFeed = Arrays.copyOf(
                    ofFeed, Math.max(topic.index() + 1, feeds.get(feed).topics().size()));
            places[feed] = ofFeed;
        }
        Place place = ofFeed[topic.index()];
        if (place == null) {
            place = new Place(topic);
            ofFeed[topic.index()] = place;
            share.take(PLACE_BYTES);
        }
        place.update(head);
        return place;
    }

    /** Gives a series a message id in the current file; false if there is none left. */
    public boolean subscribe(LocalFormat.Series series) {
        while (nextId >= LocalMarks.LOWEST_ID && (vehicleIds.get(nextId) || usedIds.get(nextId))) {
            nextId--;
        }
        if (nextId < LocalMarks.LOWEST_ID) {
            return false;
        }
        series.messageId(nextId);
        series.notBefore(notBeforeUs);
        usedIds.set(nextId);
        return true;
    }

    /** Whether the topic was declared after the current file's definitions: the next file has it. */
    public boolean isLate(int feed, LocalTopic topic) {
        return topic.index() >= adoptedTopics[feed];
    }

    /** Whether topics that the current file lacks were declared since the last call. */
    public boolean hasNewTopics() {
        boolean missing = false;
        for (int i = 0; i < seenTopics.length; i++) {
            List<LocalTopic> topics = feeds.get(i).topics();
            for (int j = seenTopics[i]; j < topics.size(); j++) {
                missing |= head.find(topics.get(j)) == null;
            }
            seenTopics[i] = topics.size();
        }
        return missing;
    }

    /**
     * The place for samples of one local topic: its format in the current file, and its instances. Owned by the
     * recorder's thread.
     */
    public static final class Place {
        private static final LocalFormat.Series[] NONE = {};

        private final LocalTopic topic;
        private @Nullable LocalHead head;
        private @Nullable LocalFormat format;
        private LocalFormat.@Nullable Series[] series = NONE;
        private boolean told;

        Place(LocalTopic topic) {
            this.topic = topic;
        }

        /** Sets the definitions of the current file. Hot path, except for the first time in a file. */
        void update(LocalHead present) {
            if (head == present) {
                return;
            }
            head = present;
            told = false;
            LocalFormat now = present.find(topic);
            if (now != format) {
                format = now;
                series = NONE;
            }
        }

        /** Null if the current file does not have the topic. */
        @Nullable
        public LocalFormat format() {
            return format;
        }

        /** The series of an instance; null if the file does not have the topic, or has no free instance. */
        public LocalFormat.@Nullable Series series(int instance) {
            LocalFormat its = format;
            if (its == null) {
                return null;
            }
            LocalFormat.Series there = instance < series.length ? series[instance] : null;
            return there != null && its.isOurs(there) ? there : assign(its, instance);
        }

        private LocalFormat.@Nullable Series assign(LocalFormat its, int instance) {
            LocalFormat.Series taken = its.take(instance);
            if (taken != null) {
                if (instance >= series.length) {
                    series = Arrays.copyOf(series, instance + 1);
                }
                series[instance] = taken;
            }
            return taken;
        }

        /** True once in each file, so that the missing topic is reported once. */
        public boolean isToBeTold() {
            boolean first = !told;
            told = true;
            return first;
        }
    }
}
