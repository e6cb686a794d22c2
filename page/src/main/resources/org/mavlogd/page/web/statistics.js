// Minimum, mean and maximum of every curve in the visible range.
import { html, useEffect, useState } from "./lib.js";
import * as api from "./api.js";
import { value } from "./format.js";

const AFTER_MS = 350;
// Minimum and maximum come from columns, and their number does not matter.
const POINTS = 100;

/** Statistics of a series. Mean and deviation come from the server, which has all samples. */
function statisticsOf(series) {
  let min = null;
  let max = null;
  for (let i = 0; i < series.t_us.length; i++) {
    if (series.max[i] === null) continue;
    min = min === null ? series.min[i] : Math.min(min, series.min[i]);
    max = max === null ? series.max[i] : Math.max(max, series.max[i]);
  }
  return { samples: series.samples, min, max, mean: series.mean, deviation: series.deviation };
}

export function Statistics({ strips, logs, group, version }) {
  const [rows, setRows] = useState([]);
  useEffect(() => {
    let controller = new AbortController();
    let timer;
    const read = async () => {
      const signal = controller.signal;
      const wanted = strips.flatMap((fields) => fields).flatMap((field) => logs.map((log) => ({ field, log })));
      const found = await Promise.all(wanted.map(async ({ field, log }) => {
        const range = { from: Math.max(log.fromUs, log.tUs(group.range[0])), to: log.tUs(group.range[1]), points: POINTS };
        // One of several logs may be outside the visible range.
        if (range.to < range.from) return { field, log, min: null, max: null, samples: 0 };
        try {
          return { field, log, ...statisticsOf(await api.series(log.name, field, range, signal)) };
        } catch (e) {
          return { field, log, problem: e.name === "AbortError" ? "" : e.message };
        }
      }));
      if (!signal.aborted) setRows(found);
    };
    const soon = () => {
      clearTimeout(timer);
      controller.abort();
      controller = new AbortController();
      timer = setTimeout(read, AFTER_MS);
    };
    soon();
    group.rangeListeners.add(soon);
    return () => {
      clearTimeout(timer);
      controller.abort();
      group.rangeListeners.delete(soon);
    };
  }, [version, logs, group]);
  return html`<section class="panel statistics"><h2>Visible range</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Statistics of the visible range"><table>
      <thead><tr><th scope="col">Min</th><th scope="col">Mean</th><th scope="col">Max</th>
        <th scope="col">Std. dev.</th><th scope="col">Samples</th></tr></thead>
      ${rows.map(({ field, log, min, max, mean, deviation, samples, problem }, i) => html`<tbody key=${i}>
        <tr><th scope="rowgroup" colspan="5">${field}${logs.length > 1 ? html` <span class="muted">${log.name}</span>` : ""}</th></tr>
        ${problem ? html`<tr><td colspan="5" class="bad">${problem}</td></tr>` : html`<tr><td>${value(min)}</td><td>${value(mean)}</td><td>${value(max)}</td><td>${value(deviation)}</td><td>${samples}</td></tr>`}</tbody>`)}
    </table></div></section>`;
}
