// Connects with Foxglove's own client, subscribes to the topics named, and prints what comes until the log has ended.
//   node print.mjs ADDRESS TOPIC...
import protocol from "@foxglove/ws-protocol";
import WebSocket from "ws";

const { FoxgloveClient } = protocol;
const [address, ...topics] = process.argv.slice(2);
const lines = [];
const topicOf = new Map();
const client = new FoxgloveClient({ ws: new WebSocket(address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });

client.on("error", (error) => {
  console.error(String(error));
  process.exit(1);
});
client.on("serverInfo", (info) => lines.push(`I ${info.name} ${info.capabilities} ${info.metadata.log}`));
client.on("advertise", (channels) => {
  for (const channel of channels) {
    const schema = Buffer.from(channel.schema, "base64").toString("hex");
    lines.push(`C ${channel.topic} ${channel.encoding} ${channel.schemaName} ${channel.schemaEncoding} ${schema}`);
  }
  for (const channel of channels.filter((candidate) => topics.includes(candidate.topic))) {
    topicOf.set(client.subscribe(channel.id), channel.topic);
  }
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  lines.push(`M ${topicOf.get(subscriptionId)} ${timestamp} ${bytes.toString("hex")}`);
});
client.on("time", ({ timestamp }) => {
  if (timestamp < 0n) {
    throw new Error("a time before 1970");
  }
});
client.on("status", ({ level, message }) => {
  lines.push(`S ${level} ${message}`);
  if (message === "the log has ended") {
    process.stdout.write(lines.join("\n") + "\n", () => process.exit(0));
  }
});
