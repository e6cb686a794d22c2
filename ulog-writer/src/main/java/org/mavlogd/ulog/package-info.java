/**
 * The ULog file format: layout, encoding, writing, reading, recovery and appending.
 *
 * <p>Depends on {@code java.base} only. It has three levels, each usable alone:
 *
 * <ul>
 *   <li>bytes: {@link org.mavlogd.ulog.ULogLayout}; {@link org.mavlogd.ulog.MessageEncoder} writes single messages,
 *       {@link org.mavlogd.ulog.MessageWalker} finds them in a stream and {@link org.mavlogd.ulog.MessageCursor} in a
 *       mapped file;
 *   <li>logs: {@link org.mavlogd.ulog.ULogWriter} writes logs and enforces every rule of the format;
 *       {@link org.mavlogd.ulog.ULogReader} reads samples, parameters, infos and logged messages;
 *   <li>damaged logs: {@link org.mavlogd.ulog.ULogScanner} finds the intact messages in a damaged log,
 *       {@link org.mavlogd.ulog.ULogRepair} copies them into a new one, and
 *       {@link org.mavlogd.ulog.ULogAppender} adds crash data to a finished or truncated log.
 * </ul>
 *
 * <p>No object here is thread-safe: use each from one thread. Input is never trusted: a file that is not a log causes a
 * {@link org.mavlogd.ulog.ULogException}, damage inside a log is reported and skipped, and every length is bounded.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog file format</a>
 */
package org.mavlogd.ulog;
