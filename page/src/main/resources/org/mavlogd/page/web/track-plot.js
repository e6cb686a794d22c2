// The track of a log from above: north is up; the visible range is bold, the cursor an arrow with the heading.
import { html, useEffect, useRef, useState } from "./lib.js";
import { colours } from "./colours.js";
import { trackFields } from "./known-fields.js";
import { indexAt, valueAt } from "./strip-plot.js";
import { usePolling } from "./parts.js";
import { value } from "./format.js";
import { TileMap } from "./tiles.js";

const POINTS = 3000;
const MARGIN_PX = 26;
const EARTH_M = 6371000;
const LEAST_SPAN_M = 1;
const GROWING_EVERY_MS = 2000;
const NEVER_MS = 2 ** 30;

const middle = (series, i) => (series.max[i] === null ? null : (series.min[i] + series.max[i]) / 2);

/** Converts integers of 1e-7 degrees to degrees. */
const degrees = (v) => (Math.abs(v) > 1000 ? v * 1e-7 : v);

/** Points in metres {x, east, north}; x is the position on the time axis. null is a gap. */
function pointsOf(fields, east, north) {
  const points = [];
  const origin = {};
  for (let i = 0; i < east.x.length; i++) {
    const j = indexAt(north.x, east.x[i] + 1e-7);
    const e = middle(east, i);
    const n = j < 0 ? null : middle(north, j);
    if (e === null || n === null) {
      if (points.length && points.at(-1) !== null) points.push(null);
      continue;
    }
    if (!fields.degrees) {
      points.push({ x: east.x[i], east: e, north: n });
      continue;
    }
    const lon = degrees(e);
    const lat = degrees(n);
    if (lat === 0 && lon === 0) continue; // no fix
    if (origin.lat === undefined) Object.assign(origin, { lat, lon });
    const k = (Math.PI / 180) * EARTH_M;
    points.push({ x: east.x[i], east: (lon - origin.lon) * k * Math.cos((origin.lat * Math.PI) / 180), north: (lat - origin.lat) * k });
  }
  points.origin = origin;
  return points;
}

/** The origin {lat, lon} of a track in metres, which a map needs. */
async function originOf(fields, points, read) {
  if (fields.degrees) return points.origin;
  if (!fields.reference) return {};
  const [lat, lon] = (await Promise.all(fields.reference.map(read))).map((series) => {
    const known = series ? series.max.filter((v) => v !== null) : [];
    return known.length ? known.at(-1) : 0;
  });
  return lat || lon ? { lat, lon } : {};
}

async function readTrack(log, signal, withMap) {
  const fields = trackFields(log.topics);
  if (!fields) return null;
  const whole = [log.x(log.fromUs), log.x(log.toUs)];
  const read = (field) => log.series(field, whole, POINTS, signal, log.isGrowing);
  const [east, north, heading] = await Promise.all([read(fields.x), read(fields.y), fields.heading ? read(fields.heading) : null]);
  const points = pointsOf(fields, east, north);
  return { fields, points, heading, origin: withMap ? await originOf(fields, points, read) : {} };
}

/** The largest length of 1, 2 or 5 times a power of ten up to limit. */
function roundLength(limit) {
  const power = 10 ** Math.floor(Math.log10(limit));
  return [5, 2, 1].map((n) => n * power).find((n) => n <= limit) || power;
}

function draw(canvas, tracks, group, map) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (!width || !height) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = colours();
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.clearRect(0, 0, width, height);
  const all = tracks.flatMap((t) => (t ? t.points.filter(Boolean) : []));
  if (!all.length) return;
  let [e0, e1, n0, n1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const p of all) {
    e0 = Math.min(e0, p.east);
    e1 = Math.max(e1, p.east);
    n0 = Math.min(n0, p.north);
    n1 = Math.max(n1, p.north);
  }
  const scale = Math.min((width - 2 * MARGIN_PX) / Math.max(e1 - e0, LEAST_SPAN_M), (height - 2 * MARGIN_PX - 18) / Math.max(n1 - n0, LEAST_SPAN_M));
  const at = (p) => [width / 2 + (p.east - (e0 + e1) / 2) * scale, (height - 18) / 2 - (p.north - (n0 + n1) / 2) * scale];
  const path = (points, from, to) => {
    ctx.beginPath();
    let isDown = false;
    for (const p of points) {
      if (!p || p.x < from || p.x > to) {
        isDown = false;
        continue;
      }
      const [x, y] = at(p);
      if (isDown) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      isDown = true;
    }
    ctx.stroke();
  };
  // No map if the origin is unknown, nor for several tracks, which share one origin.
  const located = tracks.filter((t) => t && t.points.length);
  if (map && located.length === 1 && located[0].origin.lat !== undefined) {
    map.draw(ctx, { origin: located[0].origin, width, height, ratio, scale, east: (e0 + e1) / 2, north: (n0 + n1) / 2, middle: (height - 18) / 2 });
  }
  ctx.lineJoin = "round";
  tracks.forEach((track, i) => {
    if (!track) return;
    ctx.strokeStyle = c.muted;
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = 1;
    path(track.points, -Infinity, Infinity);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = c.series[i % c.series.length];
    ctx.lineWidth = 2.25;
    path(track.points, group.range[0], group.range[1]);
  });
  drawScale(ctx, c, height, scale);
  drawNorth(ctx, c, width);
  tracks.forEach((track, i) => track && drawVehicle(ctx, track, at, group, c.series[i % c.series.length], c));
}

