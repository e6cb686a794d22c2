// Draws the report of one log: docs/page.md, "Report". Part of the page and of the single file of `mavlogd report`.
// Data from a log is only inserted as text, never as markup.

const MINUTE = 60;
const HOUR = 3600;
const LEVELS = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"];
const COLOURS = 8;
const SETPOINT = /setpoint|desired|asked for/i;
const MANY = 6;
// Two points of one column must not have the same time: the second one is a tenth of a microsecond later.
const LATER = 1e-7;

/** Creates an element: properties by name, those that start with "on" as listeners, children as text or elements. */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "class") {
      element.className = value;
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return element;
}

/** A duration: 12.3 s, 3:04.5 or 2:03:04. */
function duration(seconds) {
  const sign = seconds < 0 ? "-" : "";
  const s = Math.abs(seconds);
  if (s < MINUTE) {
    return sign + s.toFixed(1) + " s";
  }
  if (s < HOUR) {
    const tenths = Math.round(s * 10);
    return sign + Math.floor(tenths / 600) + ":" + ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  }
  const whole = Math.round(s);
  const two = (n) => String(n).padStart(2, "0");
  return sign + Math.floor(whole / HOUR) + ":" + two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
}

/** A time on an axis whose ticks are this far apart. */
function tick(seconds, step) {
  const sign = seconds < 0 ? "-" : "";
  const s = Math.abs(seconds);
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const minutes = Math.floor(s / 60 + 1e-9);
  const rest = (s - minutes * 60).toFixed(decimals);
  const padded = rest.padStart(decimals ? decimals + 3 : 2, "0");
  return minutes < 60
    ? sign + minutes + ":" + padded
    : sign + Math.floor(minutes / 60) + ":" + String(minutes % 60).padStart(2, "0") + ":" + padded;
}

/** A number with four significant digits, or more if the values of its series differ little. */
function number(value, spread = 0) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e6 || size < 1e-3)) {
    return value.toExponential(2);
  }
  const digits = spread > 0 && size > 0 ? Math.ceil(Math.log10(size / spread)) + 3 : 4;
  return String(Number(value.toPrecision(Math.min(6, Math.max(4, digits)))));
}

const LONGEST_TICK = 7;

/** The label of a tick, with as many decimals as the step needs; if it is too long, only its end, which differs. */
function valueTick(value, step) {
  // Steps are 1, 2, 2.5 and 5 times a power of ten.
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
  const decimals = Math.max(0, Math.round(-Math.log10(power)) + (Math.abs(step / power - 2.5) < 0.01 ? 1 : 0));
  const size = Math.abs(value);
  if (size < step / 2) {
    return "0";
  }
  if (decimals > 5 || size >= 1e15) {
    return value.toExponential(Math.min(2, Math.max(0, Math.round(Math.log10(size / step)))));
  }
  const sign = value < 0 ? "-" : "";
  const text = sign + size.toFixed(decimals);
  return text.length > LONGEST_TICK ? sign + "…" + text.slice(sign.length + 2 - LONGEST_TICK) : text;
}

/** The state that the parts of a report share: its times, the visible range, the colours. */
class View {
  constructor(element, report, uPlot) {
    this.element = element;
    this.report = report;
    this.uPlot = uPlot;
    this.charts = new Set();
    this.listeners = [];
    this.full = { min: 0, max: Math.max(0.001, (report.to_us - report.from_us) / 1e6) };
    this.range = { ...this.full };
    this.modes = [...new Set(report.modes.map((mode) => mode.mode))];
    this.cursorListeners = new Set();
    // The severe ones are drawn last, above the others.
    this.marks = [...report.problems].reverse();
  }

  seconds(us) {
    return (us - this.report.from_us) / 1e6;
  }

  utc(us) {
    const start = Date.parse(this.report.start_utc ?? "");
    return Number.isNaN(start) ? "" : new Date(start + (us - this.report.from_us) / 1e3).toISOString().replace("T", " ");
  }

  colour(name) {
    return getComputedStyle(this.element).getPropertyValue("--" + name).trim() || "#888";
  }

  modeColour(mode) {
    return this.colour("mode-" + ((this.modes.indexOf(mode) % COLOURS) + 1));
  }

  listen(target, event, listener) {
    target.addEventListener(event, listener);
    this.listeners.push(() => target.removeEventListener(event, listener));
  }

