package org.mavlogd.vehicle;

import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameView;

/** Takes the frames of a link that do not belong to a log. Called by the link's thread; never throws. */
public interface HeardFrames {
    /** Drops all frames. */
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

    /** Whether frames are taken from every sender that reaches the link. */
    boolean takesAnyones();

    /** Whether frames are taken of systems that are not vehicles. */
    boolean takesOthers();

    /** Ids of messages that are recorded with their time of arrival. */
    int[] timedMessages();

    /**
     * Takes a frame of an accepted sender; frames of logs are not passed. Hot path.
     *
     * @param isLogged whether it comes from an autopilot whose log is being recorded
     * @param isNamed whether a text must name its sender
     */
    void onFrame(FrameView frame, boolean isLogged, boolean isNamed, long nowNs);

    /** Called at each tick of the link. */
    void onTick(long nowNs);
}
