// Report: the figures, plots and problems of one log, drawn by report.js, which also draws the single file.
import { html, uPlot, useEffect, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { hashOf, writeHash } from "./route.js";
import { ExportDialog } from "./export.js";
import { render } from "./report.js";

function Choice({ logs, name }) {
  const sorted = [...logs].sort((a, b) => String(b.start_utc || "").localeCompare(String(a.start_utc || "")));
  return html`<label class="field">Log <select value=${name || ""} onChange=${(e) => writeHash("report", { log: e.target.value })}>
    ${!name && html`<option value="">Choose a log</option>`}
    ${name && !logs.some((log) => log.name === name) && html`<option value=${name}>${name}</option>`}
    ${sorted.slice(0, 500).map((log) => html`<option key=${log.name} value=${log.name}>${log.name} · ${format.duration(log.duration_s)}</option>`)}
  </select></label>`;
}

export function Report({ route }) {
  const name = route.parameters.get("log");
  const [logs, setLogs] = useState([]);
  const [state, setState] = useState({});
  const [isExporting, setExporting] = useState(false);
  const element = useRef(null);
  useEffect(() => {
    api.logs().then((found) => {
      setLogs(found);
      if (name) return;
      const newest = found.filter((log) => log.state !== "recording").sort((a, b) => String(b.start_utc || "").localeCompare(String(a.start_utc || "")))[0];
      if (newest) writeHash("report", { log: newest.name }, true);
      else setState({ isEmpty: true });
    }, (e) => setState({ problem: e.message }));
  }, [name]);
  useEffect(() => {
    if (!name) return undefined;
    const controller = new AbortController();
    setState({ loading: true });
    element.current.replaceChildren();
    api.report(name, controller.signal).then((data) => {
      setState({});
      render(element.current, data, uPlot);
    }).catch((e) => e.name !== "AbortError" && setState({ problem: e.message }));
    return () => controller.abort();
  }, [name]);
  return html`<div class="list-head">
      <${Choice} logs=${logs} name=${name} />
      ${name && html`<a class="button" href=${hashOf("plots", { log: name })}>Plots</a>
        <a class="button" href=${api.downloadPath(name)} download=${format.baseName(name)}>Download</a>
        <button onClick=${() => setExporting(true)}>Export</button>`}
    </div>
    ${isExporting && html`<${ExportDialog} logs=${[logs.find((log) => log.name === name) || { name }]} onClose=${() => setExporting(false)} />`}
    ${state.problem && html`<p class="banner bad" role="alert"><b>NO REPORT</b> ${state.problem}</p>`}
    ${state.isEmpty && html`<p class="empty-list muted">${logs.length ? "Each log is still being recorded. Choose one to report what it has so far." : "No logs to report."}</p>`}
    ${state.loading && html`<p class="waiting" role="status">Reading ${name} …</p>`}
    <div ref=${element} class="report-body"></div>`;
}
