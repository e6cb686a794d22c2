// The logs of a page of plots, and the conversion of their times to positions on the axis.
import * as api from "./api.js";
import { MODE_COLOURS, indexesOf } from "./colours.js";

const EDGE = 0.05;

/** One log: its topics, modes and messages, and the place of its start on the axis. */
export class PlotLog {
  constructor(name, entry) {
    this.name = name;
    this.entry = entry || {};
    this.topics = [];
    this.undrawable = [];
    this.problem = "";
    this.fromUs = 0;
    this.toUs = 0;
    this.modes = { modes: [], armed: [] };
    this.modeIndexes = new Map();
    this.messages = [];
    this.base = 0;
  }

  get isGrowing() {
    return this.entry.state === "recording";
  }

  /** The start in seconds since 1970, or NaN. */
  get startUtc() {
    return this.entry.start_utc ? Date.parse(this.entry.start_utc) / 1000 : NaN;
  }

  async load(signal) {
    const found = await api.topics(this.name, signal);
    this.topics = found.topics || [];
    this.undrawable = found.undrawable || [];
    this.fromUs = found.from_us || 0;
    this.toUs = Math.max(found.to_us || 0, this.fromUs);
    await this.loadEvents(signal);
  }

  async loadEvents(signal) {
    this.problem = "";
    const without = (what) => (e) => {
      if (e.name === "AbortError") throw e;
      this.problem = what + " of " + this.name + " are missing: " + e.message;
      return null;
    };
    const [modes, messages] = await Promise.all([
      api.modes(this.name, signal).catch(without("flight modes")),
      api.messages(this.name, {}, signal).catch(without("messages")),
    ]);
    if (modes) this.modes = { modes: modes.modes || [], armed: modes.armed || [] };
    this.modeIndexes = indexesOf(this.modes.modes.map((mode) => mode.mode), MODE_COLOURS);
    if (messages) this.messages = messages.messages || [];
  }

  align(byUtc) {
    this.base = byUtc && Number.isFinite(this.startUtc) ? this.startUtc : 0;
  }

  x(tUs) {
    return this.base + (tUs - this.fromUs) / 1e6;
  }

  tUs(x) {
    return Math.round((x - this.base) * 1e6 + this.fromUs);
  }

  unit(field) {
    for (const topic of this.topics) {
      if (!field.startsWith(topic.name)) continue;
      const found = topic.fields.find((f) => topic.name + (topic.instance ? "." + topic.instance : "") + "." + f.name === field);
      if (found) return found.unit || "";
    }
    return "";
  }

  /** The series of a field in a range of the axis, slightly wider so that lines reach the edges. */
  async series(field, range, points, signal, toEnd = false) {
    const edge = (range[1] - range[0]) * EDGE;
    const from = Math.max(this.fromUs, this.tUs(range[0] - edge));
    const to = toEnd ? undefined : this.tUs(range[1] + edge);
    if (to !== undefined && to < from) return null;
    const wanted = Math.min(10000, Math.ceil(points * (1 + 2 * EDGE)));
    const found = await api.series(this.name, field, { from, to, points: wanted }, signal);
    const count = found.t_us.length;
    const x = new Array(count);
    for (let i = 0; i < count; i++) x[i] = this.x(found.t_us[i]);
    if (count) this.toUs = Math.max(this.toUs, found.t_us[count - 1]);
    return { x, min: found.min, max: found.max, samples: found.samples, unit: found.unit };
  }
}
