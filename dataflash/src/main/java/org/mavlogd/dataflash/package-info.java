/**
 * ArduPilot's own log format, DataFlash, and its mapping to ULog.
 *
 * <p>Bytes arrive in pieces of any size, from a file or as blocks of a stream. {@link
 * org.mavlogd.dataflash.DataFlashDecoder} finds the records, {@link org.mavlogd.dataflash.Definitions} keeps the log's
 * declarations, {@link org.mavlogd.dataflash.HeadCollector} collects the facts that a ULog needs before its data, and
 * {@link org.mavlogd.dataflash.ULogMapper} converts records to topics, parameters, infos and logged messages of a
 * {@link org.mavlogd.dataflash.MappedLog}. This package opens no files, and its memory is bounded for any input. Every
 * object belongs to one thread; records allocate nothing.
 *
 * @see <a href="https://ardupilot.org/dev/docs/code-overview-adding-a-new-log-message.html">ArduPilot, log messages</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.dataflash;
