// Small parts that several views use.
import { html, useEffect, useRef, useState } from "./lib.js";

let announceNow = () => {};

/** Announces a short text to screen readers and shows it for a moment. */
export function announce(text) {
  announceNow(text);
}

export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let timer;
    announceNow = (next) => {
      setText(next);
      clearTimeout(timer);
      timer = setTimeout(() => setText(""), 6000);
    };
    return () => clearTimeout(timer);
  }, []);
  return html`<div class=${"toast" + (text ? " shown" : "")} role="status">${text}</div>`;
}

/** A modal dialog; closed by Escape, a click beside it, or its buttons. */
export function Dialog({ title, onClose, children, wide }) {
  const element = useRef(null);
  useEffect(() => {
    const dialog = element.current;
    dialog.showModal();
    return () => dialog.open && dialog.close();
  }, []);
  return html`<dialog ref=${element} class=${wide ? "wide" : ""} aria-label=${title} onClose=${onClose}
    onClick=${(e) => e.target === element.current && onClose()}>
    <div class="dialog-body"><h2>${title}</h2>${children}</div>
  </dialog>`;
}

/**
 * Calls load(signal) at once and then after every pause, while the page is in sight; a failed call does not end it. load shows what
 * failed.
 */
export function usePolling(load, pauseMs, inputs = []) {
  useEffect(() => {
    const controller = new AbortController();
    let timer;
    let isMissed = false;
    const round = async () => {
      const startedMs = performance.now();
      isMissed = document.hidden;
      try {
        if (!isMissed) await load(controller.signal);
      } catch (e) {
        if (!controller.signal.aborted) console.warn(e);
      }
      if (controller.signal.aborted) return;
      timer = setTimeout(round, Math.max(100, pauseMs - (performance.now() - startedMs)));
    };
    // A tab that was opened in the background loads when it becomes visible.
    const seen = () => {
      if (document.hidden || !isMissed) return;
      clearTimeout(timer);
      round();
    };
    document.addEventListener("visibilitychange", seen);
    round();
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, inputs);
}

// Positions of a receiver at rest vary by this much: a smaller track is a point.
const LEAST_TRACK_M = 5;
const SEVERE = new Set(["emergency", "alert", "critical", "error"]);

export function levelClass(level) {
  const text = String(level || "").toLowerCase();
  return SEVERE.has(text) ? "bad" : text === "warning" ? "warn" : "plain";
}

/** The track as a small picture: points in metres east and north. */
export function Thumbnail({ track, label }) {
  if (!track || track.length < 2) return html`<span class="thumbnail none" title="no track"></span>`;
  const xs = track.map((p) => p[0]);
  const ys = track.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const extent = Math.max(x1 - x0, y1 - y0);
  if (!(extent >= LEAST_TRACK_M)) {
    return html`<svg class="thumbnail" viewBox="0 0 40 40" role="img" aria-label=${(label || "track") + ": stood still"}>
      <circle cx="20" cy="20" r="2.6" /></svg>`;
  }
  const scale = 36 / extent;
  const at = (p) => (20 + (p[0] - (x0 + x1) / 2) * scale).toFixed(1) + " " + (20 - (p[1] - (y0 + y1) / 2) * scale).toFixed(1);
  const last = at(track[track.length - 1]).split(" ");
  return html`<svg class="thumbnail" viewBox="0 0 40 40" role="img" aria-label=${label || "track"}>
    <path d=${"M" + track.map(at).join("L")} /><circle cx=${last[0]} cy=${last[1]} r="2.6" />
  </svg>`;
}
