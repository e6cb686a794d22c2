package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.ULogSink;

/** A log on its way into an output file. Failures name that file. */
final class OutputSink implements ULogSink, Closeable {
    private final OutputFile file;
    private final FileSink sink;

    OutputSink(OutputFile file) throws IOException {
        this.file = file;
        try {
            sink = FileSink.create(file.temporary());
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        try {
            sink.write(bytes);
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    void flush() throws IOException {
        try {
            sink.flush();
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    @Override
    public long position() {
        return sink.position();
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
