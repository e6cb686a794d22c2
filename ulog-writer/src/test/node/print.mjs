// Prints every sample and text of a log, one a line, as @foxglove/ulog reads it:
//   D <message id> <path>=<value> ...     whole numbers beyond 32 bits in decimal, other numbers as the bits of a double
//   L <level> <time> <text>
import ulog from "@foxglove/ulog";
import files from "@foxglove/ulog/node.js";

const { MessageType, ULog } = ulog;
const { FileReader } = files;

const bits = new DataView(new ArrayBuffer(8));

function text(value) {
  switch (typeof value) {
    case "number":
      bits.setFloat64(0, value);
      return bits.getBigUint64(0).toString(16);
    case "string":
      return JSON.stringify(value.replace(/\0+$/, ""));
    default:
      return String(value);
  }
}

function flatten(path, value, out) {
  if (Array.isArray(value)) {
    value.forEach((element, i) => flatten(`${path}[${i}]`, element, out));
  } else if (typeof value === "object") {
    for (const [key, element] of Object.entries(value)) {
      if (!key.startsWith("_padding")) {
        flatten(path === "" ? key : `${path}.${key}`, element, out);
      }
    }
  } else {
    out.push(`${path}=${text(value)}`);
  }
}

const log = new ULog(new FileReader(process.argv[2]));
await log.open();
const lines = [];
for await (const message of log.readMessages()) {
  if (message.type === MessageType.Data) {
    const out = [];
    flatten("", message.value, out);
    lines.push(`D ${message.msgId} ${out.join(" ")}`);
  } else if (message.type === MessageType.Log) {
    lines.push(`L ${message.logLevel} ${message.timestamp} ${message.message}`);
  }
}
process.stdout.write(lines.join("\n") + "\n");
