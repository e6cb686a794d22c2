"""Readers of ULog and DataFlash logs, written from the format descriptions and independent of mavlogd's Java.

ULog: https://docs.px4.io/main/en/dev_log/ulog_file_format.html
DataFlash: https://ardupilot.org/dev/docs/code-overview-adding-a-new-log-message.html

Both give {(topic, instance): structured numpy array} and lists of messages and parameters. Sound logs only.
"""

import gzip
import re
import struct

import numpy as np

BASIC = {
    "int8_t": "i1", "uint8_t": "u1", "int16_t": "<i2", "uint16_t": "<u2", "int32_t": "<i4", "uint32_t": "<u4",
    "int64_t": "<i8", "uint64_t": "<u8", "float": "<f4", "double": "<f8", "bool": "u1", "char": "u1",
}


def read_bytes(path):
    data = open(path, "rb").read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


class Log:
    def __init__(self):
        self.start_us = 0
        self.topics = {}
        # Where each sample is in the file, in the order of all samples.
        self.order = {}
        self.infos = {}
        self.parameters = {}
        self.defaults = {}
        self.changes = []
        self.messages = []
        self.dropouts = []

    def column(self, topic, field, instance=0):
        """The times in microseconds and the values as float64; None if the log has neither."""
        rows = self.topics.get((topic, instance))
        if rows is None or len(rows) == 0 or field not in rows.dtype.names:
            return None
        return rows["timestamp"].astype(np.int64), rows[field].astype(np.float64)


def read_ulog(path):
    data = read_bytes(path)
    assert data[:7] == b"ULog\x01\x12\x35", "no ULog"
    log = Log()
    log.start_us = struct.unpack_from("<Q", data, 8)[0]
    formats, ids, samples = {}, {}, {}
    latest = log.start_us
    in_data = False
    at = 16
    while at + 3 <= len(data):
        size, kind = struct.unpack_from("<Hc", data, at)
        body = data[at + 3:at + 3 + size]
        if len(body) < size:
            break
        at += 3 + size
        if kind == b"F":
            name, fields = body.decode("utf8").split(":", 1)
            formats[name] = [f.split(" ") for f in fields.split(";") if f]
        elif kind == b"A":
            in_data = True
            instance, number = struct.unpack_from("<BH", body)
            ids[number] = (body[3:].decode("utf8"), instance)
        elif kind == b"D":
            key = ids.get(struct.unpack_from("<H", body)[0])
            if key:
                samples.setdefault(key, []).append(body[2:])
                log.order.setdefault(key, []).append(at)
                if formats[key[0]][0][1] == "timestamp":
                    latest = max(latest, struct.unpack_from("<Q", body, 2)[0])
        elif kind in (b"I", b"P"):
            key, value = keyed(body)
            if kind == b"I":
                log.infos[key[1]] = value
            elif in_data:
                log.changes.append((latest, key[1], value))
            else:
                log.parameters[key[1]] = value
        elif kind == b"Q":
            key, value = keyed(body[1:])
            log.defaults[key[1]] = value
        elif kind in (b"L", b"C"):
            in_data = True
            level = body[0]
            skip = 1 if kind == b"L" else 3
            time = struct.unpack_from("<Q", body, skip)[0]
            log.messages.append((time, level, body[skip + 8:].decode("utf8", "replace")))
        elif kind == b"O":
            log.dropouts.append((latest, struct.unpack_from("<H", body)[0]))
    log.order = {key: np.array(places) for key, places in log.order.items()}
    for key, rows in samples.items():
        dtype = np.dtype(flat(formats, key[0]))
        # Padding at the end is left out by writers.
        log.topics[key] = np.frombuffer(b"".join(r[:dtype.itemsize].ljust(dtype.itemsize, b"\0") for r in rows), dtype)
    return log


def keyed(body):
    length = body[0]
    kind, name = body[1:1 + length].decode("utf8").split(" ", 1)
    value = body[1 + length:]
    if kind in BASIC:
        return (kind, name), np.frombuffer(value, BASIC[kind])[0]
    return (kind, name), value.decode("utf8", "replace").rstrip("\0") if kind.startswith("char[") else value


def flat(formats, name, prefix=""):
    """The fields of a format with nested ones resolved; an array's elements are fields, as in q[0]."""
    fields = []
    for kind, field in formats[name]:
        base, count = kind, 0
        match = re.fullmatch(r"(.*)\[(\d+)\]", kind)
        if match:
            base, count = match.group(1), int(match.group(2))
        for i in range(max(1, count)):
            path = prefix + field + (f"[{i}]" if count else "")
            if base in BASIC:
                fields.append((path, BASIC[base]))
            else:
                fields += flat(formats, base, path + ".")
    return fields


DATAFLASH = {
    "b": "i1", "B": "u1", "h": "<i2", "H": "<u2", "i": "<i4", "I": "<u4", "f": "<f4", "d": "<f8", "n": "S4", "N": "S16",
    "Z": "S64", "c": "<i2", "C": "<u2", "e": "<i4", "E": "<u4", "L": "<i4", "M": "u1", "q": "<i8", "Q": "<u8",
    "a": ("<i2", 32), "g": "<f2",
}


def read_dataflash(path):
    data = read_bytes(path)
    log = Log()
    types, rows = {}, {}
    at = 0
    while at + 3 <= len(data):
        if data[at:at + 2] != b"\xa3\x95":
            at += 1
            continue
        number = data[at + 2]
        if number == 128:
            kind, length = data[at + 3], data[at + 4]
            name = data[at + 5:at + 9].rstrip(b"\0").decode()
            form = data[at + 9:at + 25].rstrip(b"\0").decode()
            labels = data[at + 25:at + 89].rstrip(b"\0").decode().split(",")
            types[kind] = (name, length, np.dtype([(l, DATAFLASH[c]) for l, c in zip(labels, form)]) if form else None)
            at += 89
            continue
        if number not in types:
            at += 1
            continue
        length = types[number][1]
        if at + length > len(data):
            break
        rows.setdefault(number, []).append(data[at + 3:at + length])
        log.order.setdefault((types[number][0], 0), []).append(at)
        at += length
    log.order = {key: np.array(places) for key, places in log.order.items()}
    for number, bodies in rows.items():
        name, _, dtype = types[number]
        log.topics[(name, 0)] = np.frombuffer(b"".join(b[:dtype.itemsize] for b in bodies), dtype)
    return log
