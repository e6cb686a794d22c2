package org.mavlogd.faults;

import org.mavlogd.computer.FreePorts;

/**
 * All attackers run at once, started in an order given by a seed: 48 forged ArduPilots, some with gaps between their
 * blocks, and 24 forged PX4s, all with endless definitions; 1,024 published topics of 256 fields; slow HTTP clients; a
 * hostile unfinished log; and bursts of packets. Meanwhile a PX4 that was recorded before streams at 500 KB/s. The
 * program keeps running, and no data of this PX4 is lost.
 */
final class SiegeFault implements Fault {
    @Override
    public String name() {
        return "siege";
    }

    @Override
    public String obstacle() {
        return RecorderProcess.obstacle();
    }

    @Override
    public String run(Form form, Progress progress) throws Exception {
        int seeds = Integer.getInteger("mavlogd.siege.seeds", form.pick(2, 1000));
        long first = Long.getLong("mavlogd.siege.seed", 1);
        boolean isBusy = Host.isBusy();
        Siege.Result worst = Siege.Result.NONE;
        for (int i = 0; i < seeds; i++) {
            progress.at(i, seeds);
            long seed = first + i;
            try (Siege siege = new Siege(seed, FreePorts.udp(), FreePorts.udp())) {
                Siege.Result result = siege.run(isBusy);
                worst = worst.worst(result);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        return seeds + " sieges: " + worst + (isBusy ? " (times not judged: the machine was busy before)" : "");
    }
}
