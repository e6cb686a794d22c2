/**
 * The ULog file format: layout, encoding, writing, reading, recovery and appending.
 *
 * <p>Depends on {@code java.base} only. Three levels, each usable alone:
 *
 * <ul>
 *   <li>bytes: {@link org.mavlogd.ulog.ULogLayout}; {@link org.mavlogd.ulog.MessageEncoder} writes single messages,
 *       {@link org.mavlogd.ulog.MessageWalker} finds them in a stream and {@link org.mavlogd.ulog.MessageCursor} in a
 *       mapped file;
 *   <li>logs: {@link org.mavlogd.ulog.ULogWriter} keeps every rule of the format,
 *       {@link org.mavlogd.ulog.ULogReader} gives typed samples, parameters, infos and logged messages;
 *   <li>care: {@link org.mavlogd.ulog.ULogScanner} finds true messages in a damaged log,
 *       {@link org.mavlogd.ulog.ULogRepair} writes them into a whole one, and
 *       {@link org.mavlogd.ulog.ULogAppender} adds crash data to a finished or cut one.
 * </ul>
 *
 * <p>Every object here belongs to one thread. Input from outside is never trusted: what cannot be a log ends in
 * {@link org.mavlogd.ulog.ULogException}, what is damaged is counted and stepped over, and every length is bounded.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog file format</a>
 */
package org.mavlogd.ulog;
