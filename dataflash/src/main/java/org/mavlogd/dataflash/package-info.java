/**
 * ArduPilot's own log format, DataFlash, and its mapping to ULog.
 *
 * <p>Bytes come in by pieces of any size: a file's, or the blocks of a stream. {@link org.mavlogd.dataflash.DataFlashDecoder}
 * finds the records, {@link org.mavlogd.dataflash.Definitions} keeps what the log says about itself,
 * {@link org.mavlogd.dataflash.HeadCollector} gathers what a ULog must tell before its data, and
 * {@link org.mavlogd.dataflash.ULogMapper} turns records into topics, parameters, infos and logged messages of a
 * {@link org.mavlogd.dataflash.MappedLog}. No files here, and memory is bounded whatever comes. Every object belongs to
 * one thread; records allocate nothing.
 *
 * @see <a href="https://ardupilot.org/dev/docs/code-overview-adding-a-new-log-message.html">ArduPilot, log messages</a>
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.dataflash;