  /** Shows a time range in all plots; without one the complete log. */
  show(range) {
    const from = Math.max(this.full.min, range ? range.min : this.full.min);
    const to = Math.min(this.full.max, range ? range.max : this.full.max);
    this.range = to - from > 1e-5 ? { min: from, max: to } : { ...this.full };
    for (const chart of this.charts) {
      chart.onRange();
    }
    this.element.dispatchEvent(new CustomEvent("report-range", { detail: this.range }));
  }

  /** Shows some seconds around a moment or an interval. */
  showAround(fromUs, toUs) {
    const from = this.seconds(fromUs);
    const to = this.seconds(toUs ?? fromUs);
    const margin = Math.max(5, (to - from) / 2);
    this.show({ min: from - margin, max: to + margin });
    const first = this.element.querySelector(".report-chart");
    const isSeen = first && first.getBoundingClientRect().top < innerHeight && first.getBoundingClientRect().top > 0;
    if (first && !isSeen) {
      first.closest("section").scrollIntoView({ behavior: "smooth" });
    }
  }

  zoom(factor) {
    const middle = (this.range.min + this.range.max) / 2;
    const half = ((this.range.max - this.range.min) / 2) * factor;
    this.show({ min: middle - half, max: middle + half });
  }

  move(share) {
    const width = this.range.max - this.range.min;
    const from = Math.min(Math.max(this.full.min, this.range.min + share * width), this.full.max - width);
    this.show({ min: from, max: from + width });
  }

  onCursor(seconds) {
    for (const listener of this.cursorListeners) {
      listener(seconds);
    }
  }
}

/** The columns of a series as points: two for each column that has a range. */
function points(view, series) {
  const times = [];
  const values = [];
  for (let i = 0; i < series.t_us.length; i++) {
    const time = view.seconds(series.t_us[i]);
    times.push(time);
    values.push(series.min[i]);
    if (series.max && series.max[i] !== series.min[i]) {
      times.push(time + LATER);
      values.push(series.max[i]);
    }
  }
  // Two samples may have one time; a table of several series must not.
  for (let i = 1; i < times.length; i++) {
    if (times[i] <= times[i - 1]) {
      times[i] = times[i - 1] + LATER;
    }
  }
  return [times, values];
}

