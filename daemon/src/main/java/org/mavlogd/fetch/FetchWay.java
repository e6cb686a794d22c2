package org.mavlogd.fetch;

/** How logs are listed and read. */
public enum FetchWay {
    /** FILE_TRANSFER_PROTOCOL: the vehicle goes on as it did. */
    FTP("MAVLink FTP"),
    /** LOG_REQUEST_LIST, LOG_REQUEST_DATA: ArduPilot logs nothing and does not arm meanwhile. */
    MESSAGES("log messages");

    private final String text;

    FetchWay(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
