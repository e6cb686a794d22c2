// Logs in other formats, made by the server and saved by the browser.
import { html, useEffect, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { Dialog } from "./parts.js";

const FORMATS = [
  ["csv", "CSV", "a table of each topic, in a ZIP file"],
  ["mcap", "MCAP", "for Foxglove and ROS 2"],
  ["gpx", "GPX", "the track, for maps"],
];
// Larger exports are not held in the page's memory: the browser saves them itself, with less precise errors.
const MOST_HELD_BYTES = 100e6;

function click(href, name) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

function nameOf(response, otherwise) {
  const found = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") || "");
  return found ? decodeURIComponent(found[1]) : otherwise;
}

/** Saves an export of a log; the promise resolves when it is complete, or has been passed to the browser. */
export async function save(log, kind, choice, signal) {
  if (!(log.size < MOST_HELD_BYTES)) {
    click(api.exportPath(log.name, kind, choice), "");
    return;
  }
  const response = await api.exported(log.name, kind, choice, signal);
  const place = URL.createObjectURL(await response.blob());
  click(place, nameOf(response, format.baseName(log.name) + "." + kind));
  setTimeout(() => URL.revokeObjectURL(place), 60000);
}

/** Asks for the format and saves one log after another; closing it cancels. */
export function ExportDialog({ logs, onClose }) {
  const [state, setState] = useState({});
  const controller = useRef(null);
  useEffect(() => () => controller.current && controller.current.abort(), []);
  const start = async (kind) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    const failed = [];
    for (let i = 0; i < logs.length; i++) {
      setState({ at: i, failed });
      try {
        await save(logs[i], kind, {}, signal);
      } catch (e) {
        if (signal.aborted) return;
        failed.push(logs[i].name + ": " + e.message);
      }
    }
    if (failed.length) setState({ failed });
    else onClose();
  };
  const isBusy = state.at !== undefined;
  return html`<${Dialog} title=${logs.length === 1 ? "Export " + logs[0].name : "Export " + logs.length + " logs"} onClose=${onClose}>
    <ul class="plain exports">${FORMATS.map(([kind, name, text]) => html`<li key=${kind}>
      <button disabled=${isBusy} onClick=${() => start(kind)}>${name}</button> <span class="muted">${text}</span></li>`)}</ul>
    <p role="status">${isBusy ? "Making " + (logs.length > 1 ? state.at + 1 + " of " + logs.length + ": " : "") + logs[state.at].name + " …" : ""}</p>
    ${(state.failed || []).length > 0 && html`<p class="banner bad" role="alert"><b>NOT MADE</b> ${state.failed.slice(0, 3).join("; ")}</p>`}
    <p class="actions"><button onClick=${onClose}>${isBusy ? "Cancel" : "Close"}</button></p><//>`;
}

/** The topics of some fields in the form of the server: TOPIC:INSTANCE. */
export function topicsOf(topics, fields) {
  const words = new Set();
  for (const topic of topics) {
    const starts = [topic.name + "." + topic.instance + "."].concat(topic.instance ? [] : [topic.name + "."]);
    const names = new Set(topic.fields.flatMap((field) => starts.map((start) => start + field.name)));
    if (fields.some((field) => names.has(field))) words.add(topic.name + ":" + topic.instance);
  }
  return [...words];
}