function extent(series) {
  let min = Infinity;
  let max = -Infinity;
  for (const values of [series.min, series.max ?? []]) {
    for (const value of values) {
      if (value !== null) {
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }
  }
  return { min, max };
}

/** One plot: its chart is created when it comes near the screen, or is printed. */
class Chart {
  constructor(view, plot, kind) {
    this.view = view;
    this.plot = plot;
    this.kind = kind;
    this.plotted = null;
    this.values = [];
    this.spreads = kind === "spectrum" ? [] : plot.series.map(extent).map(({ min, max }) => max - min);
    this.place = h("div", { class: "report-chart", role: "img", "aria-label": this.summary() });
    this.legend = h("div", { class: "report-legend" });
    const unit = plot.unit && kind === "spectrum" ? `(${plot.unit})²/Hz` : plot.unit;
    this.element = h(
      "figure",
      { class: "report-plot", id: "plot-" + plot.id },
      h("figcaption", {}, h("h4", {}, plot.title, unit ? h("span", { class: "report-unit" }, " " + unit) : null),
        h("p", { class: "report-explain" }, plot.explain)),
      this.place,
      this.legend,
    );
    this.fillLegend();
  }

  summary() {
    const parts = this.plot.series.map((series) => {
      if (this.kind === "spectrum") {
        return `${series.name} up to ${number(series.rate_hz / 2)} Hz`;
      }
      const { min, max } = extent(series);
      return `${series.name} from ${number(min)} to ${number(max)}`;
    });
    return `${this.plot.title}: ${parts.join("; ")} ${this.kind === "spectrum" ? "" : this.plot.unit}`;
  }

  stroke(index) {
    return this.view.colour("line-" + ((index % COLOURS) + 1));
  }

  fillLegend() {
    this.plot.series.forEach((series, index) => {
      const value = h("span", { class: "report-value" });
      this.values.push(value);
      const swatch = h("span", { class: "report-swatch report-line-" + ((index % COLOURS) + 1) });
      if (SETPOINT.test(series.name)) {
        swatch.classList.add("report-dashed");
      }
      this.legend.append(
        h("button", {
          type: "button", class: "report-series", "aria-pressed": "true", title: series.field,
          onclick: (event) => this.toggle(index, event.currentTarget),
        }, swatch, h("span", {}, series.name || this.plot.title), value),
      );
    });
    this.showValues(null);
  }

  toggle(index, button) {
    const isShown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isShown));
    this.make();
    this.plotted.setSeries(index + 1, { show: isShown });
  }

  /** Shows next to each name the value at the cursor, or else the range in the complete log. */
  showValues(index) {
    this.plot.series.forEach((series, i) => {
      if (index !== null) {
        this.values[i].textContent = this.valueAt(i + 1, index);
      } else if (this.kind === "spectrum") {
        this.values[i].textContent = "";
      } else {
        const { min, max } = extent(series);
        this.values[i].textContent = min === max ? number(min) : `${number(min, max - min)} … ${number(max, max - min)}`;
      }
    });
  }

  /** The value of a series nearest to a row of the joined table, unless there is a gap. */
  valueAt(row, index) {
    const values = this.plotted.data[row];
    for (let i = index; i >= 0 && i > index - 400; i--) {
      if (values[i] !== undefined) {
        return number(values[i], this.kind === "spectrum" ? 0 : this.spreads[row - 1]);
      }
    }
    return number(null);
  }

  table() {
    if (this.kind === "spectrum") {
      const tables = this.plot.series.map((series) => [
        series.density.slice(1).map((_, i) => Number(((i + 1) * series.resolution_hz).toFixed(6))),
        series.density.slice(1).map((value) => (value > 0 ? value : null)),
      ]);
      return this.view.uPlot.join(tables);
    }
    return this.view.uPlot.join(this.plot.series.map((series) => points(this.view, series)));
  }

  /** Creates the chart if there is none yet. */
  make() {
    if (this.plotted) {
      return;
    }
    const { uPlot } = this.view;
    this.plotted = new uPlot(this.options(), this.table(), this.place);
    this.view.charts.add(this);
    this.onRange();
  }

  size() {
    const width = Math.max(200, this.place.clientWidth || 300);
    return { width, height: width < 500 ? 190 : 240 };
  }

  options() {
    const isTime = this.kind !== "spectrum";
    const axis = {
      stroke: () => this.view.colour("text-soft"),
      grid: { stroke: () => this.view.colour("grid"), width: 1 },
      ticks: { stroke: () => this.view.colour("grid"), width: 1, size: 4 },
      font: "12px system-ui, sans-serif",
    };
    const time = (u, splits) => splits.map((s) => tick(s, splits.length > 1 ? splits[1] - splits[0] : 1));
    // The unit is at the first tick: the last one is at the edge, without room for it.
    const hertz = (u, splits) => splits.map((s, i) => s + (i === 0 ? " Hz" : ""));
    const plain = (u, splits, _, __, step) => splits.map((s) => valueTick(s, step));
    const powers = (u, splits) => splits.map((s) => (s === null ? "" : number(s)));
    return {
      ...this.size(),
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false },
        sync: isTime ? { key: "report" } : undefined,
        points: { size: 7 },
        y: false,
      },
      scales: { x: { time: false, range: (u, min, max) => this.xRange(min, max) }, y: this.yScale() },
      axes: [
        { ...axis, values: isTime ? time : hertz, space: 70, size: 30 },
        { ...axis, size: 62, values: isTime ? plain : powers },
      ],
      series: [{}, ...this.plot.series.map((series, index) => this.line(series, index))],
      hooks: {
        drawClear: [(u) => this.drawBackground(u)],
        draw: [(u) => this.drawMarks(u)],
        setSelect: [(u) => this.onSelect(u)],
        setCursor: [(u) => this.onCursor(u)],
        ready: [(u) => u.over.addEventListener("dblclick", () => this.view.show())],
      },
    };
  }

  xRange(min, max) {
    if (this.kind === "spectrum") {
      return [0, max];
    }
    return [this.view.range.min, this.view.range.max];
  }

  yScale() {
    if (this.kind === "spectrum") {
      return { distr: 3 };
    }
    return {
      range: (u, min, max) => {
        if (min === null || max === null) {
          return [0, 1];
        }
        const pad = max === min ? Math.max(0.5, Math.abs(max) * 0.1) : (max - min) * 0.08;
        return [min - pad, max + pad];
      },
    };
  }

  line(series, index) {
    return {
      label: series.name,
      stroke: () => this.stroke(index),
      width: 1.4,
      dash: SETPOINT.test(series.name) ? [6, 4] : undefined,
      points: { show: (u, i, from, to) => this.kind !== "spectrum" && to - from < 40 },
    };
  }

  onRange() {
    if (this.kind !== "spectrum" && this.plotted) {
      this.plotted.setScale("x", this.view.range);
    }
  }

  onSelect(u) {
    const { left, width } = u.select;
    if (width > 4 && this.kind !== "spectrum") {
      this.view.show({ min: u.posToVal(left, "x"), max: u.posToVal(left + width, "x") });
    }
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  onCursor(u) {
    const { idx, left } = u.cursor;
    const isInside = idx !== null && idx !== undefined && left >= 0;
    this.showValues(isInside ? idx : null);
    if (this.kind !== "spectrum") {
      this.view.onCursor(isInside ? u.posToVal(left, "x") : null);
    }
  }

  /** Draws modes as background, and areas beyond limits. */
  drawBackground(u) {
    const { ctx, bbox } = u;
    if (this.kind === "spectrum") {
      return;
    }
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const mode of this.view.report.modes) {
      const from = u.valToPos(this.view.seconds(mode.from_us), "x", true);
      const to = u.valToPos(this.view.seconds(mode.to_us), "x", true);
      ctx.fillStyle = this.view.modeColour(mode.mode);
      ctx.globalAlpha = 0.16;
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
    }
    ctx.restore();
  }

  /** Draws limits as lines, problems as marks at the upper edge, armed times as a bar at the lower edge. */
  drawMarks(u) {
    const { ctx, bbox } = u;
    if (this.kind === "spectrum") {
      return;
    }
    const pixel = devicePixelRatio || 1;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    (this.plot.limits ?? []).forEach((limit, i) => {
      const y = u.valToPos(limit, "y", true);
      ctx.strokeStyle = this.view.colour(i === 0 && this.plot.limits.length > 1 ? "warning" : "critical");
      ctx.lineWidth = pixel;
      ctx.setLineDash([4 * pixel, 3 * pixel]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    });
    ctx.setLineDash([]);
    ctx.fillStyle = this.view.colour("armed");
    for (const [fromUs, toUs] of this.view.report.armed) {
      const from = u.valToPos(this.view.seconds(fromUs), "x", true);
      const to = u.valToPos(this.view.seconds(toUs), "x", true);
      ctx.fillRect(from, bbox.top + bbox.height - 3 * pixel, to - from, 3 * pixel);
    }
    for (const problem of this.view.marks) {
      const isMoment = problem.kind === "message" || problem.to_us === undefined;
      const from = u.valToPos(this.view.seconds(problem.t_us), "x", true);
      const to = u.valToPos(this.view.seconds(isMoment ? problem.t_us : problem.to_us), "x", true);
      ctx.fillStyle = this.view.colour(problem.severity);
      ctx.fillRect(from - pixel, bbox.top, Math.max(2 * pixel, to - from), 5 * pixel);
    }
    ctx.restore();
  }

  resize() {
    if (this.plotted) {
      this.plotted.setSize(this.size());
    }
  }

  destroy() {
    this.plotted?.destroy();
    this.view.charts.delete(this);
  }
}

