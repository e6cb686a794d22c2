// Plots: fields of one or several logs over time, recorded or live.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./lib.js";
import * as api from "./api.js";
import * as format from "./format.js";
import { FieldPicker } from "./field-picker.js";
import { PlotGroup } from "./plot-group.js";
import { PlotLog } from "./plot-source.js";
import { Statistics } from "./statistics.js";
import { StripPlot, valueAt } from "./strip-plot.js";
import { TrackPlot } from "./track-plot.js";
import { Dialog, announce, levelClass, usePolling } from "./parts.js";
import { presets } from "./known-fields.js";
import { save, topicsOf } from "./export.js";
import { writeHash } from "./route.js";

const MOST_STRIPS = 8;
const FIRST_STRIPS = 3;
const LIVE_EVERY_MS = 500;
const STALE_MS = 3000;
const EVENTS_EVERY_MS = 2000;
const URL_AFTER_MS = 250;
const WINDOWS = [[10, "10 s"], [30, "30 s"], [60, "1 min"], [300, "5 min"], [1800, "30 min"]];

/** The settings of this view in the address. */
function settingsOf(parameters) {
  const number = (name) => (parameters.has(name) && Number.isFinite(Number(parameters.get(name))) ? Number(parameters.get(name)) : null);
  return {
    logs: parameters.getAll("log"),
    strips: parameters.getAll("s").slice(0, MOST_STRIPS).map((text) => text.split(" ").filter(Boolean)),
    from: number("from"),
    to: number("to"),
    at: number("at"),
    live: number("live"),
    byUtc: parameters.get("axis") === "utc",
    track: parameters.get("track") !== "0",
    stats: parameters.get("stats") === "1",
  };
}

function write(settings, replace = false) {
  writeHash("plots", {
    log: settings.logs,
    s: settings.strips.map((fields) => fields.join(" ")).filter(Boolean),
    from: settings.live || settings.from === null ? null : String(Number(settings.from.toFixed(6))),
    to: settings.live || settings.to === null ? null : String(Number(settings.to.toFixed(6))),
    live: settings.live,
    axis: settings.byUtc ? "utc" : null,
    track: settings.track ? null : "0",
    stats: settings.stats ? "1" : null,
  }, replace);
}

function valueText(found) {
  if (!found) return format.NONE;
  return found.min === found.max ? format.value(found.max) : format.value(found.min) + " … " + format.value(found.max);
}

/** One strip with its legend; the values follow the cursor without rendering the page again. */
function Strip({ index, fields, logs, group, byUtc, height, isLast, isFirst, onMove, onEdit, onRemove }) {
  const element = useRef(null);
  const plot = useRef(null);
  const values = useRef([]);
  const [problem, setProblem] = useState("");
  const curves = useMemo(
    () => fields.flatMap((field) => logs.map((log) => ({ field, log, label: field, unit: log.unit(field) }))),
    [fields.join(" "), logs],
  );
  const readings = () => {
    curves.forEach((curve, i) => {
      const target = values.current[i];
      if (target) target.textContent = group.cursor === null ? "" : valueText(valueAt(plot.current && plot.current.loaded[i], group.cursor));
    });
  };
  useLayoutEffect(() => {
    plot.current = new StripPlot(element.current, group, {
      height, withAxis: isLast,
      onChange: () => {
        setProblem(plot.current ? plot.current.problem : "");
        readings();
      },
    });
    return () => plot.current.destroy();
  }, [group]);
  useLayoutEffect(() => {
    plot.current.withLabels = isFirst;
    plot.current.setHeight(height, isLast);
    plot.current.onChange = () => {
      setProblem(plot.current.problem);
      readings();
    };
    plot.current.setCurves(curves, byUtc);
  }, [curves, height, isLast, isFirst, byUtc]);
  useEffect(() => {
    group.cursorListeners.add(readings);
    readings();
    return () => group.cursorListeners.delete(readings);
  }, [curves, group]);
  const keys = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    if (group.isMove(event)) onMove();
    if (group.key(event)) event.preventDefault();
  };
  return html`<section class="strip" aria-label=${"Strip " + (index + 1)}>
    <header>
      <ul class="legend">${curves.map((curve, i) => html`<li key=${i}>
        <span class=${"swatch series-" + ((i % 8) + 1)} aria-hidden="true"></span>
        <span class="text"><span class="name">${curve.field}${logs.length > 1 ? html` <span class="muted">${format.baseName(curve.log.name)}</span>` : ""}</span>
        ${curve.unit && html` <span class="unit">${curve.unit}</span>`} 
        <output class="reading" ref=${(e) => { values.current[i] = e; }}></output></span></li>`)}
        ${!curves.length && html`<li class="muted">No field chosen</li>`}</ul>
      <span class="strip-buttons">
        <button class="quiet" onClick=${onEdit} aria-label=${"Fields of strip " + (index + 1)}>Fields</button>
        <button class="quiet" onClick=${onRemove} aria-label=${"Remove strip " + (index + 1)}>✕</button>
      </span>
    </header>
    <div class="canvas" ref=${element} tabindex="0" role="group" onKeyDown=${keys}
      aria-label=${"Plot of " + (fields.join(", ") || "nothing") + ". Arrow keys move the cursor, with Shift the range; plus and minus zoom; 0 shows all."}></div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </section>`;
}

