// The state that the strips of a page share: the visible time range, the cursor, and the zoom history.

const LEAST_WIDTH_S = 1e-5;
const MAX_HISTORY = 50;

/** x is in seconds: since the start of the log, or UTC. */
export class PlotGroup {
  constructor() {
    this.range = [0, 1];
    this.whole = [0, 1];
    this.cursor = null;
    this.strips = new Set();
    this.rangeListeners = new Set();
    this.cursorListeners = new Set();
    this.history = [];
  }

  setWhole(whole) {
    this.whole = whole;
  }

  isWhole() {
    const slack = (this.whole[1] - this.whole[0]) * 1e-6;
    return Math.abs(this.range[0] - this.whole[0]) <= slack && Math.abs(this.range[1] - this.whole[1]) <= slack;
  }

  /** Shows a range; with remember, the old one is added to the history. */
  show(from, to, remember = false) {
    let [x0, x1] = from <= to ? [from, to] : [to, from];
    const limit = Math.max(this.whole[1] - this.whole[0], LEAST_WIDTH_S);
    const width = Math.min(Math.max(x1 - x0, LEAST_WIDTH_S), limit);
    const middle = (x0 + x1) / 2;
    x0 = Math.max(this.whole[0], Math.min(middle - width / 2, this.whole[1] - width));
    x1 = x0 + width;
    if (x0 === this.range[0] && x1 === this.range[1]) return;
    if (remember) {
      this.history.push(this.range);
      if (this.history.length > MAX_HISTORY) this.history.shift();
    }
    this.place(x0, x1);
  }

  /** Shows a range beyond the limits of the log, to follow a log that is being written. */
  place(x0, x1) {
    this.range = [x0, x1];
    for (const strip of this.strips) strip.showRange();
    for (const listener of this.rangeListeners) listener(this.range);
  }

  back() {
    const last = this.history.pop();
    if (last) this.place(last[0], last[1]);
  }

  showAll() {
    this.show(this.whole[0], this.whole[1], true);
  }

  /** Zooms around x; a factor below 1 zooms in. */
  zoom(factor, x = this.cursor) {
    const [x0, x1] = this.range;
    const at = x === null || x < x0 || x > x1 ? (x0 + x1) / 2 : x;
    this.show(at - (at - x0) * factor, at + (x1 - at) * factor);
  }

  pan(part) {
    const width = this.range[1] - this.range[0];
    this.show(this.range[0] + part * width, this.range[1] + part * width);
  }

  setCursor(x) {
    if (x === this.cursor) return;
    this.cursor = x;
    for (const strip of this.strips) strip.showCursor();
    for (const listener of this.cursorListeners) listener(x);
  }

  /** Moves the cursor by a part of the visible range. */
  stepCursor(part) {
    const [x0, x1] = this.range;
    const from = this.cursor === null || this.cursor < x0 || this.cursor > x1 ? (x0 + x1) / 2 : this.cursor;
    this.setCursor(Math.min(x1, Math.max(x0, from + part * (x1 - x0))));
  }

  /** Whether a key changes the range, and not only the cursor. */
  isMove(event) {
    return event.key.startsWith("Arrow") ? event.shiftKey : ["PageUp", "PageDown", "+", "=", "-", "_", "0", "Home", "Backspace"].includes(event.key);
  }

  /** Handles a key of a strip; false for other keys. */
  key(event) {
    const far = event.shiftKey;
    switch (event.key) {
      case "ArrowLeft": far ? this.pan(-0.25) : this.stepCursor(-0.005); return true;
      case "ArrowRight": far ? this.pan(0.25) : this.stepCursor(0.005); return true;
      case "PageUp": this.pan(-0.9); return true;
      case "PageDown": this.pan(0.9); return true;
      case "+": case "=": this.zoom(0.5); return true;
      case "-": case "_": this.zoom(2); return true;
      case "0": case "Home": this.showAll(); return true;
      case "Backspace": this.back(); return true;
      case "Escape": this.setCursor(null); return true;
      default: return false;
    }
  }
}