/** The track over ground, coloured by speed. */
class Track {
  constructor(view) {
    this.view = view;
    this.track = view.report.track;
    this.canvas = h("canvas", { class: "report-track", role: "img", "aria-label": this.summary() });
    this.cursor = null;
    view.cursorListeners.add((seconds) => this.onCursor(seconds));
    view.listen(view.element, "report-range", () => this.draw());
    view.listen(this.canvas, "click", (event) => this.onClick(event));
  }

  summary() {
    const { east_m: east, north_m: north, source } = this.track;
    const size = (values) => number(Math.max(...values) - Math.min(...values));
    return `Track: ${size(east)} m east to west, ${size(north)} m north to south, from ${source}`;
  }

  /** From metres to pixels: equal scales, the track in the middle. */
  transform(width, height) {
    const { east_m: east, north_m: north } = this.track;
    const minEast = Math.min(...east);
    const maxEast = Math.max(...east);
    const minNorth = Math.min(...north);
    const maxNorth = Math.max(...north);
    const margin = 36;
    const scale = Math.min(
      (width - 2 * margin) / Math.max(0.5, maxEast - minEast),
      (height - 2 * margin) / Math.max(0.5, maxNorth - minNorth),
    );
    return {
      scale,
      x: (e) => width / 2 + (e - (minEast + maxEast) / 2) * scale,
      y: (n) => height / 2 - (n - (minNorth + maxNorth) / 2) * scale,
    };
  }

