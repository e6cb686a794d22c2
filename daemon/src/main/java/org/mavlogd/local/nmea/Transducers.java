package org.mavlogd.local.nmea;

import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.peer.Peer;
import org.mavlogd.ulog.FieldType;

/**
 * Publishes XDR sentences. They contain any number of transducers, with kind, value, unit and name; each is an instance
 * of {@code nmea_xdr}. Pressures in bar become Pa, with unit P. Owned by the link's thread.
 *
 * @see <a href="https://gpsd.gitlab.io/gpsd/NMEA.html#_xdr_transducer_measurement">XDR</a>
 */
final class Transducers {
    static final String KIND = "XDR";
    static final int NAME_LENGTH = 24;

    private static final int PARTS = 4;
    private static final double BAR = 1e5;

    private final NmeaTopic topic;
    private final Outlet outlet;
    private final NmeaCounters counters;
    private final StringBuilder name = new StringBuilder(NAME_LENGTH);

    Transducers(Outlet outlet, int link, NmeaCounters counters) {
        this.outlet = outlet;
        this.counters = counters;
        this.topic = new NmeaTopic(
                TopicBuilder.of("nmea_xdr")
                        .field(FieldType.FLOAT, "value")
                        .field(FieldType.CHAR, "kind")
                        .field(FieldType.CHAR, "unit")
                        .text(NAME_LENGTH, "name")
                        .text(2, "talker"),
                outlet,
                link);
    }

    NmeaTopic topic() {
        return topic;
    }

    /** False if a field is invalid and there is no checksum, so that the other fields cannot be trusted either. */
    boolean take(Sentence sentence, Peer peer, long beganNs, boolean keepRest) {
        for (int first = 1; first <= sentence.fields(); first += PARTS) {
            sentence.number(first + 1); // notes a bad field
            sentence.letter(first);
            sentence.letter(first + 2);
            if (sentence.hasBadField() && !keepRest) {
                return false;
            }
            if (!sentence.isEmpty(first) || !sentence.isEmpty(first + 1)) {
                publish(sentence, peer, beganNs, first);
            }
        }
        return true;
    }

    private void publish(Sentence sentence, Peer peer, long beganNs, int first) {
        int nameField = first + 3;
        long key = sentence.keyWith(sentence.keyWith(sentence.talkerKey(), first), nameField);
        // Some devices send no names: then the place in the sentence distinguishes the transducers.
        int instance = topic.instance(peer, sentence.isEmpty(nameField) ? key + first : key);
        if (instance == NmeaTopic.Devices.NONE) {
            counters.excess().increment();
            return;
        }
        double value = sentence.number(first + 1);
        byte unit = sentence.letter(first + 2);
        boolean bar = unit == 'B';
        name.setLength(0);
        sentence.text(nameField, name, NAME_LENGTH);
        outlet.publish(topic.sample()
                .begin(instance, beganNs)
                .float32((float) (bar ? value * BAR : value))
                .integer(sentence.letter(first))
                .integer(bar ? 'P' : unit)
                .text(name)
                .integer(sentence.talker(0))
                .integer(sentence.talker(1)));
    }
}
