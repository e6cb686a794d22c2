package org.mavlogd.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The program of {@code scripts/soak}: runs the long form of every fault, or of the selected ones, and prints one line
 * for each.
 *
 * <p>Exit code 0 if all checks passed, 1 if one failed, 2 after wrong usage. Skipped faults are listed and do not fail.
 */
final class Soak {
    private static final List<Fault> FAULTS = List.of(
            new DiskOperationFault(),
            new BlockDiskOperationFault(),
            new BadLinkFault(),
            new RebootFault(),
            new LongServiceFault(),
            new ScarcityFaults.Stopped(),
            new ScarcityFaults.QuarterCore(),
            new ScarcityFaults.SmallMemory(),
            new StorageFaults.Frozen(),
            new StorageFaults.ReadOnlyAtStart(),
            new StorageFaults.Dead(),
            new StorageFaults.Full(),
            new ReplugFault(),
            new ClockStepFault(),
            new PowerCutFault(),
            new BlockPowerCutFault(),
            new SiegeFault(),
            new KillFault(),
            new BlockKillFault());
    private static final String USAGE = "usage: scripts/soak [--short] [--only NAME]...";

    private final Fault.Form form;
    private final List<Fault> faults;
    private final boolean onTerminal = Boolean.getBoolean("mavlogd.terminal");
    private int failed;
    private int skipped;

    private Soak(Fault.Form form, List<Fault> faults) {
        this.form = form;
        this.faults = faults;
    }

    public static void main(String[] arguments) {
        Fault.Form form = Fault.Form.LONG;
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--short")) {
                form = Fault.Form.SHORT;
            } else if (arguments[i].equals("--only") && i + 1 < arguments.length) {
                faults.add(named(arguments[++i]));
            } else {
                misused("unknown: " + arguments[i]);
            }
        }
        System.exit(new Soak(form, faults.isEmpty() ? all(form) : faults).run());
    }

    /** A thousand sieges take hours: their long form runs only if it is selected. */
    private static List<Fault> all(Fault.Form form) {
        return FAULTS.stream()
                .filter(fault -> form == Fault.Form.SHORT || !(fault instanceof SiegeFault))
                .toList();
    }

    private static Fault named(String name) {
        return FAULTS.stream()
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow(() -> misused("there is no fault \"" + name + "\""));
    }

    private static IllegalArgumentException misused(String what) {
        System.err.println(what);
        System.err.println(USAGE);
        System.err.println("names: " + FAULTS.stream().map(Fault::name).collect(Collectors.joining(", ")));
        System.exit(2);
        return new IllegalArgumentException(what);
    }

    private int run() {
        long startNs = System.nanoTime();
        faults.forEach(this::run);
        System.out.printf(
                Locale.ROOT,
                "%d of %d held, %d failed, %d skipped, in %d s%n",
                faults.size() - failed - skipped,
                faults.size(),
                failed,
                skipped,
                seconds(startNs));
        return failed == 0 ? 0 : 1;
    }

    private void run(Fault fault) {
        String obstacle = fault.obstacle();
        if (!obstacle.isEmpty()) {
            skipped++;
            printResult(fault, "SKIPPED", obstacle, 0);
            return;
        }
        long startNs = System.nanoTime();
        try {
            show(fault.name() + " ...");
            String figures = fault.run(form, (done, of) -> show(fault.name() + " " + done + "/" + of));
            printResult(fault, "held", figures, seconds(startNs));
        } catch (Exception | AssertionError e) {
            failed++;
            printResult(fault, "FAILED", String.valueOf(e.getMessage()).replaceAll("\\s+", " "), seconds(startNs));
            e.printStackTrace();
        }
    }

    private void printResult(Fault fault, String outcome, String text, long seconds) {
        show("");
        System.out.printf(Locale.ROOT, "%-24s %-7s %s (%d s)%n", fault.name(), outcome, text, seconds);
    }

    /** Shows a line that the next one replaces; only on a terminal. */
    private void show(String text) {
        if (onTerminal) {
            System.err.printf("\r\u001b[K%s", text);
        }
    }

    private static long seconds(long startNs) {
        return Duration.ofNanos(System.nanoTime() - startNs).toSeconds();
    }
}
