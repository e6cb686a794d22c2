// Now: the current state of each vehicle's recording.
import { html, useEffect, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { LiveLog } from "./live.js";
import { hashOf } from "./route.js";
import { levelClass, usePolling } from "./parts.js";
import { STATES, logNameOf, losses, vehiclesOf } from "./vehicle-state.js";

const RATE_WINDOW_MS = 6000;
const LIST_EVERY_MS = 3000;

/** Bytes per second of each recording, from two statuses some seconds apart. */
class Rates {
  constructor() {
    this.seen = new Map();
  }

  add(recordings, nowMs) {
    for (const recording of recordings) {
      const bytes = recording.stored_bytes + (recording.beside || []).reduce((sum, r) => sum + r.stored_bytes, 0);
      const known = (this.seen.get(recording.growing_file) || []).filter((s) => nowMs - s.ms < RATE_WINDOW_MS);
      known.push({ ms: nowMs, bytes });
      this.seen.set(recording.growing_file, known);
    }
  }

  of(recording) {
    const known = recording && this.seen.get(recording.growing_file);
    if (!known || known.length < 2) return NaN;
    const first = known[0];
    const last = known[known.length - 1];
    return ((last.bytes - first.bytes) / (last.ms - first.ms)) * 1000;
  }

  total() {
    let sum = 0;
    for (const file of this.seen.keys()) sum += this.of({ growing_file: file }) || 0;
    return sum;
  }

  forget(files) {
    for (const file of this.seen.keys()) if (!files.has(file)) this.seen.delete(file);
  }
}

function hoursLeft(disk, bytesPerSecond) {
  if (!disk || disk.usable_bytes === null || disk.usable_bytes === undefined) return "not known";
  if (!(bytesPerSecond > 0)) return format.bytes(disk.usable_bytes);
  const hours = disk.usable_bytes / bytesPerSecond / 3600;
  if (hours > 2000) return "more than 80 days";
  return hours < 1 ? Math.floor(hours * 60) + " min" : hours.toFixed(hours < 10 ? 1 : 0) + " h";
}

function Figure({ name, children, tone, wide }) {
  return html`<div class=${"figure" + (wide ? " wide" : "")}><dt>${name}</dt><dd class=${tone || ""}>${children}</dd></div>`;
}

function Loss({ recording }) {
  const lost = losses(recording);
  if (!lost.length) return html`<span class="good">none</span>`;
  return lost.map(([cause, count, what]) => html`<span class="line">
    ${what === "bytes" ? format.bytes(count) : count + " " + what} ${cause}</span>`);
}

function Messages({ messages, logName }) {
  const end = useRef(null);
  const count = messages.length;
  useEffect(() => {
    const list = end.current;
    // New messages are shown unless somebody has scrolled back.
    const isFirst = list && !list.dataset.shown;
    if (list) list.dataset.shown = "1";
    if (list && (isFirst || list.scrollHeight - list.scrollTop - list.clientHeight < 120)) list.scrollTop = list.scrollHeight;
  }, [count]);
  if (!count) return html`<p class="muted">No messages yet.</p>`;
  return html`<ol class="messages" ref=${end} tabindex="0" aria-label="Messages">
    ${messages.map((m) => html`<li key=${m.t_us + m.message} class=${levelClass(m.level)}>
      <span class="level">${m.level}</span>
      <a href=${hashOf("plots", { log: logName, at: (m.t_us / 1e6).toFixed(3) })} title="Show in the plots"
        >${m.utc ? format.utcTime(m.utc) : format.clock(m.t_us / 1e6)}</a>
      <span class="text">${m.message}</span></li>`)}
  </ol>`;
}

function Vehicle({ entry, rates, disk, logs }) {
  const { vehicle, others, recording, state, reason } = entry;
  const [live, setLive] = useState(null);
  const [liveProblem, setLiveProblem] = useState("");
  const name = recording && logNameOf(recording, logs);
  const log = useRef(null);
  usePolling(async (signal) => {
    if (!name) return;
    if (!log.current || log.current.name !== name) log.current = new LiveLog(name);
    try {
      setLive(await log.current.update(signal));
      setLiveProblem("");
    } catch (e) {
      // Old values would look like new ones.
      if (e.name === "AbortError") return;
      setLive(null);
      setLiveProblem(e.message);
    }
  }, 1000, [name]);
  const now = name ? live : null;
  const rate = rates.of(recording);
  const clock = vehicle.clock || {};
  const { word, mark } = STATES[state];
  const battery = now && now.voltage !== null
    ? now.voltage.toFixed(2) + "\u00a0V" + (now.remaining !== null ? " · " + now.remaining.toFixed(0) + "\u00a0%" : "")
    : format.NONE;
  const unforced = recording ? recording.unforced_ms : NaN;
  return html`<article class=${"vehicle state-" + state} aria-labelledby=${"v" + entry.id}>
    <header>
      <h2 id=${"v" + entry.id}>Vehicle ${vehicle.system_id} <span class="muted">${vehicle.autopilot}</span></h2>
      <p class="state"><span aria-hidden="true" class="mark">${mark}</span> ${word}</p>
      <p class="reason">${reason || (state === "recording" ? "for " + format.duration(recording.duration_ms / 1000) : "")}</p>
      <p class="chips">
        <span class=${"chip " + (vehicle.armed ? "armed" : "")}>${vehicle.armed ? "ARMED" : "DISARMED"}</span>
        ${now && now.mode && html`<span class="chip mode">${now.mode}</span>`}
      </p>
    </header>
    <dl class="figures big">
      <${Figure} name="Rate">${recording ? (Number.isFinite(rate) ? (rate / 1000).toFixed(1) + " KB/s" : "…") : format.NONE}<//>
      <${Figure} name="Speed">${now && now.speed !== null ? format.speed(now.speed) : format.NONE}<//>
      <${Figure} name="Battery">${battery}<//>
      <${Figure} name="Disk left">${hoursLeft(disk, rates.total())}<//>
    </dl>
    <dl class="figures">
      <${Figure} name="Loss">${recording ? html`<${Loss} recording=${recording} />` : format.NONE}<//>
      <${Figure} name="Oldest data not on disk" tone=${unforced > 2000 ? "bad" : ""}>
        ${Number.isFinite(unforced) ? unforced + " ms" + (unforced > 2000 ? ", LATE" : "") : format.NONE}<//>
      <${Figure} name="Recorded">${recording ? format.bytes(recording.stored_bytes) : format.NONE}<//>
      <${Figure} name="Last heard">${format.ago(vehicle.heard_ms_ago)} ago<//>
      <${Figure} name="Link">${[vehicle, ...others].map((v) => html`<span class="line">${v.link} ${v.peer}</span>`)}<//>
      <${Figure} name="Clock error">${Number.isFinite(clock.error_bound_ms) && clock.error_bound_ms !== null
        ? "± " + clock.error_bound_ms.toFixed(1) + " ms" : "not known"}${clock.source ? " · " + clock.source : ""}<//>
      <${Figure} name="File" wide=${true}>${recording
        ? name ? html`<a href=${hashOf("plots", { log: name, live: 60 })}>${recording.file}</a>` : recording.file
        : format.NONE}<//>
    </dl>
    ${name && liveProblem && html`<section><p class="problem" role="alert">The log cannot be read: ${liveProblem}</p></section>`}
    ${now && html`<section><h3>Messages</h3><${Messages} messages=${now.messages} logName=${name} /></section>`}
    ${name && html`<p class="actions"><a class="button" href=${hashOf("plots", { log: name, live: 60 })}>Live plots</a></p>`}
  </article>`;
}

function Links({ links }) {
  if (!links || !links.length) return null;
  return html`<section class="panel"><h2>Links</h2><div class="scroll" tabindex="0" role="group" aria-label="Links"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Endpoint</th><th scope="col">State</th><th scope="col">Peers</th></tr></thead>
    <tbody>${links.map((link) => html`<tr key=${link.name}>
      <th scope="row">${link.name}</th><td>${link.type}</td><td>${link.endpoint}</td>
      <td><b>${link.state}</b>${link.detail ? ": " + link.detail : ""}</td><td>${link.peers}</td></tr>`)}</tbody>
  </table></div></section>`;
}

function Disk({ disk, finished }) {
  if (!disk) return null;
  return html`<section class="panel"><h2>Disk</h2><dl class="figures">
    <${Figure} name="State" tone=${disk.state === "ok" ? "good" : "bad"}>${String(disk.state).toUpperCase()}${disk.problem ? ": " + disk.problem : ""}<//>
    <${Figure} name="Usable">${disk.usable_bytes === null ? "not known" : format.bytes(disk.usable_bytes)}<//>
    <${Figure} name="Directory" wide=${true}>${disk.directory}<//>
    ${disk.deleted_files > 0 && html`<${Figure} name="Deleted to make room">${disk.deleted_files} files<//>`}
  </dl>
  ${finished && finished.length > 0 && html`<h3>Finished last</h3><ul class="plain">
    ${finished.slice(0, 5).map((log) => html`<li key=${log.file}><span class="file">${log.file}</span> ${format.bytes(log.bytes)}</li>`)}</ul>`}
  </section>`;
}

/** The uploader's last report; its text has the reason if it waits. */
function Uploads({ uploads }) {
  if (!uploads) return null;
  const files = uploads.backlog_files || 0;
  const since = uploads.not_running_since_utc;
  return html`<section class="panel"><h2>Uploads</h2>
  ${since && html`<p><b class="bad">NOT RUNNING</b> since ${since.replace("T", " ")}. Its last report:</p>`}
  <dl class="figures">
    <${Figure} name="To go" tone=${files || since ? "" : "good"}>${files ? files + (files === 1 ? " file, " : " files, ") + format.bytes(uploads.backlog_bytes) : "ALL UPLOADED"}<//>
    <${Figure} name="Speed">${uploads.bytes_per_s > 0 && !since ? format.bytes(uploads.bytes_per_s) + "/s" : format.NONE}<//>
    ${files > 0 && uploads.waits_for && html`<${Figure} name="Waits" wide=${true}>${uploads.waits_for}<//>`}
  </dl>
  ${(uploads.targets || []).length > 0 && html`<ul class="plain">${uploads.targets.map((target) => html`<li key=${target.name}>
    <b>${target.name}</b> <span class=${target.state === "failing" ? "bad" : ""}>${String(target.state).toUpperCase()}${target.problem ? ": " + target.problem : ""}</span>
    ${target.state === "sending" && target.file && html` <span class="file">${target.file}</span>`}</li>`)}</ul>`}
  </section>`;
}

function Problems({ status }) {
  const problems = [];
  if (status.signing && status.signing.problem) problems.push("Signing: " + status.signing.problem);
  for (const part of status.parts || []) problems.push(part.part + " " + part.state + ": " + part.last_error);
  return problems.map((text) => html`<p class="banner warn" role="alert"><b>PROBLEM</b> ${text}</p>`);
}

export function Now({ page }) {
  const [status, setStatus] = useState(null);
  const [problem, setProblem] = useState("");
  const [logs, setLogs] = useState([]);
  const known = useRef({ logs: [], atMs: -Infinity });
  const rates = useRef(new Rates());
  usePolling(async (signal) => {
    try {
      const found = await api.status(signal);
      const recordings = found.recordings || [];
      rates.current.add(recordings, performance.now());
      rates.current.forget(new Set(recordings.map((r) => r.growing_file)));
      // The list is requested again only for a recording that it lacks.
      const isUnknown = recordings.some((r) => !logNameOf(r, known.current.logs));
      if (isUnknown && performance.now() - known.current.atMs > LIST_EVERY_MS) {
        known.current.atMs = performance.now();
        api.logs(signal).then((list) => {
          known.current.logs = list;
          setLogs(list);
        }, () => {});
      }
      setStatus(found);
      setProblem("");
    } catch (e) {
      if (e.name !== "AbortError") setProblem(e.message);
    }
  }, 1000);

  if (problem && !status) return html`<p class="banner bad" role="alert"><b>NO STATUS</b> ${problem}</p>`;
  if (!status) return html`<p class="waiting">Loading …</p>`;
  if (status.recorder === "not reachable") {
    return html`<h1 class="hidden">Now</h1><div class="empty">
      <p class="state state-not"><span aria-hidden="true" class="mark">✕</span> RECORDER NOT REACHABLE</p>
      <p>${status.reason || "It does not run, or its status page is switched off."}</p>
      <p>The logs can be read without it. ${!page.recorder && "This page was started without a recorder."}</p>
      <p class="actions"><a class="button primary" href="#/logs">Show the logs</a></p></div>`;
  }
  const vehicles = vehiclesOf(status);
  return html`<h1 class="hidden">Now</h1>
    ${problem && html`<p class="banner bad" role="alert"><b>OLD</b> ${problem}. This is the last that is known.</p>`}
    <${Problems} status=${status} />
    ${!vehicles.length && html`<div class="empty"><p class="state state-ready"><span aria-hidden="true" class="mark">○</span> NO VEHICLE HEARD</p>
      <p>The recorder runs and listens on ${(status.links || []).length || "no"} link${(status.links || []).length === 1 ? "" : "s"}.</p></div>`}
    <div class="vehicles">
      ${vehicles.map((entry) => html`<${Vehicle} key=${entry.id} entry=${entry} rates=${rates.current} disk=${status.disk} logs=${logs} />`)}
    </div>
    <div class="beside"><${Links} links=${status.links} /><${Disk} disk=${status.disk} finished=${status.finished} /><${Uploads} uploads=${status.uploads} /></div>
    <p class="muted foot">Recorder ${status.version}, running for ${format.duration(status.uptime_s)}. Page ${page.version}.</p>`;
}
