// The colours of the theme, read from app.css, for drawing on a canvas.

const COUNT = 8;
export const MODE_COLOURS = 6;

export function colours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: COUNT }, (_, i) => get("--series-" + (i + 1))),
    modes: Array.from({ length: MODE_COLOURS }, (_, i) => get("--mode-" + (i + 1))),
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

/** Adds an opacity from 0 to 1 to #rrggbb. */
export const withAlpha = (colour, alpha) => colour + Math.round(alpha * 255).toString(16).padStart(2, "0");

function hashOf(word) {
  let hash = 7;
  for (const letter of String(word)) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return hash;
}

/** An index below count for each word: different ones as long as there are enough, and mostly the same in every log. */
export function indexesOf(words, count) {
  const indexes = new Map();
  const taken = new Set();
  for (const word of words) {
    if (indexes.has(word)) continue;
    let index = hashOf(word) % count;
    while (taken.has(index) && taken.size < count) index = (index + 1) % count;
    taken.add(index);
    indexes.set(word, index);
  }
  return indexes;
}
