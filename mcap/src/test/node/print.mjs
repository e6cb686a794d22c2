// Prints what @mcap/core reads of a file, one record a line, first as a stream, then by the index, checksums checked:
//   S <id> <name> <encoding> <data in hexadecimal>
//   C <id> <schema> <topic> <encoding> <metadata>
//   M <channel> <sequence> <log time> <publish time> <data in hexadecimal>
//   A <log time> <create time> <name> <media type> <data in hexadecimal>
//   N <name> <metadata>
//   T <messages> <schemas> <channels> <attachments> <metadata> <chunks> <start time> <end time>
// with names as JSON. A line "indexed" stands between both.
import fs from "node:fs";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import * as fzstd from "fzstd";

const decompressHandlers = { zstd: (data, size) => fzstd.decompress(data, new Uint8Array(Number(size))) };
const file = new Uint8Array(fs.readFileSync(process.argv[2]));
const lines = [];
const hex = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex");
const text = (value) => JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value);

function print(record) {
  switch (record.type) {
    case "Schema":
      lines.push(`S ${record.id} ${text(record.name)} ${text(record.encoding)} ${hex(record.data)}`);
      break;
    case "Channel":
      lines.push(
        `C ${record.id} ${record.schemaId} ${text(record.topic)} ${text(record.messageEncoding)} ${text(record.metadata)}`,
      );
      break;
    case "Message":
      lines.push(
        `M ${record.channelId} ${record.sequence} ${record.logTime} ${record.publishTime} ${hex(record.data)}`,
      );
      break;
    case "Attachment":
      lines.push(
        `A ${record.logTime} ${record.createTime} ${text(record.name)} ${text(record.mediaType)} ${hex(record.data)}`,
      );
      break;
    case "Metadata":
      lines.push(`N ${text(record.name)} ${text(record.metadata)}`);
      break;
    case "Statistics":
      lines.push(
        `T ${record.messageCount} ${record.schemaCount} ${record.channelCount} ${record.attachmentCount}` +
          ` ${record.metadataCount} ${record.chunkCount} ${record.messageStartTime} ${record.messageEndTime}`,
      );
      break;
  }
}

const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers });
stream.append(file);
for (let record = stream.nextRecord(); record; record = stream.nextRecord()) {
  print(record);
}
if (!stream.done()) {
  throw new Error("the file is not complete");
}

lines.push("indexed");
const readable = {
  size: async () => BigInt(file.length),
  read: async (offset, size) => file.slice(Number(offset), Number(offset + size)),
};
const indexed = await McapIndexedReader.Initialize({ readable, decompressHandlers });
for (const schema of indexed.schemasById.values()) {
  print(schema);
}
for (const channel of indexed.channelsById.values()) {
  print(channel);
}
for await (const message of indexed.readMessages({ validateCrcs: true })) {
  print(message);
}
for await (const attachment of indexed.readAttachments({ validateCrcs: true })) {
  print(attachment);
}
for await (const metadata of indexed.readMetadata()) {
  print(metadata);
}
print(indexed.statistics);
process.stdout.write(lines.join("\n") + "\n");