function Clock({ group, logs, byUtc }) {
  const cursor = useRef(null);
  const range = useRef(null);
  useEffect(() => {
    const text = (x, step) => (byUtc ? format.clockUtc(x, step) + "Z" : format.clock(x, step));
    const showCursor = () => {
      const log = logs[0];
      const step = Math.min(0.01, (group.range[1] - group.range[0]) / 1000);
      let shown = group.cursor === null ? "" : text(group.cursor, step);
      if (group.cursor !== null && !byUtc && log && Number.isFinite(log.startUtc)) {
        shown += "  ·  " + format.clockUtc(log.startUtc + group.cursor, 0.1) + "Z";
      }
      cursor.current.textContent = shown;
    };
    const showRange = () => {
      const width = group.range[1] - group.range[0];
      range.current.textContent = text(group.range[0], width / 100) + " to " + text(group.range[1], width / 100);
    };
    showCursor();
    showRange();
    group.cursorListeners.add(showCursor);
    group.rangeListeners.add(showRange);
    return () => {
      group.cursorListeners.delete(showCursor);
      group.rangeListeners.delete(showRange);
    };
  }, [group, logs, byUtc]);
  return html`<p class="clock"><span><span class="muted">Range</span> <output ref=${range} class="range"></output></span>
    <span><span class="muted">Cursor</span> <output ref=${cursor} class="cursor-time"></output></span></p>`;
}

function MessageList({ log, group, version }) {
  const [range, setRange] = useState(group.range);
  useEffect(() => {
    let timer;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setRange([...group.range]), 150);
    };
    soon();
    group.rangeListeners.add(soon);
    return () => {
      clearTimeout(timer);
      group.rangeListeners.delete(soon);
    };
  }, [group, log, version]);
  const visible = log.messages.filter((m) => log.x(m.t_us) >= range[0] && log.x(m.t_us) <= range[1]);
  return html`<section class="panel"><h2>Messages <span class="muted">${visible.length} in the visible range</span></h2>
    <ol class="messages" tabindex="0" aria-label="Messages in the visible range">
      ${visible.slice(0, 300).map((m, i) => html`<li key=${i} class=${levelClass(m.level)}>
        <span class="level">${m.level}</span>
        <button class="link" onClick=${() => group.setCursor(log.x(m.t_us))}>${format.clock(log.x(m.t_us) - log.base, 0.01)}</button>
        <span class="text">${m.message}</span></li>`)}
    </ol>
    ${visible.length > 300 && html`<p class="muted">The first 300. Zoom in to see the others.</p>`}</section>`;
}

/** Sorts the current recording first, then the latest log. */
const startKey = (log) => (log.state === "recording" ? "~" : "") + (log.start_utc || "");

function LogChooser({ logs, onChoose, onClose }) {
  const [text, setText] = useState("");
  const word = text.toLowerCase();
  const found = logs.filter((log) => !word || (log.name + " " + (log.vehicle || "")).toLowerCase().includes(word)).slice(0, 200);
  return html`<${Dialog} title="Choose a log" onClose=${onClose} wide=${true}>
    <label for="log-search" class="hidden">Search logs</label>
    <input id="log-search" type="search" autofocus placeholder=${"Search " + logs.length + " logs"} value=${text} onInput=${(e) => setText(e.target.value)} />
    <ul class="log-choice">${found.map((log) => html`<li key=${log.name}><button onClick=${() => onChoose(log.name)}>
      <span class="name">${log.name}</span>
      <span class="muted">${log.state === "recording" ? "RECORDING" : format.utc(log.start_utc)} · ${format.duration(log.duration_s)}</span></button></li>`)}</ul>
    ${!found.length && html`<p class="muted">No log.</p>`}
  <//>`;
}

