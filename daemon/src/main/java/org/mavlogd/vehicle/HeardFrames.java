package org.mavlogd.vehicle;

import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameView;

/** Takes the frames that are heard on a link besides those of logs. Called by the link's thread; never throws. */
public interface HeardFrames {
    /** All are dropped. */
    HeardFrames NONE = new HeardFrames() {
        @Override
        public Dialect dialect() {
            return Dialect.standard();
        }

        @Override
        public boolean takesAnyones() {
            return false;
        }

        @Override
        public boolean takesOthers() {
            return false;
        }

        @Override
        public int[] timedMessages() {
            return new int[0];
        }

        @Override
        public void onFrame(FrameView frame, boolean isLogged, boolean isNamed, long nowNs) {}

        @Override
        public void onTick(long nowNs) {}
    };

    /** The messages that the link's frames are checked against. */
    Dialect dialect();

    /** Whether frames are taken from whoever can send to the link. */
    boolean takesAnyones();

    /** Whether frames of systems that are no vehicle are taken. */
    boolean takesOthers();

    /** Which messages are recorded with the times at which they come. */
    int[] timedMessages();

    /**
     * A frame of a sender that is let through; pieces of logs are not given. Hot path.
     *
     * @param isLogged whether it comes from an autopilot whose log is being recorded
     * @param isNamed whether a text must say whose it is
     */
    void onFrame(FrameView frame, boolean isLogged, boolean isNamed, long nowNs);

    /** Time passes. */
    void onTick(long nowNs);
}
