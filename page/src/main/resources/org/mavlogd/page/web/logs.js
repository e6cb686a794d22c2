// Logs: the list, of which only the visible rows are in the document.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { Dialog, Thumbnail, announce, usePolling } from "./parts.js";
import { ExportDialog } from "./export.js";
import { FetchDialog, FetchStrip, useCards } from "./fetch.js";
import { hashOf } from "./route.js";

const WIDE_ROW_PX = 60;
const PHONE_ROW_PX = 228;
const PHONE = "(max-width: 820px)";
const BEYOND_ROWS = 6;
const RELOAD_MS = 5000;
const MOST_MODES = 4;
const UPLOADS = { uploaded: "UPLOADED", uploading: "UPLOADING", waiting: "NOT UPLOADED", failed: "UPLOAD FAILED" };

/** Title, key to sort by, and whether the largest comes first. */
const COLUMNS = [
  ["Start", (log) => (log.state === "recording" ? "~" : "") + (log.start_utc || ""), true],
  ["Name", (log) => log.name.toLowerCase(), false],
  ["Vehicle", (log) => (log.vehicle || "").toLowerCase(), false],
  ["Duration", (log) => log.duration_s ?? -1, true],
  ["Distance", (log) => log.distance_m ?? -1, true],
  ["Max. speed", (log) => log.max_speed_m_s ?? -1, true],
  ["Size", (log) => log.size ?? -1, true],
  ["Lost", (log) => log.lost_ms ?? -1, true],
];

function textOf(log) {
  return [log.name, log.vehicle, log.state, log.kind, log.remark, log.damage, ...(log.modes || []),
    log.kept ? "kept" : "", (UPLOADS[log.upload] || "").toLowerCase(), log.crash ? "crash" : "", format.utc(log.start_utc)].filter(Boolean).join(" ").toLowerCase();
}

function useMedia(query) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => setMatches(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}

/** The visible rows of a list: [first, last, ref of the scrolling element]. */
function useVisibleRows(count, rowPx) {
  const scroller = useRef(null);
  const [range, setRange] = useState([0, 30]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowPx) - BEYOND_ROWS);
      const last = Math.min(count, Math.ceil((element.scrollTop + element.clientHeight) / rowPx) + BEYOND_ROWS);
      setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [count, rowPx]);
  return [Math.min(range[0], count), Math.min(range[1], count), scroller];
}

function Marks({ log }) {
  return html`<span class="marks">
    ${log.state === "recording" && html`<span class="chip recording">RECORDING</span>`}
    ${log.state === "unfinished" && html`<span class="chip warn">UNFINISHED</span>`}
    ${log.crash && html`<span class="chip bad">CRASH</span>`}
    ${log.damage && html`<span class="chip bad" title=${log.damage}>DAMAGED</span>`}
    ${UPLOADS[log.upload] && html`<span class=${"chip" + (log.upload === "failed" ? " bad" : "")}>${UPLOADS[log.upload]}</span>`}
    ${log.kept && html`<span class="chip kept">KEPT</span>`}</span>`;
}

function modesText(log) {
  const modes = log.modes || [];
  return modes.slice(0, MOST_MODES).join(", ") + (modes.length > MOST_MODES ? " …" : "");
}

