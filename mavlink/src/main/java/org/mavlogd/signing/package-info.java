/**
 * MAVLink 2 message signing: what a frame proves about its sender, and the signatures of what we send.
 *
 * <p>Beside the way of the bytes: frames of {@code mavlink} come in, {@link org.mavlogd.signing.Proof}s go out to {@code
 * vehicle}. Gates and seals belong to one link's thread each; the clock and the replay guard behind them are shared by all
 * links without waiting; the thread {@code signing} keeps on disk what must outlive the process.
 *
 * @see <a href="https://mavlink.io/en/guide/message_signing.html">Message signing</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.signing;