function drawScale(ctx, c, height, scale) {
  const metres = roundLength(110 / scale);
  const y = height - 14;
  ctx.strokeStyle = c.ink;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(14, y - 5);
  ctx.lineTo(14, y);
  ctx.lineTo(14 + metres * scale, y);
  ctx.lineTo(14 + metres * scale, y - 5);
  ctx.stroke();
  ctx.fillStyle = c.ink;
  ctx.font = "12px B612, system-ui, sans-serif";
  ctx.textBaseline = "bottom";
  ctx.fillText(metres >= 1000 ? metres / 1000 + " km" : value(metres) + " m", 20 + metres * scale, y + 4);
}

function drawNorth(ctx, c, width) {
  ctx.fillStyle = c.ink;
  ctx.beginPath();
  ctx.moveTo(width - 20, 10);
  ctx.lineTo(width - 15, 24);
  ctx.lineTo(width - 20, 20);
  ctx.lineTo(width - 25, 24);
  ctx.fill();
  ctx.font = "bold 11px B612, system-ui, sans-serif";
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  ctx.fillText("N", width - 20, 27);
  ctx.textAlign = "start";
}

function placeAt(track, x) {
  let best = null;
  for (const p of track.points) {
    if (p && (best === null || Math.abs(p.x - x) < Math.abs(best.x - x))) best = p;
  }
  return best;
}

function headingAt(track, place, x) {
  const logged = track.heading && valueAt(track.heading, x);
  if (logged) return track.fields.radians ? logged.max : (logged.max * Math.PI) / 180;
  // The heading is not logged: use the direction of movement.
  const i = track.points.indexOf(place);
  const next = track.points.slice(i + 1, i + 6).find(Boolean);
  const [a, b] = next ? [place, next] : [track.points.slice(Math.max(0, i - 5), i).find(Boolean), place];
  return a && b && a !== b ? Math.atan2(b.east - a.east, b.north - a.north) : 0;
}

function drawVehicle(ctx, track, at, group, colour, c) {
  const last = track.points.findLast(Boolean);
  const x = group.cursor === null ? Math.min(group.range[1], last ? last.x : 0) : group.cursor;
  const place = last && placeAt(track, x);
  if (!place) return;
  const [left, top] = at(place);
  ctx.save();
  ctx.translate(left, top);
  ctx.rotate(headingAt(track, place, x));
  ctx.beginPath();
  ctx.moveTo(0, -11);
  ctx.lineTo(7, 8);
  ctx.lineTo(0, 4);
  ctx.lineTo(-7, 8);
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.strokeStyle = c.panel;
  ctx.lineWidth = 2;
  ctx.stroke();
  ctx.fill();
  ctx.restore();
}

/** The credit of the map: as configured, or else its server. */
function creditOf(tiles, credit) {
  if (credit) return "; map: " + credit;
  try {
    return "; map by " + new URL(tiles).host;
  } catch (e) {
    return ""; // a folder
  }
}

export function TrackPlot({ logs, group, version, tiles, credit }) {
  const canvas = useRef(null);
  const tracks = useRef([]);
  const [state, setState] = useState("loading");
  const map = useRef(null);
  const redraw = () => canvas.current && draw(canvas.current, tracks.current, group, map.current);
  useEffect(() => {
    map.current = tiles ? new TileMap(tiles, () => requestAnimationFrame(redraw)) : null;
    redraw();
    return () => {
      map.current = null;
    };
  }, [tiles, group]);
  const isGrowing = logs.some((log) => log.isGrowing);
  usePolling(async (signal) => {
    let problem = "";
    const found = await Promise.all(logs.map((log) => readTrack(log, signal, Boolean(tiles)).catch((e) => {
      problem = e.message;
      return null;
    })));
    if (signal.aborted) return;
    tracks.current = found;
    setState(found.some((t) => t && t.points.length) ? "shown" : problem ? "not read: " + problem : "none");
    redraw();
  }, isGrowing ? GROWING_EVERY_MS : NEVER_MS, [logs, version, tiles]);
  useEffect(() => {
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(redraw);
    };
    const observer = new ResizeObserver(soon);
    observer.observe(canvas.current);
    group.rangeListeners.add(soon);
    group.cursorListeners.add(soon);
    window.addEventListener("themechange", soon);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      group.rangeListeners.delete(soon);
      group.cursorListeners.delete(soon);
      window.removeEventListener("themechange", soon);
    };
  }, [group]);
  return html`<figure class="track panel">
    <figcaption>Track <span class="muted">${state === "none" ? "not in this log" : state === "loading" ? "loading …" : state === "shown" ? "north up; the visible range is bold" : state}${tiles && state === "shown" ? creditOf(tiles, credit) : ""}</span></figcaption>
    <canvas ref=${canvas} role="img" aria-label="Track of the vehicle, north up"></canvas>
  </figure>`;
}
