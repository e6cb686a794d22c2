// Prints for each topic of a lake one question in the SQL of an engine: rows, logs, and of each column how many values there are, the
// least and the greatest. Every engine must give the same answers, one line of text for each topic.
//   node questions.mjs duckdb|clickhouse|trino LAKE <SCHEMA
// SCHEMA: lines of topic,column,type as DuckDB names them.
import { readFileSync } from "node:fs";

const [engine, lake] = process.argv.slice(2);

const name = { duckdb: (c) => `"${c}"`, clickhouse: (c) => "`" + c + "`", trino: (c) => `"${c}"` }[engine];
const isNan = { duckdb: "isnan", clickhouse: "isNaN", trino: "is_nan" }[engine];
const text = {
  duckdb: (x) => `coalesce(CAST(${x} AS VARCHAR), '-')`,
  clickhouse: (x) => `coalesce(toString(${x}), '-')`,
  trino: (x) => `coalesce(CAST(${x} AS varchar), '-')`,
}[engine];
// Engines print float with different numbers of digits.
const double = (x) => (engine === "clickhouse" ? `toFloat64(${x})` : `CAST(${x} AS double)`);
const microseconds = {
  duckdb: (x) => `epoch_us(${x})`,
  clickhouse: (x) => `toUnixTimestamp64Micro(${x})`,
  trino: (x) => `CAST(round(to_unixtime(with_timezone(${x}, 'UTC')) * 1000000) AS bigint)`,
}[engine];
const from = {
  duckdb: (topic) => `"topic_${topic}"`,
  clickhouse: (topic) => `file('${lake}/topics/${topic}/**/*.parquet', Parquet)`,
  trino: (topic) => `hive.lake."${topic}"`,
}[engine];

function figures(column, type) {
  const isPlace = engine === "clickhouse" && (column === "vehicle" || column === "date");
  const c = isPlace ? `nullIf(${name(column)}, '__HIVE_DEFAULT_PARTITION__')` : name(column);
  if (/CHAR|BLOB/.test(type)) return [`count(${c})`, `count(DISTINCT ${c})`];
  if (type === "BOOLEAN") return [`count(${c})`, `sum(CASE WHEN ${c} THEN 1 ELSE 0 END)`];
  if (type === "DATE") return [`count(${c})`, `count(DISTINCT ${c})`];
  if (type.startsWith("TIMESTAMP")) return [`count(${c})`, microseconds(`min(${c})`), microseconds(`max(${c})`)];
  if (type === "FLOAT" || type === "DOUBLE") {
    const number = `CASE WHEN ${isNan}(${c}) THEN NULL ELSE ${c} END`;
    return [`count(${c})`, double(`min(${number})`), double(`max(${number})`)];
  }
  // Trino reads the bits of UINT_32 as a signed number.
  const number = engine === "trino" && type === "UINTEGER" ? `bitwise_and(${c}, 4294967295)` : c;
  return [`count(${c})`, `min(${number})`, `max(${number})`];
}

const topics = new Map();
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [topic, column, type] = line.split(",");
  if (!topics.has(topic)) topics.set(topic, []);
  topics.get(topic).push(...figures(column, type));
}
// Trino takes at most 127 arguments.
function joined(texts) {
  const parts = [];
  for (let i = 0; i < texts.length; i += 100) parts.push(`concat_ws(';', ${texts.slice(i, i + 100).join(", ")})`);
  return parts.length === 1 ? parts[0] : joined(parts);
}

for (const [topic, asked] of [...topics].sort()) {
  console.log(`SELECT ${joined([`'${topic}'`, ...["count(*)", ...asked].map(text)])} FROM ${from(topic)}`);
}