  draw() {
    const width = this.canvas.clientWidth || 300;
    const height = this.canvas.clientHeight || 300;
    const pixel = devicePixelRatio || 1;
    this.canvas.width = width * pixel;
    this.canvas.height = height * pixel;
    const ctx = this.canvas.getContext("2d");
    ctx.scale(pixel, pixel);
    ctx.clearRect(0, 0, width, height);
    this.place = this.transform(width, height);
    this.drawLine(ctx);
    this.drawEnds(ctx);
    this.drawScale(ctx, width, height);
    this.drawCursor(ctx);
  }

  drawLine(ctx) {
    const { east_m: east, north_m: north, speed_m_s: speeds, t_us: times } = this.track;
    const fastest = Math.max(0.1, ...speeds.filter((speed) => speed !== null));
    const colours = [1, 2, 3, 4, 5].map((i) => this.view.colour("speed-" + i));
    const { range } = this.view;
    ctx.lineJoin = "round";
    ctx.lineCap = "round";
    for (let i = 1; i < east.length; i++) {
      const time = this.view.seconds(times[i]);
      const isShown = time >= range.min && time <= range.max;
      const share = speeds[i] === null ? 0 : speeds[i] / fastest;
      ctx.strokeStyle = isShown ? colours[Math.min(4, Math.floor(share * 5))] : this.view.colour("grid");
      ctx.lineWidth = isShown ? 3 : 1.5;
      ctx.beginPath();
      ctx.moveTo(this.place.x(east[i - 1]), this.place.y(north[i - 1]));
      ctx.lineTo(this.place.x(east[i]), this.place.y(north[i]));
      ctx.stroke();
    }
  }

  drawEnds(ctx) {
    const { east_m: east, north_m: north } = this.track;
    const last = east.length - 1;
    ctx.font = "600 12px system-ui, sans-serif";
    [["Start", 0, -10], ["End", last, 18]].forEach(([text, i, below]) => {
      const x = this.place.x(east[i]);
      const y = this.place.y(north[i]);
      ctx.fillStyle = this.view.colour("text");
      ctx.beginPath();
      ctx.arc(x, y, 4, 0, 2 * Math.PI);
      ctx.fill();
      ctx.textAlign = "center";
      ctx.fillText(text, x, y + below);
    });
  }

  /** Draws a bar of a round length, and an arrow to the north. */
  drawScale(ctx, width, height) {
    const raw = 90 / this.place.scale;
    const power = 10 ** Math.floor(Math.log10(raw));
    const length = [5, 2, 1].map((n) => n * power).find((n) => n <= raw) ?? power;
    const pixels = length * this.place.scale;
    ctx.fillStyle = this.view.colour("text-soft");
    ctx.strokeStyle = this.view.colour("text-soft");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(12, height - 18);
    ctx.lineTo(12, height - 12);
    ctx.lineTo(12 + pixels, height - 12);
    ctx.lineTo(12 + pixels, height - 18);
    ctx.stroke();
    ctx.font = "12px system-ui, sans-serif";
    ctx.textAlign = "left";
    ctx.fillText(number(length) + " m", 16, height - 18);
    ctx.textAlign = "center";
    ctx.fillText("N", width - 18, 16);
    ctx.beginPath();
    ctx.moveTo(width - 18, 20);
    ctx.lineTo(width - 23, 34);
    ctx.lineTo(width - 13, 34);
    ctx.fill();
  }

  drawCursor(ctx) {
    if (this.cursor === null) {
      return;
    }
    const { east_m: east, north_m: north } = this.track;
    ctx.strokeStyle = this.view.colour("text");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.arc(this.place.x(east[this.cursor]), this.place.y(north[this.cursor]), 7, 0, 2 * Math.PI);
    ctx.stroke();
  }

  onCursor(seconds) {
    const times = this.track.t_us;
    let nearest = null;
    if (seconds !== null) {
      nearest = 0;
      for (let i = 0; i < times.length && this.view.seconds(times[i]) <= seconds; i++) {
        nearest = i;
      }
    }
    if (nearest !== this.cursor) {
      this.cursor = nearest;
      requestAnimationFrame(() => this.draw());
    }
  }