/** Follows a log that is being written: reads to its end twice a second and moves the range there. */
function useLive(live, logs, group, onState) {
  usePolling(async (signal) => {
    if (!live || !logs.length) return;
    const log = logs[0];
    const end = log.x(log.toUs);
    group.range = [end - live, end];
    const before = log.toUs;
    await Promise.all([...group.strips].map((strip) => strip.fetch(true)));
    if (signal.aborted) return;
    const newest = log.x(log.toUs);
    group.setWhole([log.x(log.fromUs), newest]);
    group.place(newest - live, newest);
    for (const strip of group.strips) strip.draw();
    onState(log.toUs > before);
  }, LIVE_EVERY_MS, [live, logs]);
}

/** Saves the topics of the visible fields, in the visible range, as tables. */
async function saveShown(logs, strips, group) {
  for (const log of logs) {
    const topic = topicsOf(log.topics, strips.flat());
    if (!topic.length) continue;
    const range = group.isWhole() ? {} : { from: Math.max(0, log.tUs(group.range[0])), to: Math.max(0, log.tUs(group.range[1])) };
    try {
      announce("Making CSV of " + log.name + " …");
      await save({ ...log.entry, name: log.name }, "csv", { topic, ...range });
      announce("CSV of " + log.name + " is made");
    } catch (e) {
      announce("No CSV of " + log.name + ": " + e.message);
    }
  }
}

