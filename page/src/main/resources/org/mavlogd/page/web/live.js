// Battery, speed, mode and messages of a vehicle, read from its log while it is being written.
import * as api from "./api.js";
import { findField } from "./known-fields.js";

const WINDOW_US = 5e6;
const MAX_MESSAGES = 200;
const TOPICS_EVERY_MS = 15000;

async function lastValue(name, field, fromUs, signal) {
  const series = await api.series(name, field, { from: fromUs, points: 50 }, signal);
  for (let i = series.t_us.length - 1; i >= 0; i--) {
    if (series.max[i] !== null) return { value: series.max[i], tUs: series.t_us[i], unit: series.unit };
  }
  return null;
}

/** The data of one log that is being written. Each call of update reads only new data. */
export class LiveLog {
  constructor(name) {
    this.name = name;
    this.messages = [];
    this.fields = {};
    this.topicsAtMs = -Infinity;
    this.toUs = 0;
  }

  async update(signal) {
    if (performance.now() - this.topicsAtMs > TOPICS_EVERY_MS) {
      const found = await api.topics(this.name, signal);
      this.toUs = Math.max(this.toUs, found.to_us || 0);
      for (const kind of ["voltage", "remaining", "speed", "vx", "vy"]) {
        this.fields[kind] = findField(found.topics, kind);
      }
      this.topicsAtMs = performance.now();
    }
    const from = Math.max(0, this.toUs - WINDOW_US);
    const [voltage, remaining, speed, modes] = await Promise.all([
      this.value("voltage", from, signal),
      this.value("remaining", from, signal),
      this.speed(from, signal),
      api.modes(this.name, signal),
    ]);
    await this.newMessages(signal);
    const mode = (modes.modes || []).at(-1);
    return { voltage, remaining, speed, mode: mode && mode.mode, messages: [...this.messages] };
  }

  async value(kind, from, signal) {
    const field = this.fields[kind];
    if (!field) return null;
    const found = await lastValue(this.name, field.id, from, signal);
    if (!found) return null;
    this.toUs = Math.max(this.toUs, found.tUs);
    return found.value * field.scale;
  }

  async speed(from, signal) {
    if (!this.fields.vx || !this.fields.vy) return this.value("speed", from, signal);
    const vx = await this.value("vx", from, signal);
    const vy = await this.value("vy", from, signal);
    return vx === null || vy === null ? null : Math.hypot(vx, vy);
  }

  async newMessages(signal) {
    const last = this.messages.at(-1);
    const found = await api.messages(this.name, { from: last ? last.t_us : undefined }, signal);
    const known = new Set(this.messages.map((m) => m.t_us + m.message));
    for (const message of found.messages || []) {
      if (!known.has(message.t_us + message.message)) this.messages.push(message);
    }
    this.messages = this.messages.slice(-MAX_MESSAGES);
  }
}
