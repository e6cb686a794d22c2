/** The ULog file format: writer, reader, recovery and append, without any dependency. */
module org.mavlogd.ulog {
    exports org.mavlogd.ulog;
}
