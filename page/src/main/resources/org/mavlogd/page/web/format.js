// Numbers, sizes and times as the page writes them.

const LETTERS = ["B", "KB", "MB", "GB", "TB"];
export const NONE = "–";

export function bytes(n) {
  if (!Number.isFinite(n)) return NONE;
  let value = n;
  let i = 0;
  while (value >= 999.5 && i < LETTERS.length - 1) {
    value /= 1000;
    i++;
  }
  return (i === 0 || value >= 99.95 ? value.toFixed(0) : value.toFixed(1)) + " " + LETTERS[i];
}

/** A duration: 20 ms, 7.4 s, 3:05, 1:02:03. */
export function duration(s) {
  if (!Number.isFinite(s)) return NONE;
  if (s > 0 && s < 0.1) return Math.max(1, Math.round(s * 1000)) + " ms";
  if (s < 60) return s.toFixed(s < 10 ? 1 : 0) + " s";
  const all = Math.round(s);
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor((all % 3600) / 60);
  const seconds = String(all % 60).padStart(2, "0");
  return hours ? hours + ":" + String(minutes).padStart(2, "0") + ":" + seconds : minutes + ":" + seconds;
}

/** The age in its largest unit. */
export function ago(ms) {
  if (!Number.isFinite(ms)) return NONE;
  if (ms < 10000) return (ms / 1000).toFixed(1) + " s";
  if (ms < 120000) return Math.round(ms / 1000) + " s";
  if (ms < 7200000) return Math.round(ms / 60000) + " min";
  return Math.round(ms / 3600000) + " h";
}

export function distance(m) {
  if (!Number.isFinite(m)) return NONE;
  return m < 1000 ? m.toFixed(0) + " m" : (m / 1000).toFixed(m < 10000 ? 2 : 1) + " km";
}

export const speed = (mS) => (Number.isFinite(mS) ? mS.toFixed(1) + " m/s" : NONE);

/** A value with its significant digits. */
export function value(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return NONE;
  if (Number.isInteger(v)) return Math.abs(v) < 1e15 ? String(v) : v.toExponential(4);
  const magnitude = Math.abs(v);
  if (magnitude >= 1e6 || magnitude < 1e-4) return v.toExponential(3);
  return String(Number(v.toPrecision(magnitude >= 1000 ? 7 : 5)));
}

const LONGEST_TICK = 8;

/** The label of a tick, with as many decimals as the step needs; if it is too long, only its end, which differs. */
export function tick(v, step) {
  // Steps are 1, 2, 2.5 and 5 times a power of ten.
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
  const decimals = Math.max(0, Math.round(-Math.log10(power)) + (Math.abs(step / power - 2.5) < 0.01 ? 1 : 0));
  const size = Math.abs(v);
  if (size < step / 2) return "0";
  if (decimals > 6 || size >= 1e15) return v.toExponential(Math.min(3, Math.max(0, Math.round(Math.log10(size / step)))));
  const sign = v < 0 ? "-" : "";
  const text = sign + size.toFixed(decimals);
  return text.length > LONGEST_TICK ? sign + "…" + text.slice(sign.length + 2 - LONGEST_TICK) : text;
}

const two = (n) => String(n).padStart(2, "0");

/** A time in UTC: 2026-03-20 20:27:40Z. */
export function utc(text) {
  const date = text ? new Date(text) : null;
  if (!date || Number.isNaN(date.getTime())) return NONE;
  return date.toISOString().slice(0, 19).replace("T", " ") + "Z";
}

export function utcDay(text) {
  return utc(text).slice(0, 10);
}

export function utcTime(text) {
  const all = utc(text);
  return all === NONE ? NONE : all.slice(11);
}

/** Seconds since the start, such as 1:14.2, with as many decimals as the step needs. */
export function clock(s, step = 0.1) {
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const sign = s < 0 ? "−" : "";
  const scale = 10 ** decimals;
  const all = Math.round(Math.abs(s) * scale) / scale;
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor((all % 3600) / 60);
  const seconds = (all % 60).toFixed(decimals).padStart(decimals ? decimals + 3 : 2, "0");
  return sign + (hours ? hours + ":" + two(minutes) : minutes) + ":" + seconds;
}

/** Seconds of UTC since 1970, such as 20:27:40.5. */
export function clockUtc(s, step = 1) {
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const whole = Math.floor(s + 1e-9);
  const rest = decimals ? Math.max(0, s - whole).toFixed(decimals).slice(1) : "";
  return new Date(whole * 1000).toISOString().slice(11, 19) + rest;
}

/** The steps between ticks of an axis of time, in seconds. */
export const TIME_STEPS = [
  1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15,
  30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
];

/** The last part of a name with directories. */
export const baseName = (path) => String(path).slice(String(path).lastIndexOf("/") + 1);
