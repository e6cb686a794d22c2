// One strip: fields of one or several logs over time, drawn by uPlot and requested again at each zoom.
import { uPlot } from "./lib.js";
import * as format from "./format.js";
import { colours, withAlpha } from "./colours.js";

const FETCH_AFTER_MS = 90;
const LEAST_DRAG_PX = 6;
const Y_AXIS_PX = 66;
const RIGHT_PX = 10;
const X_AXIS_PX = 30;
const LABELS_PX = 16;
const LABEL_LEAST_PX = 46;

/** The last index at which xs is at most x; -1 before the first. */
export function indexAt(xs, x) {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value nearest to x: {x, min, max}, or null in a gap and outside the series. */
export function valueAt(series, x) {
  if (!series || !series.x.length) return null;
  const before = indexAt(series.x, x);
  let best = null;
  for (const i of [before, before + 1]) {
    if (i < 0 || i >= series.x.length) continue;
    if (series.max[i] === null) {
      // A point without a value marks a gap: values beyond it are not near the cursor.
      return valueBesideGap(series, i, x);
    }
    if (best === null || Math.abs(series.x[i] - x) < Math.abs(series.x[best] - x)) best = i;
  }
  return best === null ? null : { x: series.x[best], min: series.min[best], max: series.max[best] };
}

function valueBesideGap(series, gap, x) {
  const i = x < series.x[gap] ? gap - 1 : gap + 1;
  if (i < 0 || i >= series.x.length || series.max[i] === null) return null;
  const step = Math.abs(series.x[i] - series.x[gap]);
  return Math.abs(series.x[i] - x) < step / 10 ? { x: series.x[i], min: series.min[i], max: series.max[i] } : null;
}

/** Owns the canvas in an element. curves: [{log, field, label}]. onChange is called for new values or problems. */
export class StripPlot {
  constructor(element, group, { height, withAxis, onChange }) {
    this.element = element;
    this.group = group;
    this.height = height;
    this.withAxis = withAxis;
    this.onChange = onChange;
    this.curves = [];
    this.loaded = [];
    this.problem = "";
    this.busy = false;
    this.plot = null;
    this.byUtc = false;
    this.controller = null;
    this.rebuild = () => this.build();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    window.addEventListener("themechange", this.rebuild);
    group.strips.add(this);
  }

  destroy() {
    this.group.strips.delete(this);
    this.observer.disconnect();
    window.removeEventListener("themechange", this.rebuild);
    clearTimeout(this.timer);
    if (this.controller) this.controller.abort();
    if (this.plot) this.plot.destroy();
    this.plot = null;
  }

  setCurves(curves, byUtc) {
    const kept = new Map(this.curves.map((curve, i) => [curve.log.name + "\n" + curve.field, this.loaded[i]]));
    this.loaded = curves.map((curve) => (byUtc === this.byUtc && kept.get(curve.log.name + "\n" + curve.field)) || null);
    this.curves = curves;
    this.byUtc = byUtc;
    this.build();
    this.fetchSoon(0);
  }

  setHeight(height, withAxis) {
    if (height === this.height && withAxis === this.withAxis) return;
    this.height = height;
    this.withAxis = withAxis;
    this.build();
  }

  get plotWidth() {
    return Math.max(50, this.element.clientWidth - Y_AXIS_PX - RIGHT_PX);
  }

  resize() {
    if (!this.plot || this.element.clientWidth === this.plot.width || !this.element.clientWidth) return;
    this.plot.setSize({ width: this.element.clientWidth, height: this.height });
    this.fetchSoon();
  }

  /** Shows a new range of the group: draws existing data at once, and requests new data soon after. */
  showRange() {
    if (this.plot) this.plot.setScale("x", { min: this.group.range[0], max: this.group.range[1] });
    if (!this.isLive) this.fetchSoon();
  }

  fetchSoon(afterMs = FETCH_AFTER_MS) {
    clearTimeout(this.timer);
    this.busy = true;
    this.timer = setTimeout(() => this.fetch().catch((e) => {
      this.problem = "cannot be drawn: " + e.message;
      this.onChange();
    }), afterMs);
  }

  /** Requests the visible range; with toEnd up to the end of a log that is being written. */
  async fetch(toEnd = false) {
    if (this.controller) this.controller.abort();
    const controller = new AbortController();
    this.controller = controller;
    const points = Math.round(this.plotWidth * (window.devicePixelRatio || 1));
    const range = [...this.group.range];
    const problems = [];
    const loaded = await Promise.all(this.curves.map(async (curve) => {
      try {
        return await curve.log.series(curve.field, range, points, controller.signal, toEnd);
      } catch (e) {
        if (e.name !== "AbortError") problems.push(curve.label + ": " + e.message);
        return null;
      }
    }));
    if (controller.signal.aborted) return;
    this.loaded = loaded;
    this.problem = problems.join("; ");
    this.busy = false;
    if (this.plot && !toEnd) this.draw();
    this.onChange();
  }

  draw() {
    if (!this.plot) return;
    this.plot.setData(this.data(), false);
    this.plot.setScale("x", { min: this.group.range[0], max: this.group.range[1] });
    this.showCursor();
  }

  data() {
    const empty = { x: [], min: [], max: [] };
    const tables = this.loaded.map((series) => series || empty).map((s) => [s.x, s.min, s.max]);
    if (tables.length === 1) return tables[0];
    return tables.length ? uPlot.join(tables) : [[]];
  }

  build() {
    if (this.plot) this.plot.destroy();
    this.plot = null;
    const width = this.element.clientWidth;
    if (!width || !this.curves.length) return;
    this.colours = colours();
    this.plot = new uPlot(this.options(width), this.data(), this.element);
    this.plot.setScale("x", { min: this.group.range[0], max: this.group.range[1] });
    this.listen(this.plot.over);
    this.showCursor();
  }

  options(width) {
    const c = this.colours;
    const font = "12px B612, system-ui, sans-serif";
    const series = [{}];
    const bands = [];
    this.curves.forEach((curve, i) => {
      const stroke = c.series[i % c.series.length];
      const dash = i >= c.series.length ? [6, 4] : undefined;
      series.push({ stroke, dash, width: 1.25, points: { show: false }, pxAlign: 0 });
      series.push({ stroke, dash, width: 1.25, points: { size: 5, fill: stroke, stroke }, pxAlign: 0 });
      bands.push({ series: [2 * i + 2, 2 * i + 1], fill: withAlpha(stroke, 0.4) });
    });
    const axis = { stroke: c.muted, font, grid: { stroke: c.grid, width: 1 }, ticks: { stroke: c.grid, width: 1, size: 4 } };
    return {
      width,
      height: this.height,
      padding: [this.withLabels ? 6 + LABELS_PX : 6, RIGHT_PX, this.withAxis ? 0 : 4, 0],
      legend: { show: false },
      scales: {
        x: { time: false, range: (u, min, max) => [min, max] },
        y: { range: (u, min, max) => padded(min, max) },
      },
      axes: [
        { ...axis, show: true, size: this.withAxis ? X_AXIS_PX : 0, incrs: format.TIME_STEPS, space: 76,
          values: (u, splits, _, __, step) => (this.withAxis ? splits.map((x) => this.timeText(x, step)) : splits.map(() => "")) },
        { ...axis, size: Y_AXIS_PX, space: 26, gap: 4, values: (u, splits, _, __, step) => splits.map((v) => format.tick(v, step)) },
      ],
      series,
      bands,
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PX },
        points: { show: false },
      },
      hooks: {
        drawClear: [(u) => this.drawBackground(u)],
        draw: [(u) => this.drawLabels(u), (u) => this.drawMarkers(u)],
        setSelect: [(u) => this.selected(u)],
      },
    };
  }

  timeText(x, step) {
    return this.byUtc ? format.clockUtc(x, step) : format.clock(x, step);
  }

  selected(u) {
    if (u.select.width < LEAST_DRAG_PX) return;
    const from = u.posToVal(u.select.left, "x");
    const to = u.posToVal(u.select.left + u.select.width, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.group.show(from, to, true);
  }

  showCursor() {
    if (!this.plot) return;
    const x = this.group.cursor;
    const [x0, x1] = this.group.range;
    const isSeen = x !== null && x >= x0 && x <= x1;
    this.plot.setCursor(isSeen ? { left: ((x - x0) / (x1 - x0)) * this.plot.over.clientWidth, top: 0 } : { left: -10, top: -10 });
  }

  drawBackground(u) {
    const log = this.curves[0].log;
    const { ctx, bbox } = u;
    const [x0, x1] = this.group.range;
    const at = (x) => bbox.left + Math.max(0, Math.min(1, (x - x0) / (x1 - x0))) * bbox.width;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    for (const mode of log.modes.modes) {
      const left = at(log.x(mode.from_us));
      const right = at(log.x(mode.to_us));
      if (right <= left) continue;
      ctx.fillStyle = this.colours.modes[log.modeIndexes.get(mode.mode)];
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.fillStyle = this.colours.armed;
    for (const [from, to] of log.modes.armed) {
      const left = at(log.x(from));
      const right = at(log.x(to));
      if (right > left) ctx.fillRect(left, bbox.top + bbox.height - 3 * ratio, right - left, 3 * ratio);
    }
    ctx.restore();
  }

  /** Draws the names of the modes above the plot: in it the grid and the curves would cross them. */
  drawLabels(u) {
    if (!this.withLabels) return;
    const { ctx, bbox } = u;
    const log = this.curves[0].log;
    const [x0, x1] = this.group.range;
    const at = (x) => bbox.left + Math.max(0, Math.min(1, (x - x0) / (x1 - x0))) * bbox.width;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    ctx.font = 11 * ratio + "px B612, system-ui, sans-serif";
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    for (const mode of log.modes.modes) {
      const left = at(log.x(mode.from_us));
      const right = at(log.x(mode.to_us));
      const width = ctx.measureText(mode.mode).width + 8 * ratio;
      if (right - left <= Math.min(width, LABEL_LEAST_PX * ratio)) continue;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, 0, right - left - 2 * ratio, bbox.top);
      ctx.clip();
      ctx.fillStyle = this.colours.modes[log.modeIndexes.get(mode.mode)];
      ctx.fillRect(left, 0, right - left, bbox.top);
      ctx.fillStyle = this.colours.muted;
      ctx.fillText(mode.mode, left + 4 * ratio, 3 * ratio);
      ctx.restore();
    }
    ctx.restore();
  }

  drawMarkers(u) {
    const log = this.curves[0].log;
    const { ctx, bbox } = u;
    const [x0, x1] = this.group.range;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    for (const message of log.messages) {
      const x = log.x(message.t_us);
      if (x < x0 || x > x1) continue;
      const left = bbox.left + ((x - x0) / (x1 - x0)) * bbox.width;
      const level = String(message.level).toLowerCase();
      const isSevere = level === "emergency" || level === "alert" || level === "critical" || level === "error";
      ctx.fillStyle = isSevere ? this.colours.bad : level === "warning" ? this.colours.warn : this.colours.muted;
      const size = (isSevere || level === "warning" ? 5 : 3.5) * ratio;
      ctx.beginPath();
      ctx.moveTo(left - size, bbox.top);
      ctx.lineTo(left + size, bbox.top);
      ctx.lineTo(left, bbox.top + size * 1.5);
      ctx.fill();
    }
    ctx.restore();
  }

  listen(over) {
    const xAt = (clientX) => this.plot.posToVal(clientX - over.getBoundingClientRect().left, "x");
    over.addEventListener("wheel", (e) => {
      if (e.ctrlKey || Math.abs(e.deltaY) >= Math.abs(e.deltaX)) {
        this.group.zoom(1.0015 ** Math.max(-400, Math.min(400, e.deltaMode ? e.deltaY * 30 : e.deltaY)), xAt(e.clientX));
      } else {
        this.group.pan(e.deltaX / over.clientWidth);
      }
      e.preventDefault();
    }, { passive: false });
    // Not uPlot's own event, which also comes when the plot is laid out: then it would move the cursor that the address names.
    over.addEventListener("mousemove", (e) => this.group.setCursor(xAt(e.clientX)));
    over.addEventListener("dblclick", () => this.group.showAll());
    this.listenToTouch(over, xAt);
  }

  // One finger moves the cursor, two zoom and shift; a finger that moves up or down scrolls the page.
  listenToTouch(over, xAt) {
    let held = null;
    const hold = (e) => {
      held = e.touches.length === 2 ? [...e.touches].map((t) => xAt(t.clientX)) : null;
    };
    over.addEventListener("touchstart", (e) => {
      hold(e);
      if (e.touches.length === 1) this.group.setCursor(xAt(e.touches[0].clientX));
    }, { passive: true });
    over.addEventListener("touchend", hold, { passive: true });
    over.addEventListener("touchmove", (e) => {
      if (e.touches.length === 1) {
        this.group.setCursor(xAt(e.touches[0].clientX));
      } else if (held && e.touches.length === 2) {
        e.preventDefault();
        const left = over.getBoundingClientRect().left;
        const places = [...e.touches].map((t) => (t.clientX - left) / over.clientWidth);
        if (Math.abs(places[1] - places[0]) < 0.02) return;
        const width = (held[1] - held[0]) / (places[1] - places[0]);
        const from = held[0] - places[0] * width;
        if (width > 0) this.group.show(from, from + width);
      }
    }, { passive: false });
  }
}

/** Adds some space above and below; a constant series is in the middle. */
function padded(min, max) {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const room = max > min ? (max - min) * 0.08 : Math.abs(max) * 0.1 || 1;
  return [min - room, max + room];
}
