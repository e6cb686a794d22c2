package org.mavlogd.control;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Whether and where pages are served.
 *
 * @param listen not resolved; port 0 lets the system choose one; empty when there are no pages
 * @param token what each request must show; empty for no need, on loopback only
 */
public record HttpSettings(Optional<InetSocketAddress> listen, Optional<AccessToken> token) {}
