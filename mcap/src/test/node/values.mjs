// Prints what @mcap/core and protobufjs read of an exported log, in the order of the file, one message a line:
//   <topic> <log time> <path>=<value> ...     whole numbers of 64 bits in decimal, texts as JSON, NaN, other numbers as
//                                             the bits of a double
// then the metadata: N <name> <key>=<text as JSON> ...
import fs from "node:fs";
import { McapStreamReader } from "@mcap/core";
import * as fzstd from "fzstd";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

const decompressHandlers = { zstd: (data, size) => fzstd.decompress(data, new Uint8Array(Number(size))) };
const bits = new DataView(new ArrayBuffer(8));
const lines = [];
const types = new Map();
const channels = new Map();

function text(type, value) {
  if (type === "int64" || type === "uint64") {
    return String(value);
  }
  if (typeof value === "string") {
    return JSON.stringify(value);
  }
  if (Number.isNaN(value)) {
    return "NaN";
  }
  bits.setFloat64(0, Number(value));
  return bits.getBigUint64(0).toString(16);
}

function flatten(path, type, message, out) {
  for (const field of type.fieldsArray) {
    const values = field.repeated ? message[field.name] : [message[field.name]];
    values.forEach((value, i) => {
      const name = `${path}${field.name}${field.repeated ? `[${i}]` : ""}`;
      if (field.resolve().resolvedType instanceof protobuf.Type) {
        flatten(`${name}.`, field.resolvedType, value, out);
      } else {
        out.push(`${name}=${text(field.type, value)}`);
      }
    });
  }
}

const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers });
stream.append(new Uint8Array(fs.readFileSync(process.argv[2])));
const metadata = [];
for (let record = stream.nextRecord(); record; record = stream.nextRecord()) {
  if (record.type === "Schema" && record.encoding === "protobuf" && !types.has(record.id)) {
    const root = protobuf.Root.fromDescriptor(descriptor.FileDescriptorSet.decode(record.data));
    types.set(record.id, root.lookupType(record.name));
  } else if (record.type === "Channel") {
    channels.set(record.id, { ...record, next: channels.get(record.id)?.next ?? 0 });
  } else if (record.type === "Message") {
    const channel = channels.get(record.channelId);
    if (record.sequence !== channel.next++) {
      throw new Error(`sequence ${record.sequence} of ${channel.topic}`);
    }
    const type = types.get(channel.schemaId);
    const out = [];
    const message = type.toObject(type.decode(record.data), { defaults: true, arrays: true, longs: String });
    flatten("", type, message, out);
    lines.push(`${channel.topic} ${record.logTime} ${out.join(" ")}`);
  } else if (record.type === "Metadata") {
    metadata.push(
      `N ${record.name} ${[...record.metadata].map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(" ")}`,
    );
  }
}
if (!stream.done()) {
  throw new Error("the file is not complete");
}
process.stdout.write([...lines, ...metadata].join("\n") + "\n");