function Row({ log, isSelected, onSelect, onRemark, onExport, control, index }) {
  const day = log.start_utc ? format.utcDay(log.start_utc) : "not known";
  return html`<tr class=${isSelected ? "selected" : ""} aria-rowindex=${index + 2}>
    <td class="c-select"><label><span class="hidden">Select ${log.name}</span>
      <input type="checkbox" checked=${isSelected} onChange=${(e) => onSelect(log.name, e.target.checked)} /></label></td>
    <td class="c-track"><${Thumbnail} track=${log.track} label=${"Track of " + log.name} /></td>
    <td class="c-start"><span class="line">${log.state === "recording" && !log.start_utc ? "now" : day}</span><span class="line muted">${log.start_utc ? format.utcTime(log.start_utc) : ""}</span></td>
    <td class="c-name"><a class="line name" href=${hashOf("plots", { log: log.name, live: log.state === "recording" ? 60 : null })} title=${log.name}>${log.name}</a>
      <span class="line"><span class="phone-start">${log.start_utc ? format.utc(log.start_utc) : ""}</span><${Marks} log=${log} />${log.remark && html`<span class="remark" title=${log.remark}>${log.remark}</span>`}</span></td>
    <td class="c-vehicle"><span class="line">${log.vehicle || format.NONE}</span><span class="line muted" title=${(log.modes || []).join(", ")}>${modesText(log)}</span></td>
    <td class="c-duration n" data-name="Duration">${format.duration(log.duration_s)}</td>
    <td class="c-distance n" data-name="Distance">${format.distance(log.distance_m)}</td>
    <td class="c-speed n" data-name="Max. speed">${format.speed(log.max_speed_m_s)}</td>
    <td class="c-size n" data-name="Size">${format.bytes(log.size)}</td>
    <td class=${"c-lost n" + (log.lost_ms > 0 ? " warn" : "")} data-name="Lost">${Number.isFinite(log.lost_ms) ? (log.lost_ms ? format.duration(log.lost_ms / 1000) : "none") : format.NONE}</td>
    <td class="c-actions"><a href=${hashOf("report", { log: log.name })} aria-label=${"Report of " + log.name}>Report</a>
      <a href=${api.downloadPath(log.name)} download=${format.baseName(log.name)} aria-label=${"Download " + log.name}>Download</a>
      <button class="link" onClick=${() => onExport([log])} aria-label=${"Export " + log.name}>Export</button>
      ${control && html`<button class="link" onClick=${() => onRemark(log)} aria-label=${"Remark on " + log.name}>Remark</button>`}</td>
  </tr>`;
}

function DeleteDialog({ logs, onDelete, onClose }) {
  const bytes = logs.reduce((sum, log) => sum + (log.size || 0), 0);
  const kept = logs.filter((log) => log.kept).length;
  return html`<${Dialog} title=${"Delete " + (logs.length === 1 ? "this log" : logs.length + " logs") + "?"} onClose=${onClose}>
    <ul class="plain names">${logs.slice(0, 8).map((log) => html`<li key=${log.name}>${log.name}</li>`)}
      ${logs.length > 8 && html`<li class="muted">and ${logs.length - 8} more</li>`}</ul>
    <p>${format.bytes(bytes)} become free. This cannot be undone.${kept > 0 && html` <b>${kept} of them ${kept === 1 ? "is" : "are"} marked as kept.</b>`}</p>
    <p class="actions"><button onClick=${onClose} autofocus>Cancel</button>
      <button class="danger" onClick=${onDelete}>Delete</button></p><//>`;
}

function RemarkDialog({ log, onSave, onClose }) {
  const [text, setText] = useState(log.remark || "");
  const [problem, setProblem] = useState("");
  // The text is kept until it is saved.
  const save = async (event) => {
    event.preventDefault();
    try {
      await onSave(text);
    } catch (e) {
      setProblem(e.message);
    }
  };
  return html`<${Dialog} title="Remark" onClose=${onClose}>
    <form onSubmit=${save}>
      <label for="remark">Remark on ${log.name}</label>
      <textarea id="remark" rows="3" maxlength="1000" autofocus value=${text} onInput=${(e) => setText(e.target.value)}></textarea>
      ${problem && html`<p class="banner bad" role="alert"><b>NOT SAVED</b> ${problem}</p>`}
      <p class="actions"><button type="button" onClick=${onClose}>Cancel</button><button class="primary">Save</button></p>
    </form><//>`;
}

/** Starts one download after another by clicking links. */
function download(logs) {
  logs.forEach((log, i) => {
    setTimeout(() => {
      const link = document.createElement("a");
      link.href = api.downloadPath(log.name);
      link.download = format.baseName(log.name);
      document.body.append(link);
      link.click();
      link.remove();
    }, i * 300);
  });
}