  onClick(event) {
    const { east_m: east, north_m: north, t_us: times } = this.track;
    const box = this.canvas.getBoundingClientRect();
    let best = 0;
    let distance = Infinity;
    for (let i = 0; i < east.length; i++) {
      const d = Math.hypot(this.place.x(east[i]) - event.clientX + box.left, this.place.y(north[i]) - event.clientY + box.top);
      if (d < distance) {
        distance = d;
        best = i;
      }
    }
    if (distance < 30) {
      this.view.showAround(times[best]);
    }
  }
}

function timeButton(view, fromUs, toUs) {
  const from = duration(view.seconds(fromUs));
  const long = toUs !== undefined && toUs - fromUs >= 1e5;
  return h("button", {
    type: "button", class: "report-time", title: ["Show it in the plots", view.utc(fromUs)].filter(Boolean).join(", "),
    onclick: () => view.showAround(fromUs, toUs),
  }, from + (long ? `, for ${duration((toUs - fromUs) / 1e6)}` : ""));
}

function section(id, title, ...children) {
  return h("section", { class: "report-section", id: "report-" + id }, h("h3", {}, title), ...children);
}

function head(view) {
  const { report } = view;
  const facts = [report.vehicle, report.software].filter(Boolean);
  const start = report.start_utc ? report.start_utc.replace("T", " ").replace(/\.\d+Z/, "Z") : "time of day not known";
  return h("header", { class: "report-head" },
    h("h2", {}, report.log),
    h("p", {}, facts.join(" · ")),
    h("p", { class: "report-soft" }, `${start} · ${duration(report.duration_s)}`));
}

/** The list of problems; many problems with the same kind and text are one entry. */
function problems(view) {
  const { report } = view;
  if (report.problems.length === 0) {
    return section("problems", "Problems", h("p", { class: "report-good" }, "✓ None found"));
  }
  const groups = new Map();
  for (const problem of report.problems) {
    // Values may differ, but not the number of a sensor or battery, which follows its name.
    const key = problem.severity + problem.kind + problem.text.replace(/(?<!\b(?:IMU|battery|[XYZ]) )[-\d.,:]+( ms| s)?/g, "#");
    groups.set(key, [...(groups.get(key) ?? []), problem]);
  }
  const items = [...groups.values()].map((group) => problemItem(view, group));
  const critical = report.problems.filter((problem) => problem.severity === "critical").length;
  const count = (n, word) => (n === 0 ? null : `${n} ${word}`);
  const warnings = report.problems.length - critical;
  const words = [count(critical, "critical"), count(warnings, warnings === 1 ? "warning" : "warnings")].filter(Boolean);
  return section("problems", "Problems", h("p", { class: "report-soft" }, words.join(", ")),
    h("ul", { class: "report-problems" }, items));
}

function problemItem(view, group) {
  const [first] = group;
  const about = [
    !first.limit ? null : `limit ${number(first.limit)}${first.unit ? " " + first.unit : ""}`,
    first.source,
  ].filter(Boolean).join(" · ");
  const times = group.map((problem) => timeButton(view, problem.t_us, problem.to_us));
  const shown = times.slice(0, MANY);
  const more = times.slice(MANY);
  return h("li", { class: "report-problem report-" + first.severity },
    h("span", { class: "report-badge" }, first.severity),
    h("div", {},
      h("p", {}, worst(group).text, group.length > 1 ? h("span", { class: "report-soft" }, ` (${group.length} times)`) : null),
      h("p", { class: "report-times" }, shown),
      more.length ? h("details", {}, h("summary", {}, `${more.length} more`), h("p", { class: "report-times" }, more)) : null,
      about ? h("p", { class: "report-soft" }, about) : null));
}

/** The problem whose value is furthest from the limit. */
function worst(group) {
  const distance = (problem) => Math.abs((problem.value ?? 0) - (problem.limit ?? 0));
  return group.reduce((one, other) => (distance(other) > distance(one) ? other : one));
}

function figures(view) {
  const groups = new Map();
  for (const figure of view.report.figures) {
    groups.set(figure.group, [...(groups.get(figure.group) ?? []), figure]);
  }
  const cards = [...groups].map(([group, members]) =>
    h("div", { class: "report-card" }, h("h4", {}, group),
      h("dl", {}, members.map((figure) => [h("dt", {}, figure.name), h("dd", {}, figure.text)]))));
  return section("figures", "Figures", h("div", { class: "report-cards" }, cards));
}

