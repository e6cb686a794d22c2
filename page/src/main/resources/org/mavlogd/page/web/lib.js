// The libraries of the page in one place.
import { h, render, Fragment } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { h, render, Fragment };
export { useState, useEffect, useLayoutEffect, useMemo, useRef, useCallback } from "./vendor/hooks.js";
export const html = htm.bind(h);
// Loaded as a script before the modules: uPlot has no minified module.
export const uPlot = globalThis.uPlot;
