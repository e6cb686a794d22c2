package org.mavlogd.link;

import com.fazecast.jSerialComm.SerialPort;
import com.fazecast.jSerialComm.SerialPortInvalidPortException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An open serial port, 8N1; the only class that uses jSerialComm.
 *
 * <p>{@link #read} waits at most {@link #READ_TIMEOUT_MS}, unless another program changes the port's settings
 * meanwhile. {@link #write} may wait without limit if flow control has stopped the port: the library repeats a write
 * until the driver accepts it. {@link #close} must not be called while another thread writes: its bytes could end up in
 * another file that gets the port's descriptor.
 */
class SerialDevice {
    /** Terminal time-outs are in tenths of a second, termios(3); this is the shortest. */
    static final int READ_TIMEOUT_MS = 100;

    private static final String NOT_PERMITTED = "Operation not permitted"; // strerror(EPERM)

    static {
        // The library's hook closes all ports; hooks given to it run before.
        SerialPort.addShutdownHook(new Thread(ShutdownHook::awaitAll, "serial-close"));
    }

    private final SerialPort port;

    /** For subclasses in tests, which call no method of this class. */
    SerialDevice(SerialPort port) {
        this.port = port;
    }

    /**
     * Opens the port.
     *
     * @throws FileNotFoundException if there is no such device
     * @throws IOException with the reason, for the operator
     */
    static SerialDevice open(LinkSettings.SerialPort settings) throws IOException {
        Path device = Path.of(settings.device());
        if (!Files.exists(device)) {
            throw new FileNotFoundException("no such device, waiting");
        }
        checkAccess(device);
        try {
            // The library guesses another device if a path does not exist: pass the real one.
            SerialPort port = SerialPort.getCommPort(device.toRealPath().toString());
            port.setComPortParameters(settings.baud(), 8, SerialPort.ONE_STOP_BIT, SerialPort.NO_PARITY);
            port.setFlowControl(
                    settings.flowControl()
                            ? SerialPort.FLOW_CONTROL_RTS_ENABLED | SerialPort.FLOW_CONTROL_CTS_ENABLED
                            : SerialPort.FLOW_CONTROL_DISABLED);
            SerialDevice opened = new SerialDevice(port);
            opened.setTimeouts();
            if (!port.openPort(0)) {
                throw new IOException("cannot be opened at " + settings.baud() + " baud (error "
                        + port.getLastErrorCode() + "): in use by another program, or the rate is not supported");
            }
            return opened;
        } catch (SerialPortInvalidPortException e) {
            throw new IOException("not a serial port", e);
        } catch (LinkageError e) {
            throw new IOException("the native serial library does not load: " + e.getMessage(), e);
        }
    }

    private static void checkAccess(Path device) throws IOException {
        try {
            device.getFileSystem().provider().checkAccess(device, AccessMode.READ, AccessMode.WRITE);
        } catch (IOException e) {
            throw new IOException(accessProblem(e), e);
        }
    }

    /** File permissions refuse with EACCES, a sandbox's device list with EPERM. */
    static String accessProblem(IOException refusal) {
        boolean isSandbox = refusal instanceof FileSystemException failure
                && !(failure instanceof AccessDeniedException)
                && NOT_PERMITTED.equals(failure.getReason());
        return isSandbox
                ? "the service may not open devices of this kind: see DeviceAllow= in \"systemctl cat mavlogd\", and restart mavlogd"
                        + " when the device's driver was loaded after it started"
                : "no permission to read and write (is the user in the device's group, often dialout?)";
    }

    /** Sets the time-outs. On an open port they take effect at once, but not for a read in progress. */
    void setTimeouts() {
        port.setComPortTimeouts(SerialPort.TIMEOUT_READ_SEMI_BLOCKING, READ_TIMEOUT_MS, 0);
    }

    /** Whether a read would return bytes or find that the device is gone. */
    boolean isReadable() {
        return port.bytesAvailable() != 0;
    }

    /** Number of bytes read into the start of {@code target}; 0 after the time-out, -1 if the device is gone. */
    int read(byte[] target) {
        return port.readBytes(target, target.length);
    }

    /** Waits until the driver has accepted the bytes; false if the device is gone. */
    boolean write(byte[] source, int length) {
        return port.writeBytes(source, length) == length;
    }

    /** Bytes that the driver has accepted but not sent; 0 or less if it does not report them. */
    int waitingBytes() {
        return port.bytesAwaitingWrite();
    }

    /** Discards the bytes that the driver has not sent, so that a waiting write returns. */
    void discardOutput() {
        port.flushIOBuffers();
    }

    void close() {
        port.closePort();
    }
}
