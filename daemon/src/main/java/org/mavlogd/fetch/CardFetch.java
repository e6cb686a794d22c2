package org.mavlogd.fetch;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.vehicle.FlightListener;

/**
 * Fetches logs from one vehicle's card: the newest some time after the vehicle disarms, and those that a user requests.
 * Stops at once when it arms. Logs of an ArduPilot are fetched by FTP only: while it serves log messages it neither
 * streams its log nor arms.
 *
 * <p>A contained part: an error ends the conversation, and the next one begins after the next flight or request at the
 * earliest. Owned by the link's thread.
 */
public final class CardFetch implements FlightListener {
    /** Decides whether logs on vehicles' cards are fetched, and where they are stored. Link's thread. */
    public interface VehicleCardLogs {
        /** Fetches no logs. */
        VehicleCardLogs NONE = new VehicleCardLogs() {
            @Override
            public boolean areWanted() {
                return false;
            }

            @Override
            public long delayNs() {
                return 0;
            }

            @Override
            public MemoryShare memory(int systemId) {
                throw new IllegalStateException("logs of vehicle " + systemId + " are not fetched");
            }

            @Override
            public FetchClient client(FetchTarget vehicle) {
                throw new IllegalStateException("logs of " + vehicle.text() + " are not fetched");
            }

            @Override
            public FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen) {
                return client(vehicle);
            }
        };

        /** Whether logs are fetched after each flight. */
        boolean areWanted();

        /** The delay from disarming until fetching begins, because the vehicle must close its log first. */
        long delayNs();

        /** The memory for the list of one vehicle's logs. */
        MemoryShare memory(int systemId);

        /** Makes a client that fetches the newest log of one vehicle; for one conversation. */
        FetchClient client(FetchTarget vehicle);

