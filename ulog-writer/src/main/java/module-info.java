/** The ULog file format: writer, reader, recovery and append, without dependencies. */
module org.mavlogd.ulog {
    exports org.mavlogd.ulog;
}
