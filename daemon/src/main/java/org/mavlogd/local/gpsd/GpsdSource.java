package org.mavlogd.local.gpsd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Instances;
import org.mavlogd.local.Outlet;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests reports from gpsd and publishes TPV, SKY and ATT; each receiver is an instance. A line that is not JSON, or
 * too long, is counted and skipped. Owned by the link's thread.
 *
 * @see <a href="https://gpsd.gitlab.io/gpsd/gpsd_json.html">gpsd_json</a>
 */
public final class GpsdSource implements LinkListener {
    /** gpsd's own limit is 10,240 and grows with its versions. */
    static final int MAX_LINE = 64 * 1024;

    static final int MAX_DEVICES = 16;

    private static final Logger LOG = LoggerFactory.getLogger(GpsdSource.class);
    private static final byte[] WATCH = "?WATCH={\"enable\":true,\"json\":true};\n".getBytes(StandardCharsets.US_ASCII);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int PROTOCOL = 3;

    private final Outlet outlet;
    private final GpsdTopics topics;
    private final GpsdReport report = new GpsdReport(GpsdTopics.SATELLITE_FIELDS);
    private final Instances devices = new Instances("gpsd receivers", MAX_DEVICES);
    private final ProblemLog problems = new ProblemLog(LOG);
    private final Counter reports;
    private final Counter malformed;
    private final byte[] line = new byte[MAX_LINE];
    private int length;
    private boolean tooLong;
    private boolean waiting;
    private long askedNs;
    private long beganNs;

    /** Declares all topics; must be called before the link starts. */
    public GpsdSource(LocalPublisher publisher, Metrics metrics) {
        this.outlet = new Outlet("gpsd", publisher, metrics);
        this.topics = new GpsdTopics(outlet);
        this.reports = metrics.counter("gpsd.reports", "Reports taken from gpsd");
        this.malformed = metrics.counter("gpsd.malformed", "Lines of gpsd that are not a report");
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        length = 0;
        tooLong = false;
        waiting = true;
        askedNs = nowNs;
        peer.send(WATCH, 0, WATCH.length);
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int count, long nowNs) {
        for (int i = offset; i < offset + count; i++) {
            byte c = buffer[i];
            if (c == '\n') {
                endLine();
            } else if (length == MAX_LINE) {
                tooLong = true;
            } else {
                beganNs = length == 0 ? nowNs : beganNs;
                line[length++] = c;
            }
        }
    }

    private void endLine() {
        boolean whole = !tooLong;
        int taken = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        length = 0;
        tooLong = false;
        if (!whole) {
            malformed.increment();
            return;
        }
        if (taken > 0) {
            take(taken);
        }
    }

    private void take(int taken) {
        try {
            report.parse(line, taken);
        } catch (IOException e) {
            malformed.increment();
            return;
        }
        if (report.type().isEmpty()) {
            malformed.increment();
            return;
        }
        waiting = false;
        reports.increment();
        switch (report.type()) {
            case "TPV", "SKY", "ATT" -> publish();
            case "VERSION" -> checkVersion();
            case "ERROR" -> problems.report("gpsd reports: " + report.message());
            default -> {
                // DEVICES, WATCH, PPS, TOFF and others.
            }
        }
    }

    private void publish() {
        int instance = devices.of(report.device());
        if (instance == Instances.NONE) {
            return;
        }
        LocalSample sample = switch (report.type()) {
            case "TPV" -> topics.tpv(report, instance, beganNs);
            case "SKY" -> topics.sky(report, instance, beganNs);
            default -> topics.att(report, instance, beganNs);
        };
        outlet.publish(sample);
    }

    private void checkVersion() {
        double major = report.number("proto_major");
        if (major == PROTOCOL) {
            problems.resolved("gpsd answers");
        } else {
            problems.report("gpsd has protocol " + major + ", expected " + PROTOCOL + "; reading the known fields");
        }
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        waiting = false;
    }

    @Override
    public void onTick(long nowNs) {
        if (waiting && nowNs - askedNs >= ANSWER_NS) {
            waiting = false;
            problems.report("gpsd does not answer; does another program listen there?");
        }
    }

    @Override
    public boolean mayWait() {
        return true;
    }
}
