// A person at the page, for scripts/test-packages --stranger: a real browser shows every view and downloads the newest log.
//   node page/src/test/node/stranger.mjs ADDRESS DOWNLOADS PICTURES
// PICTURES is what the names of pictures begin with. Prints what was seen; ends with 1 and the reason if something was not.
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";

const [address, downloads, pictures] = process.argv.slice(2);
const PATIENCE_MS = 60_000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, condition) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error("not so within a minute: " + what);
    await pause(100);
  }
}

const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
let printed = "";
driver.stdout.on("data", (data) => (printed += data));

async function browse() {
  const port = await until("chromedriver listens", () => (printed.match(/successfully on port (\d+)/) || [])[1]);
  const command = async (method, path, body) => {
    const answer = await fetch("http://127.0.0.1:" + port + path, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(value.message);
    return value;
  };
  const { sessionId } = await command("POST", "/session", { capabilities: { alwaysMatch: {
    "goog:chromeOptions": {
      args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"],
      prefs: { "download.default_directory": downloads, "download.prompt_for_download": false },
    },
  } } });
  const session = "/session/" + sessionId;
  const js = (script) => command("POST", session + "/execute/sync", { script, args: [] });
  const open = (view) => command("POST", session + "/url", { url: address + view });
  const picture = async (name) =>
    writeFileSync(pictures + "-" + name + ".png", Buffer.from(await command("GET", session + "/screenshot"), "base64"));
  try {
    await open("#/now");
    const now = await until("the view Now names the vehicle", () => js("return /PX4/.test(document.body.innerText) && document.title"));
    await picture("now");
    await open("#/logs");
    const log = await until("a log is listed", () => js("const row = document.querySelector('.logs tbody input[type=checkbox]');"
      + "if (row && !row.checked) row.click(); return row && document.querySelector('.selection') && document.querySelector('.logs tbody').innerText"));
    await picture("logs");
    await js("[...document.querySelectorAll('.selection button')].find((b) => b.textContent === 'Download').click()");
    const file = await until("the log is downloaded", () => readdirSync(downloads).find((name) => name.endsWith(".ulg")));
    console.log(now + "; listed: " + log.split(/\s+/).slice(0, 4).join(" "));
    console.log("downloaded " + file);
  } finally {
    await command("DELETE", session).catch(() => {});
  }
}

try {
  await browse();
} catch (e) {
  console.error("stranger: " + e.message);
  process.exitCode = 1;
} finally {
  driver.kill();
}