        /** Makes a client that fetches these logs of an earlier list; for one conversation. */
        FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen);
    }

    /**
     * Whether the newest log on a vehicle's card is fetched after each flight.
     *
     * @param delayNs from disarming until fetching begins
     * @param maxTotalBytes of all fetched logs together; 0 for no limit
     */
    public record Settings(boolean afterDisarm, long delayNs, long maxTotalBytes) {}

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final VehicleCardLogs cardLogs;
    private final FetchTarget vehicle;
    private final FetchOutbox outbox;
    private final ContainedPart part;
    private final @Nullable FetchReport report;
    private @Nullable FetchSession session;
    private boolean isArmed;
    private boolean isDue;
    private long disarmedNs;

    /**
     * For the vehicles of one link, without requests of users.
     *
     * @param ownComponentId mavlogd's component id
     * @param part contains the errors of all of them
     */
    public static Factory factory(VehicleCardLogs cardLogs, int ownComponentId, ContainedPart part) {
        return contained(
                part,
                (vehicle, outbox) -> cardLogs.areWanted()
                        ? new CardFetch(
                                cardLogs, target(vehicle, ownComponentId), vehicle.isArmed(), outbox::send, part, null)
                        : FlightListener.NONE);
    }

    /** An error here leaves the vehicle without a listener. */
    private static Factory contained(ContainedPart part, Factory maker) {
        return (vehicle, outbox) -> part.get(() -> maker.of(vehicle, outbox), FlightListener.NONE);
    }

    /**
     * The same with requests of users.
     *
     * @param link takes requests, and shows their results
     */
    public static Factory factory(
            VehicleCardLogs cardLogs,
            int ownComponentId,
            ContainedPart part,
            FetchChannels.OfLink link,
            NanoClock clock) {
        return contained(part, (vehicle, outbox) -> {
            FetchTarget target = target(vehicle, ownComponentId);
            FetchReport report = new FetchReport(link, target, vehicle.isArmed(), clock.nanoTime());
            return new CardFetch(cardLogs, target, vehicle.isArmed(), outbox::send, part, report);
        });
    }

    private static FetchTarget target(Subject vehicle, int ownComponentId) {
        return new FetchTarget(vehicle.systemId(), vehicle.componentId(), vehicle.autopilot(), ownComponentId);
    }

    CardFetch(
            VehicleCardLogs cardLogs,
            FetchTarget vehicle,
            boolean isArmed,
            FetchOutbox outbox,
            ContainedPart part,
            @Nullable FetchReport report) {
        this.cardLogs = cardLogs;
        this.vehicle = vehicle;
        this.isArmed = isArmed;
        this.outbox = outbox;
        this.part = part;
        this.report = report;
    }

    @Override
    public void onArming(boolean newArmed, long nowNs) {
        if (newArmed) {
            isDue = false;
        } else if (isArmed) {
            isDue = cardLogs.areWanted();
            disarmedNs = nowNs;
        }
        isArmed = newArmed;
        tell(its -> its.onArming(newArmed, nowNs));
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        FetchSession running = session;
        try {
            if (report != null) {
                report.onFrame(nowNs);
            }
            if (running != null && isOfInterest(frame.messageId())) {
                running.onFrame(frame, nowNs);
            }
        } catch (Throwable e) {
            failed(e, nowNs);
        }
    }

    private void failed(Throwable error, long nowNs) {
        FetchSession broken = session;
        session = null;
        part.contain(error);
        if (broken != null) {
            try {
                broken.stop("internal error", nowNs);
            } catch (Throwable e) {
                part.contain(e);
            }
        }
        tell(FetchReport::failed);
    }

    private void tell(Consumer<FetchReport> news) {
        if (report != null) {
            try {
                news.accept(report);
            } catch (Throwable e) {
                part.contain(e);
            }
        }
    }

    /** Whether the frame may belong to a conversation about the logs on the card. Hot path. */
    private static boolean isOfInterest(int messageId) {
        return switch (messageId) {
            case MessageIds.HEARTBEAT,
                    MessageIds.SYSTEM_TIME,
                    MessageIds.FILE_TRANSFER_PROTOCOL,
                    MessageIds.LOG_ENTRY,
                    MessageIds.LOG_DATA -> true;
            default -> false;
        };
    }

    @Override
    public boolean isBusy() {
        return session != null;
    }

    @Override
    public void onTick(boolean isOurs, long nowNs) {
        try {
            work(isOurs, nowNs);
        } catch (Throwable e) {
            isDue = false;
            failed(e, nowNs);
        }
    }

    private void work(boolean isOurs, long nowNs) {
        FetchRequest asked = report == null ? null : report.take();
        FetchSession running = session;
        if (running != null) {
            if (asked != null && asked.kind() == FetchRequest.Kind.CANCEL) {
                running.stop("cancelled", nowNs);
            }
            running.onTick(nowNs);
            session = running.isAtRest(nowNs) ? null : running;
        } else if (report != null && asked != null && asked.kind() == FetchRequest.Kind.FETCH) {
            beginRequested(report, asked, nowNs);
        } else if (isDue && part.mayRun() && nowNs - disarmedNs >= cardLogs.delayNs()) {
            isDue = false;
            if (isOurs && !isArmed) {
                begin(cardLogs.client(vehicle), null, nowNs);
            }
        }
        if (report != null) {
            report.onTick(isOurs, session != null, nowNs);
        }
    }

    private void beginRequested(FetchReport its, FetchRequest asked, long nowNs) {
        String refusal = part.mayRun() ? its.refusal() : "paused after an internal error; try again in a minute";
        if (refusal.isEmpty()) {
            begin(cardLogs.client(vehicle, asked.logs()), asked, nowNs);
        } else {
            its.refused(refusal);
        }
    }

    private void begin(FetchClient client, @Nullable FetchRequest asked, long nowNs) {
        FetchClient watched = report == null ? client : report.watch(client, asked);
        session = new FetchSession(vehicle, wish(), outbox, watched, cardLogs.memory(vehicle.systemId()), nowNs);
    }

    private FetchSession.Wish wish() {
        // While a PX4 computes a checksum it does not handle acks of its stream.
        return vehicle.isArduPilot()
                ? new FetchSession.Wish(List.of(FetchClient.Way.FTP), PATIENCE_NS, true)
                : new FetchSession.Wish(List.of(FetchClient.Way.FTP, FetchClient.Way.MESSAGES), PATIENCE_NS, false);
    }

    @Override
    public void shutDown(long nowNs) {
        FetchSession running = session;
        if (running != null) {
            try {
                running.stop("mavlogd ends", nowNs);
            } catch (Throwable e) {
                failed(e, nowNs);
            }
        }
        tell(FetchReport::close);
    }
}
