// Fetch: the logs on vehicles' cards, which the recorder lists and fetches on request.
import { html, useEffect, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { Dialog, announce, usePolling } from "./parts.js";
import { hashOf } from "./route.js";

const BUSY_MS = 1000;
const IDLE_MS = 5000;
const MOST_CHOSEN = 100;

const keyOf = (vehicle) => vehicle.link + " " + vehicle.system_id + " " + vehicle.component_id;
const idsOf = ({ link, system_id, component_id }) => ({ link, system_id, component_id });
const isBusy = (vehicle) => vehicle.state !== "idle";

/** The progress of one fetch: bytes of all logs that have arrived or are expected, and a text. */
function progressOf(vehicle) {
  const items = vehicle.items.filter((item) => item.state !== "incomplete");
  const size = items.reduce((sum, item) => sum + item.size, 0);
  const done = items.reduce((sum, item) => sum + item.done, 0);
  const rate = vehicle.bytes_per_s;
  const at = items.findIndex((item) => item.state === "fetching");
  const percent = size > 0 ? Math.floor((done / size) * 100) : 0;
  const words = size > 0 && done >= size ? "all has arrived, being stored" : [
    (at >= 0 ? "log " + items[at].id + (items.length > 1 ? " (" + (at + 1) + " of " + items.length + ")" : "") + ": " : "")
      + format.bytes(done) + " of " + format.bytes(size),
    percent + " %",
    rate > 0 ? (rate / 1000).toFixed(1) + " KB/s" : "rate not known yet",
    rate > 0 ? format.duration((size - done) / rate) + " left" : null,
  ].filter(Boolean).join(", ");
  return { size, done, percent, words };
}

const nameOf = (vehicle) => vehicle.autopilot + " " + vehicle.system_id;

/** The vehicles and their fetches, polled while the page is allowed to fetch. */
export function useCards(page, isOpen) {
  const mayFetch = page.control && page.recorder && !page.fetch_problem;
  const [cards, setCards] = useState({ vehicles: [], problem: "" });
  const running = useRef(new Set());
  const isAnyBusy = cards.vehicles.some(isBusy);
  const load = async (signal) => {
    if (!mayFetch) return;
    try {
      const { vehicles } = await api.cards(signal);
      for (const vehicle of vehicles) {
        const key = keyOf(vehicle);
        if (running.current.has(key) && !isBusy(vehicle)) announce(endOf(vehicle));
        if (isBusy(vehicle)) running.current.add(key);
        else running.current.delete(key);
      }
      vehicles.sort((a, b) => a.system_id - b.system_id || a.component_id - b.component_id);
      setCards({ vehicles, problem: "" });
    } catch (e) {
      if (e.name !== "AbortError") setCards((old) => ({ vehicles: old.vehicles, problem: e.message }));
    }
  };
  usePolling(load, isOpen || isAnyBusy ? BUSY_MS : IDLE_MS, [mayFetch, isOpen, isAnyBusy]);
  return { ...cards, reload: () => load() };
}

function endOf(vehicle) {
  const complete = vehicle.items.filter((item) => item.state === "complete" || item.state === "storing").length;
  const who = nameOf(vehicle) + ": ";
  if (vehicle.problem) return who + vehicle.problem;
  if (!vehicle.items.length) return who + "the list is read";
  const failed = vehicle.items.length - complete;
  return who + complete + (complete === 1 ? " log" : " logs") + " fetched" + (failed ? ", " + failed + " incomplete" : "");
}

function Progress({ vehicle, onCancel }) {
  const { size, done, percent, words } = progressOf(vehicle);
  return html`<div class="fetch-progress">
    ${vehicle.state === "listing" ? html`<p>Reading the list of logs …</p>`
      : html`<progress max=${size || 1} value=${done} aria-label=${"Fetching from " + nameOf(vehicle)}>${percent} %</progress><p>${words}</p>`}
    <button onClick=${onCancel} aria-label=${"Cancel fetching from " + nameOf(vehicle)}>Cancel</button></div>`;
}

/** The strip above the list of logs while logs are fetched. */
export function FetchStrip({ cards, onOpen, onProblem }) {
  const busy = cards.vehicles.filter(isBusy);
  const cancel = (vehicle) => api.cancelFetch(idsOf(vehicle)).then(cards.reload, (e) => onProblem(e.message));
  return busy.map((vehicle) => html`<div class="fetch-strip" key=${keyOf(vehicle)}>
    <button class="link" onClick=${onOpen}>${nameOf(vehicle)}${vehicle.reason === "flight" ? ", after its flight" : ""}</button>
    <${Progress} vehicle=${vehicle} onCancel=${() => cancel(vehicle)} /></div>`);
}

const HERE = { complete: "here", part: "in part", no: "" };

function Log({ log, item, isChosen, canChoose, onChoose }) {
  const state = item && item.state !== "complete" ? item.state : HERE[log.here];
  const time = log.utc ? format.utc(log.utc) : "time not known";
  return html`<li>
    <label><input type="checkbox" checked=${isChosen} disabled=${!canChoose || log.here === "complete"}
      onChange=${(e) => onChoose(log.id, e.target.checked)} />
      <span class="card-log"><b>${log.id}</b> <span class="card-time">${time}</span>
        <span class="card-size">${format.bytes(log.size)}</span>
        ${state && html`<span class=${"chip" + (state === "incomplete" ? " warn" : "")}>${state.toUpperCase()}</span>`}
        ${log.path && html`<span class="card-path muted">${log.path}</span>`}
        ${item && item.problem && html`<span class="card-path warn">${item.problem}</span>`}</span></label>
    ${log.here === "complete" && html`<a href=${hashOf("plots", { log: log.name })} aria-label=${"Plot log " + log.id}>Plot</a>`}</li>`;
}

function whyNot(vehicle) {
  if (vehicle.armed) return "ARMED: logs are fetched only while the vehicle is disarmed.";
  if (!vehicle.heard) return "SILENT: logs can be fetched when the vehicle is heard again.";
  return "";
}

function Card({ vehicle, onDone }) {
  const [found, setFound] = useState(null);
  const [chosen, setChosen] = useState(new Set());
  const [problem, setProblem] = useState("");
  const [isSent, setIsSent] = useState(false);
  const arrived = vehicle.items.filter((item) => item.state === "complete").length;
  useEffect(() => setChosen(new Set()), [vehicle.list]);
  useEffect(() => {
    if (!vehicle.list) return undefined;
    const controller = new AbortController();
    api.cardLogs(idsOf(vehicle), controller.signal).then(
      (logs) => setFound(logs),
      (e) => e.name !== "AbortError" && setProblem(e.message),
    );
    return () => controller.abort();
  }, [vehicle.list, arrived, vehicle.state]);
  const ask = async (request) => {
    setProblem("");
    setIsSent(true);
    try {
      await request;
    } catch (e) {
      setProblem(e.message);
    }
    await onDone();
    setIsSent(false);
  };
  const choose = (id, on) => setChosen((old) => {
    const next = new Set(old);
    if (on) next.add(id);
    else next.delete(id);
    return next;
  });
  const logs = found && found.list === vehicle.list ? found.logs : [];
  const items = new Map(vehicle.items.map((item) => [item.id, item]));
  const wanted = logs.filter((log) => chosen.has(log.id));
  const bytes = wanted.reduce((sum, log) => sum + log.size, 0);
  const refusal = whyNot(vehicle);
  const busy = isBusy(vehicle);
  return html`<section class="card-vehicle" aria-label=${nameOf(vehicle)}>
    <h3>${nameOf(vehicle)} <span class="muted">link ${vehicle.link}</span></h3>
    ${refusal && html`<p class="banner warn">${refusal}</p>`}
    ${problem && html`<p class="banner bad" role="alert"><b>REFUSED</b> ${problem}</p>`}
    ${busy ? html`<${Progress} vehicle=${vehicle} onCancel=${() => ask(api.cancelFetch(idsOf(vehicle)))} />`
      : vehicle.problem && html`<p class="banner warn"><b>ENDED</b> ${vehicle.problem}</p>`}
    ${found && found.omitted > 0 && html`<p class="muted">The newest ${logs.length} of ${logs.length + found.omitted} logs.</p>`}
    ${vehicle.list > 0 && !busy && !logs.length && found && html`<p class="muted">No logs on the card.</p>`}
    ${logs.length > 0 && html`<ul class="plain card-logs" tabindex="0" aria-label=${"Logs on " + nameOf(vehicle)}>
      ${[...logs].reverse().map((log) => html`<${Log} key=${log.id} log=${log} item=${items.get(log.id)} isChosen=${chosen.has(log.id)}
        canChoose=${!busy && !refusal} onChoose=${choose} />`)}</ul>`}
    <p class="actions">
      <button disabled=${busy || isSent || Boolean(refusal)} onClick=${() => ask(api.listCard(idsOf(vehicle)))}>${vehicle.list ? "Read the list again" : "Read the list of logs"}</button>
      ${logs.length > 0 && html`<button class="primary" disabled=${busy || isSent || Boolean(refusal) || !wanted.length || wanted.length > MOST_CHOSEN}
        onClick=${() => ask(api.startFetch(idsOf(vehicle), vehicle.list, wanted.map((log) => log.id)))}
        >${wanted.length ? "Fetch " + (wanted.length === 1 ? "1 log" : wanted.length + " logs") + ", " + format.bytes(bytes) : "Fetch"}</button>`}
    </p>
    ${wanted.length > MOST_CHOSEN && html`<p class="problem">At most ${MOST_CHOSEN} logs at once.</p>`}
  </section>`;
}

/** The logs on the vehicles' cards, and their fetches. */
export function FetchDialog({ page, cards, onClose }) {
  const refusal = !page.recorder ? "No recorder is configured for this page." : page.fetch_problem;
  return html`<${Dialog} title="Logs on the vehicle" onClose=${onClose} wide=${true}>
    ${refusal && html`<p class="banner warn"><b>NOT SET UP</b> ${refusal}</p>`}
    ${cards.problem && html`<p class="banner bad" role="alert"><b>NO ANSWER</b> ${cards.problem}</p>`}
    ${!refusal && !cards.problem && !cards.vehicles.length && html`<p>No vehicle is heard.</p>`}
    ${cards.vehicles.map((vehicle) => html`<${Card} key=${keyOf(vehicle)} vehicle=${vehicle} onDone=${cards.reload} />`)}
    ${!refusal && html`<p class="muted">Recording continues meanwhile. Fetched logs appear in the list of logs.</p>`}
    <p class="actions"><button onClick=${onClose}>Close</button></p><//>`;
}
