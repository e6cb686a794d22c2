// Asks ClickHouse (chdb, the engine as a library) the questions on standard input, a line each, and prints the answers.
import { readFileSync } from "node:fs";
import { query } from "chdb";

// Columns that only some files have, with null in the others; and days as text, since it takes Hive's name for no day for a wrong one.
const SETTINGS =
  " SETTINGS use_hive_partitioning = 1, schema_inference_mode = 'union', schema_inference_make_columns_nullable = 1," +
  " input_format_try_infer_dates = 0, input_format_try_infer_datetimes = 0";

for (const question of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    console.log(query(question + SETTINGS, "TSVRaw").trim());
  } catch (e) {
    console.error(e.message.replace(/SELECT .*? FROM/s, "SELECT ... FROM"));
    process.exitCode = 1;
  }
}