function modes(view) {
  const { report } = view;
  if (report.modes.length === 0) {
    return null;
  }
  const bar = h("div", { class: "report-modes" });
  const whole = view.full.max;
  for (const mode of report.modes) {
    const share = (Math.max(0, mode.to_us - mode.from_us) / 1e6 / whole) * 100;
    const part = h("button", {
      type: "button", title: `${mode.mode}, ${duration((mode.to_us - mode.from_us) / 1e6)}`,
      "aria-label": mode.mode + " at " + duration(view.seconds(mode.from_us)),
      class: "report-mode report-mode-" + ((view.modes.indexOf(mode.mode) % COLOURS) + 1),
      onclick: () => view.show({ min: view.seconds(mode.from_us), max: view.seconds(mode.to_us) }),
    }, share > 8 ? mode.mode : "");
    part.style.flexGrow = String(Math.max(0.2, share));
    bar.append(part);
  }
  const key = view.modes.slice(0, 30).map((mode) => h("span", { class: "report-key" },
    h("span", { class: "report-swatch report-mode-" + ((view.modes.indexOf(mode) % COLOURS) + 1) }), mode));
  const armed = report.armed.length
    ? h("span", { class: "report-key" }, h("span", { class: "report-swatch report-armed" }), "armed (bar below each plot)") : null;
  return section("modes", "Flight modes", bar, h("p", { class: "report-keys" }, key, armed));
}

/** Buttons for the complete log, zoom in, zoom out, earlier and later. */
function toolbar(view, groups) {
  const range = h("span", { class: "report-range" });
  const update = () => {
    range.textContent = `${duration(view.range.min)} – ${duration(view.range.max)}`;
  };
  view.listen(view.element, "report-range", update);
  update();
  const button = (text, label, work) =>
    h("button", { type: "button", title: label, "aria-label": label, onclick: work }, text);
  const jump = h("select", {
    "aria-label": "Go to plots",
    onchange: (event) => view.element.querySelector("#report-" + event.target.value)?.scrollIntoView({ behavior: "smooth" }),
  }, groups.map(([id, name]) => h("option", { value: id }, name)));
  return h("div", { class: "report-toolbar", role: "toolbar", "aria-label": "Time shown" }, jump, range,
    button("◀", "Earlier", () => view.move(-0.5)), button("▶", "Later", () => view.move(0.5)),
    button("+", "Closer", () => view.zoom(0.5)), button("−", "Wider", () => view.zoom(2)),
    button("All", "All of the log", () => view.show()));
}

function messages(view) {
  const { report } = view;
  if (report.messages.length === 0) {
    return null;
  }
  const body = h("tbody", {});
  const fill = (least) => {
    const shown = report.messages.filter((message) => LEVELS.indexOf(message.level) <= least);
    body.replaceChildren(...shown.map((message) => h("tr", { class: "report-level-" + message.level },
      h("td", {}, timeButton(view, message.t_us)), h("td", {}, message.level), h("td", { class: "report-text" }, message.message))));
  };
  fill(LEVELS.length);
  const choice = h("select", { "aria-label": "Least severe level shown", onchange: (event) => fill(Number(event.target.value)) },
    h("option", { value: LEVELS.length }, "All levels"),
    [3, 4, 6].map((level) => h("option", { value: level }, LEVELS[level] + " and worse")));
  const more = report.message_count - report.messages.length;
  return section("messages", "Messages", choice,
    h("div", { class: "report-scroll", tabindex: 0, role: "region", "aria-label": "Messages" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Time", "Level", "Message"].map((name) => h("th", { scope: "col" }, name)))), body)),
    more > 0 ? h("p", { class: "report-soft" }, `${more} more messages are in the log.`) : null);
}

function parameterTable(names, rows) {
  return h("table", {}, h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))))));
}

function parameters(view) {
  const { changed, non_default: nonDefault } = view.report.parameters;
  const value = (parameter) => (parameter === null ? "–" : String(parameter));
  const parts = [];
  if (changed.length) {
    parts.push(h("h4", {}, "Changed in this log"), h("div", { class: "report-scroll", tabindex: 0, role: "region", "aria-label": "Changed parameters" },
      parameterTable(["Time", "Parameter", "Before", "After"],
        changed.map((p) => [timeButton(view, p.t_us), p.name, value(p.before), value(p.value)]))));
  }
  if (nonDefault.length) {
    parts.push(h("h4", {}, "Not the default"), h("div", { class: "report-scroll", tabindex: 0, role: "region", "aria-label": "Parameters that are not the default" },
      parameterTable(["Parameter", "Value", "Default"], nonDefault.map((p) => [p.name, value(p.value), value(p.default)]))));
  }
  return parts.length ? section("parameters", "Parameters", ...parts) : null;
}

