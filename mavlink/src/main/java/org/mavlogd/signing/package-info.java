/**
 * MAVLink 2 message signing: checks the signatures of received frames, and signs sent ones.
 *
 * <p>Beside the data path: frames of {@code mavlink} come in, {@link org.mavlogd.signing.Proof}s go to {@code vehicle}.
 * Each gate and seal belongs to one link's thread; the clock and the replay guard behind them are shared by all links
 * without waiting; the thread {@code signing} stores the state that must outlive the process.
 *
 * @see <a href="https://mavlink.io/en/guide/message_signing.html">Message signing</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.signing;