export function Plots({ route, page }) {
  const settings = settingsOf(route.parameters);
  const [list, setList] = useState(null);
  const [logs, setLogs] = useState([]);
  const [version, setVersion] = useState(0);
  const [problem, setProblem] = useState("");
  const [listProblem, setListProblem] = useState("");
  const [editing, setEditing] = useState(null);
  const [choosing, setChoosing] = useState(false);
  const [grewMs, setGrewMs] = useState(0);
  const [group] = useState(() => new PlotGroup());
  const now = useRef(settings);
  now.current = settings;
  const names = settings.logs.join("\n");

  usePolling(async (signal) => {
    let found;
    try {
      found = await api.logs(signal);
      setListProblem("");
    } catch (e) {
      if (e.name !== "AbortError") setListProblem(e.message);
      return;
    }
    setList(found);
    for (const log of logs) log.entry = found.find((entry) => entry.name === log.name) || log.entry;
  }, 10000, [logs]);

  useEffect(() => {
    if (!list || !settings.logs.length) return undefined;
    const controller = new AbortController();
    const opened = settings.logs.map((name) => new PlotLog(name, list.find((entry) => entry.name === name)));
    setProblem("");
    Promise.all(opened.map((log) => log.load(controller.signal))).then(
      () => {
        setLogs(opened);
        if (!now.current.strips.length) {
          const found = presets(opened.flatMap((log) => log.topics)).slice(0, FIRST_STRIPS);
          if (found.length) write({ ...now.current, strips: found.map((preset) => preset.fields) }, true);
        }
      },
      (e) => e.name !== "AbortError" && setProblem(e.message),
    );
    return () => controller.abort();
  }, [names, list === null]);

  // The range: from the address, or all of it.
  useLayoutEffect(() => {
    if (!logs.length) return;
    for (const log of logs) log.align(settings.byUtc);
    const whole = [Math.min(...logs.map((log) => log.x(log.fromUs))), Math.max(...logs.map((log) => log.x(log.toUs)))];
    if (whole[1] <= whole[0]) whole[1] = whole[0] + 1;
    group.setWhole(whole);
    if (settings.live) {
      group.place(whole[1] - settings.live, whole[1]);
      setGrewMs(performance.now());
      setVersion((v) => v + 1);
      return;
    }
    if (settings.at !== null) {
      const x = logs[0].x(settings.at * 1e6);
      const width = Math.min(20, whole[1] - whole[0]);
      group.show(x - width / 2, x + width / 2);
      group.setCursor(x);
    } else if (settings.from !== null && settings.to !== null) {
      group.place(settings.from, settings.to);
    } else {
      group.place(whole[0], whole[1]);
    }
    setVersion((v) => v + 1);
  }, [logs, settings.byUtc, settings.at, settings.live]);

  // The address of the view has changed, for example by the browser's back button.
  useEffect(() => {
    if (!logs.length || settings.live || settings.at !== null) return;
    if (settings.from === null && group.isWhole()) return;
    const [from, to] = settings.from !== null && settings.to !== null ? [settings.from, settings.to] : group.whole;
    const slack = Math.max(2e-6, (to - from) * 1e-6);
    if (Math.abs(from - group.range[0]) > slack || Math.abs(to - group.range[1]) > slack) group.place(from, to);
  }, [settings.from, settings.to]);

  useEffect(() => {
    let timer;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (now.current.live || !logs.length) return;
        const [from, to] = group.isWhole() ? [null, null] : group.range;
        write({ ...now.current, at: null, from, to }, true);
      }, URL_AFTER_MS);
    };
    group.rangeListeners.add(soon);
    return () => {
      clearTimeout(timer);
      group.rangeListeners.delete(soon);
    };
  }, [group, logs]);

  useLive(settings.live, logs, group, (grew) => grew && setGrewMs(performance.now()));
  const isGrowing = logs.some((log) => log.isGrowing);
  usePolling(async (signal) => {
    if (!isGrowing) return;
    for (const log of logs) if (log.isGrowing) await log.loadEvents(signal);
    setVersion((v) => v + 1);
  }, EVENTS_EVERY_MS, [logs, isGrowing]);

  // A zoom stops following the live log.
  const stopLive = () => {
    if (!now.current.live) return;
    write({ ...now.current, live: null, from: group.range[0], to: group.range[1] }, true);
  };
  const stopByPointer = (event) => event.target.closest(".u-over") && stopLive();
  const then = (action) => () => {
    stopLive();
    action();
  };

  const set = (change) => write({ ...settings, at: null, ...change });
  const setStrip = (index, fields) => set({ strips: settings.strips.map((old, i) => (i === index ? fields : old)).filter((f) => f.length) });
  const toggleField = (field) => {
    const strips = settings.strips.map((fields) => [...fields]);
    const index = editing;
    if (!strips[index]) strips[index] = [];
    const at = strips[index].indexOf(field);
    if (at >= 0) strips[index].splice(at, 1);
    else strips[index].push(field);
    announce(field + (at >= 0 ? " removed" : " shown"));
    set({ strips: strips.filter((fields, i) => fields.length || i === index) });
  };
  const addPreset = (fields) => {
    const strips = settings.strips.map((old) => [...old]);
    strips[editing] = fields;
    set({ strips });
    setEditing(null);
  };
  const choose = (name) => {
    setChoosing(false);
    if (settings.logs.includes(name)) return;
    const entry = (list || []).find((log) => log.name === name);
    const live = !settings.logs.length && entry && entry.state === "recording" ? 60 : settings.live;
    set({ logs: [...settings.logs, name], live, from: null, to: null });
  };

  const chooser = choosing && list && html`<${LogChooser} logs=${list} onChoose=${choose} onClose=${() => setChoosing(false)} />`;
  if (!settings.logs.length) {
    return html`<h1 class="hidden">Plots</h1><div class="empty">
      ${listProblem && html`<p class="banner bad" role="alert"><b>NOT READ</b> ${listProblem}</p>`}<p class="lead">Choose a log to plot.</p>
      <p class="actions"><button class="primary" disabled=${!list} onClick=${() => setChoosing(true)}>Choose a log</button></p>${chooser}
      ${list && html`<ul class="log-choice">${[...list].sort((a, b) => startKey(b).localeCompare(startKey(a))).slice(0, 6).map((log) => html`
        <li key=${log.name}><button onClick=${() => choose(log.name)}><span class="name">${log.name}</span>
        <span class="muted">${log.state === "recording" ? "RECORDING" : format.utc(log.start_utc)} · ${format.duration(log.duration_s)}</span></button></li>`)}</ul>`}</div>`;
  }
  const strips = settings.strips;
  // Shows the logs of the previous address while those of the new one are read.
  const isLoaded = logs.length > 0 && logs.map((log) => log.name).join("\n") === names;
  const isStale = settings.live && logs.length > 0 && performance.now() - grewMs > STALE_MS;
  const height = strips.length <= 2 ? 240 : strips.length <= 4 ? 180 : 140;
  return html`<h1 class="hidden">Plots</h1>
    <div class="plot-head">
      <ul class="plot-logs">${settings.logs.map((name, i) => html`<li key=${name} class="chip">
        <span class="name">${name}</span>
        <button class="quiet" aria-label=${"Remove " + name} onClick=${() => set({ logs: settings.logs.filter((other) => other !== name), from: null, to: null, live: i === 0 ? null : settings.live })}>✕</button></li>`)}
        <li><button class="quiet" disabled=${!list} onClick=${() => setChoosing(true)}>Add a log</button></li></ul>
      <div class="tools" role="toolbar" aria-label="Plot">
        ${isGrowing && html`<label class="field">Live
          <select value=${settings.live || ""} onChange=${(e) => set({ live: Number(e.target.value) || null, from: null, to: null })}>
            <option value="">off</option>${WINDOWS.map(([s, text]) => html`<option key=${s} value=${s}>${text}</option>`)}</select></label>`}
        ${settings.live && html`<span class=${"live " + (isStale ? "stale" : "")}><span aria-hidden="true">●</span> ${isStale ? "NO NEW DATA" : "LIVE"}</span>`}
        <span class="buttons">
          <button title="Zoom in (+)" aria-label="Zoom in" onClick=${then(() => group.zoom(0.5))}>+</button>
          <button title="Zoom out (−)" aria-label="Zoom out" onClick=${then(() => group.zoom(2))}>−</button>
          <button title="Earlier (Shift ←)" aria-label="Earlier" onClick=${then(() => group.pan(-0.5))}>←</button>
          <button title="Later (Shift →)" aria-label="Later" onClick=${then(() => group.pan(0.5))}>→</button>
          <button title="All of the log (0)" onClick=${then(() => group.showAll())}>All</button>
          <button title="The range before (Backspace)" onClick=${then(() => group.back())}>Back</button>
        </span>
        <label class="field">Axis <select value=${settings.byUtc ? "utc" : "start"} onChange=${(e) => set({ byUtc: e.target.value === "utc", from: null, to: null })}>
          <option value="start">since start</option><option value="utc">UTC</option></select></label>
        <button aria-pressed=${settings.track} onClick=${() => set({ track: !settings.track })}>Track</button>
        <button aria-pressed=${settings.stats} onClick=${() => set({ stats: !settings.stats })}>Statistics</button>
        <button title="The topics of the visible fields, in the visible range, as CSV" disabled=${!isLoaded || !strips.length}
          onClick=${() => saveShown(logs, strips, group)}>CSV</button>
      </div>
      ${isLoaded && html`<${Clock} group=${group} logs=${logs} byUtc=${settings.byUtc} />`}
    </div>
    ${(problem || listProblem) && html`<p class="banner bad" role="alert"><b>NOT READ</b> ${problem || listProblem}</p>`}
    ${isLoaded && logs.filter((log) => log.problem).map((log) => html`<p key=${log.name} class="banner warn" role="alert"><b>INCOMPLETE</b> ${log.problem}</p>`)}
    ${!isLoaded && !problem && html`<p class="waiting">Loading …</p>`}
    ${isLoaded && html`<div class=${"plot-body" + (settings.track ? " with-track" : "")} onMouseDown=${stopByPointer} onWheel=${stopByPointer}>
      <div class="strips">
        ${strips.map((fields, i) => html`<${Strip} key=${i} index=${i} fields=${fields} logs=${logs} group=${group} byUtc=${settings.byUtc}
          height=${height + (i === 0 ? 16 : 0) + (i === strips.length - 1 ? 30 : 0)} isFirst=${i === 0} isLast=${i === strips.length - 1} onMove=${stopLive}
          onEdit=${() => setEditing(i)} onRemove=${() => setStrip(i, [])} />`)}
        <p class="actions">
          <button class="primary" disabled=${strips.length >= MOST_STRIPS} onClick=${() => setEditing(strips.length)}>Add a strip</button>
          <span class="muted legend-note"><span class="armed-line" aria-hidden="true"></span> armed · background: flight modes · ▾ messages</span></p>
      </div>
      <div class="aside">
        ${settings.track && html`<${TrackPlot} logs=${logs} group=${group} version=${settings.byUtc} tiles=${page && page.tiles} credit=${page && page.tiles_credit} />`}
        ${settings.stats && html`<${Statistics} strips=${strips} logs=${logs} group=${group} version=${names + strips.join("|")} />`}
        <${MessageList} log=${logs[0]} group=${group} version=${version} />
      </div>
    </div>`}
    ${editing !== null && isLoaded && html`<${FieldPicker} logs=${logs} chosen=${strips[editing] || []} onToggle=${toggleField}
      onPreset=${addPreset} onClose=${() => setEditing(null)} />`}
    ${chooser}`;
}
