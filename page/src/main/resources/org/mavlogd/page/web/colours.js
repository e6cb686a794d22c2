// The colours of the theme, read from app.css, for what is drawn on a canvas.

const COUNT = 8;

export function colours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: COUNT }, (_, i) => get("--series-" + (i + 1))),
    modes: Array.from({ length: 6 }, (_, i) => get("--mode-" + (i + 1))),
    ink: get("--ink"),
    muted: get("--muted"),
    grid: get("--grid"),
    hairline: get("--hairline"),
    accent: get("--accent"),
    armed: get("--armed"),
    bad: get("--bad"),
    warn: get("--warn"),
    panel: get("--panel"),
  };
}

/** #rrggbb with an opacity from 0 to 1. */
export const withAlpha = (colour, alpha) => colour + Math.round(alpha * 255).toString(16).padStart(2, "0");

/** The same index for the same word, whatever else is in the log. */
export function indexOf(word, count) {
  let hash = 7;
  for (const letter of String(word)) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return hash % count;
}