/** Applies an action to each of some logs; returns the failures as a text, which stays visible. */
async function forEach(logs, action, done) {
  const failed = [];
  for (const log of logs) {
    try {
      await action(log);
    } catch (e) {
      failed.push(log.name + ": " + e.message);
    }
  }
  if (!failed.length) announce(done);
  return failed.slice(0, 3).join("; ") + (failed.length > 3 ? "; and " + (failed.length - 3) + " more" : "");
}

export function Logs({ page }) {
  const [logs, setLogs] = useState(null);
  const [uploads, setUploads] = useState("");
  const [unread, setUnread] = useState("");
  const [problem, setProblem] = useState("");
  const [text, setText] = useState("");
  const [sort, setSort] = useState({ column: 0, descending: true });
  const [selected, setSelected] = useState(new Set());
  const [deleting, setDeleting] = useState(null);
  const [remarking, setRemarking] = useState(null);
  const [exporting, setExporting] = useState(null);
  const [fetching, setFetching] = useState(false);
  const [refusal, setRefusal] = useState("");
  const cards = useCards(page, fetching);
  const isPhone = useMedia(PHONE);
  const rowPx = isPhone ? PHONE_ROW_PX : WIDE_ROW_PX;
  const last = useRef("");

  const load = async (signal) => {
    try {
      const { logs: found, uploads: line, unread: folders } = await api.logList(signal);
      setUploads(line);
      setUnread(folders);
      const seen = JSON.stringify(found);
      if (seen !== last.current) {
        last.current = seen;
        setLogs(found);
      }
      setProblem("");
    } catch (e) {
      if (e.name !== "AbortError") setProblem(e.message);
    }
  };
  usePolling(load, RELOAD_MS);

  const texts = useMemo(() => new Map((logs || []).map((log) => [log, textOf(log)])), [logs]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (logs || []).filter((log) => words.every((word) => texts.get(log).includes(word)));
    const key = COLUMNS[sort.column][1];
    const sign = sort.descending ? -1 : 1;
    return found.map((log) => [key(log), log])
      .sort(([a, x], [b, y]) => (a < b ? -sign : a > b ? sign : x.name < y.name ? -1 : 1))
      .map(([, log]) => log);
  }, [logs, text, sort, texts]);
  const [first, end, scroller] = useVisibleRows(shown.length, rowPx);

  const chosen = shown.filter((log) => selected.has(log.name));
  const select = (name, on) => setSelected((old) => {
    const next = new Set(old);
    if (on) next.add(name);
    else next.delete(name);
    return next;
  });
  const selectAll = (on) => setSelected(new Set(on ? shown.map((log) => log.name) : []));
  const sortBy = (column) => setSort((old) => ({ column, descending: old.column === column ? !old.descending : COLUMNS[column][2] }));
  const keep = async (on) => {
    setRefusal(await forEach(chosen, (log) => api.keep(log.name, on), chosen.length + (on ? " kept" : " no longer kept")));
    await load();
  };
  const remove = async () => {
    const logsToDelete = deleting;
    setDeleting(null);
    setRefusal(await forEach(logsToDelete, (log) => api.remove(log.name), logsToDelete.length === 1 ? "1 log deleted" : logsToDelete.length + " logs deleted"));
    setSelected(new Set());
    await load();
  };
  const saveRemark = async (words) => {
    await api.remark(remarking.name, words);
    announce("Remark saved");
    setRemarking(null);
    await load();
  };
  const total = shown.reduce((sum, log) => sum + (log.size || 0), 0);

  return html`<h1 class="hidden">Logs</h1>
    <div class="list-head">
      <label for="find" class="hidden">Search logs</label>
      <input id="find" type="search" placeholder="Search name, vehicle, mode, remark, date" value=${text} onInput=${(e) => setText(e.target.value)} />
      <label class="field sort-choice">Sort <select value=${sort.column} onChange=${(e) => sortBy(Number(e.target.value))}>
        ${COLUMNS.map(([name], i) => html`<option key=${name} value=${i}>${name}</option>`)}</select></label>
      ${page.control && page.recorder && html`<button onClick=${() => setFetching(true)}>On the vehicle</button>`}
      <span class="muted total" role="status">${logs ? shown.length + (shown.length === 1 ? " log, " : " logs, ") + format.bytes(total) : ""}</span>
    </div>
    ${chosen.length > 0 && html`<div class="selection" role="toolbar" aria-label="Selected logs">
      <b>${chosen.length} selected</b>
      <button onClick=${() => download(chosen)}>Download</button>
      <button onClick=${() => setExporting(chosen)}>Export</button>
      <a class="button" href=${hashOf("plots", { log: chosen.slice(0, 6).map((log) => log.name) })}>${chosen.length === 1 ? "Plot" : "Compare"}</a>
      ${page.control && html`<button onClick=${() => keep(!chosen.every((log) => log.kept))}>${chosen.every((log) => log.kept) ? "Do not keep" : "Keep"}</button>
      <button class="danger" onClick=${() => setDeleting(chosen)}>Delete</button>`}
      <button class="quiet" onClick=${() => selectAll(false)}>Clear</button></div>`}
    <${FetchStrip} cards=${cards} onOpen=${() => setFetching(true)} onProblem=${setRefusal} />
    ${refusal && html`<p class="banner bad refusal" role="alert"><span><b>NOT DONE</b> ${refusal}</span>
      <button class="quiet" onClick=${() => setRefusal("")}>Dismiss</button></p>`}
    ${uploads && html`<p class="muted">${uploads}</p>`}
    ${problem && html`<p class="banner bad" role="alert"><b>NOT READ</b> ${problem}</p>`}
    <div class="logs-scroll" ref=${scroller} tabindex="0" role="group" aria-label="List of logs">
      <table class="logs" aria-rowcount=${shown.length + 1}>
        <thead><tr>
          <th scope="col" class="c-select"><label><span class="hidden">Select all</span><input type="checkbox" checked=${chosen.length > 0 && chosen.length === shown.length}
            onChange=${(e) => selectAll(e.target.checked)} /></label></th>
          <th scope="col" class="c-track"><span class="hidden">Track</span></th>
          ${COLUMNS.map(([name], i) => html`<th key=${name} scope="col" class=${i > 2 ? "n" : ""}
            aria-sort=${sort.column === i ? (sort.descending ? "descending" : "ascending") : "none"}>
            <button class="sort" onClick=${() => sortBy(i)}>${name}<span aria-hidden="true" class="arrow">${sort.column === i ? (sort.descending ? "↓" : "↑") : ""}</span></button></th>`)}
          <th scope="col"><span class="hidden">Actions</span></th></tr></thead>
        <tbody>
          ${first > 0 && html`<tr class="spacer" aria-hidden="true"><td colspan="11" style=${{ height: first * rowPx + "px" }}></td></tr>`}
          ${shown.slice(first, end).map((log, i) => html`<${Row} key=${log.name} log=${log} index=${first + i} isSelected=${selected.has(log.name)}
            onSelect=${select} onRemark=${setRemarking} onExport=${setExporting} control=${page.control} />`)}
          ${end < shown.length && html`<tr class="spacer" aria-hidden="true"><td colspan="11" style=${{ height: (shown.length - end) * rowPx + "px" }}></td></tr>`}
        </tbody>
      </table>
      ${logs && !shown.length && html`<p class="empty-list muted">${logs.length ? "No log has these words." : unread || "No logs in " + (page.directories || []).join(", ") + "."}</p>`}
      ${!logs && !problem && html`<p class="waiting">Loading …</p>`}
    </div>
    ${fetching && html`<${FetchDialog} page=${page} cards=${cards} onClose=${() => setFetching(false)} />`}
    ${exporting && html`<${ExportDialog} logs=${exporting} onClose=${() => setExporting(null)} />`}
    ${deleting && html`<${DeleteDialog} logs=${deleting} onDelete=${remove} onClose=${() => setDeleting(null)} />`}
    ${remarking && html`<${RemarkDialog} log=${remarking} onSave=${saveRemark} onClose=${() => setRemarking(null)} />`}`;
}