/** The plots and spectra by group, in the order of the groups' first plots. */
function plotSections(view, charts) {
  const groups = new Map();
  const all = [...view.report.plots.map((plot) => [plot, "plot"]), ...view.report.spectra.map((plot) => [plot, "spectrum"])];
  for (const [plot, kind] of all) {
    const chart = new Chart(view, plot, kind);
    charts.push(chart);
    groups.set(plot.group, [...(groups.get(plot.group) ?? []), chart]);
  }
  return [...groups].map(([group, members], index) => ({
    id: "group-" + index,
    name: group,
    element: section("group-" + index, group, h("div", { class: "report-plots" }, members.map((chart) => chart.element))),
  }));
}

/** Creates each chart when it comes near the screen, and all charts when the report is printed. */
function makeLazily(view, charts) {
  const byPlace = new Map(charts.map((chart) => [chart.element, chart]));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        byPlace.get(entry.target).make();
        observer.unobserve(entry.target);
      }
    }
  }, { rootMargin: "400px" });
  charts.forEach((chart) => observer.observe(chart.element));
  // A browser that draws no frames, for example for a screenshot, does not report intersections.
  const look = () => {
    for (const [place, chart] of byPlace) {
      const { top, bottom } = place.getBoundingClientRect();
      if (!chart.plotted && bottom > -400 && top < innerHeight + 400) {
        chart.make();
      }
    }
  };
  view.listen(window, "scroll", look);
  view.listen(window, "beforeprint", () => charts.forEach((chart) => chart.make()));
  return () => observer.disconnect();
}

/** Redraws when the width or the colours change. */
function follow(view, charts, track) {
  let width = 0;
  const redraw = () => {
    charts.forEach((chart) => chart.plotted?.redraw(false));
    track?.draw();
  };
  const sizes = new ResizeObserver(() => {
    if (view.element.clientWidth !== width) {
      width = view.element.clientWidth;
      charts.forEach((chart) => chart.resize());
      track?.draw();
    }
  });
  sizes.observe(view.element);
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributes: true });
  view.listen(matchMedia("(prefers-color-scheme: dark)"), "change", redraw);
  return () => {
    sizes.disconnect();
    theme.disconnect();
  };
}

function trackSection(view, track) {
  const speeds = view.report.track.speed_m_s.filter((speed) => speed !== null);
  const key = speeds.length === 0 ? null : h("p", { class: "report-keys" }, "Speed 0 ",
    [1, 2, 3, 4, 5].map((i) => h("span", { class: "report-swatch report-speed-" + i })), ` ${number(Math.max(...speeds))} m/s`);
  return section("track", "Track", track.canvas, key,
    h("p", { class: "report-soft" }, `From ${view.report.track.source}. A click shows that moment in the plots.`));
}

// By element: the function that removes its report.
const drawn = new WeakMap();

/**
 * Draws a report into an element and replaces its contents.
 *
 * @param element element for the report
 * @param report the object of GET /api/v1/logs/{name}/report
 * @param uPlot the constructor of uPlot
 * @returns a function that removes the report
 */
export function render(element, report, uPlot) {
  drawn.get(element)?.();
  const view = new View(element, report, uPlot);
  element.classList.add("report");
  const charts = [];
  const groups = plotSections(view, charts);
  const track = report.track ? new Track(view) : null;
  const top = h("div", { class: "report-top" }, problems(view), track ? trackSection(view, track) : null);
  const rest = [messages(view), parameters(view)].filter(Boolean);
  const places = [["problems", "Problems"], ["figures", "Figures"], ...groups.map((group) => [group.id, group.name]),
    ...rest.map((part) => [part.id.replace("report-", ""), part.firstChild.textContent])];
  const parts = [head(view), toolbar(view, places), top, figures(view), modes(view), ...groups.map((group) => group.element), ...rest];
  element.replaceChildren(...parts.filter(Boolean));
  const stopLazy = makeLazily(view, charts);
  const stopFollowing = follow(view, charts, track);
  track?.draw();
  const remove = () => {
    stopLazy();
    stopFollowing();
    view.listeners.forEach((stop) => stop());
    charts.forEach((chart) => chart.destroy());
    drawn.delete(element);
    element.classList.remove("report");
    element.replaceChildren();
  };
  drawn.set(element, remove);
  return remove;
}
