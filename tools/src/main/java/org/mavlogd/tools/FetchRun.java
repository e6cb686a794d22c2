package org.mavlogd.tools;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchLink;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.signing.Signing;

/** One conversation of the command, which a signal ends properly. Used once, by the command's thread. */
final class FetchRun {
    private static final long STOP_WAIT_MS = 6000;

    private final Function<FetchTarget, FetchFiles> maker;
    // Made on the link's thread; read when that has ended.
    private @Nullable FetchFiles files;
    private boolean isUnsigned;

    /** @param maker makes the place of the logs, when the vehicle is known */
    FetchRun(Function<FetchTarget, FetchFiles> maker) {
        this.maker = maker;
    }

    /**
     * Runs until all is there or cannot be.
     *
     * @return why there was no conversation at all; empty when there was one
     */
    String run(LinkSettings link, FetchLink.Settings wish, Signing.LinkParts signing) {
        try (StopSignal stop = new StopSignal(STOP_WAIT_MS)) {
            FetchLink conversation = new FetchLink(link, wish, signing, this::client);
            String problem = conversation.run(stop::isAsked);
            isUnsigned = conversation.isSpokenToUnsigned();
            return problem;
        }
    }

    private FetchClient client(FetchTarget vehicle) {
        FetchFiles made = maker.apply(vehicle);
        files = made;
        return made;
    }

    /** What came of it. */
    Optional<FetchFiles> files() {
        return Optional.ofNullable(files);
    }

    /** Why it ended early; empty when it did not. */
    String endProblem() {
        String problem = files().map(FetchFiles::endProblem).orElse("");
        return problem.isEmpty() || !isUnsigned
                ? problem
                : problem
                        + "; it signs what it says, and perhaps takes nothing unsigned: section [signing] has the key";
    }
}
