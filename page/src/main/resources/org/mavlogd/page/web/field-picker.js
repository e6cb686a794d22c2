// Search in all fields of all topics.
import { html, useEffect, useMemo, useRef, useState } from "./lib.js";
import { fieldId, presets } from "./known-fields.js";
import { Dialog } from "./parts.js";

const MOST_SHOWN = 150;

/** All fields of some logs, each once: [{id, unit, type, samples, key}]. */
function fieldsOf(logs) {
  const found = new Map();
  for (const log of logs) {
    for (const topic of log.topics) {
      for (const field of topic.fields) {
        if (field.name.startsWith("_padding") || field.type === "char") continue;
        const id = fieldId(topic, field);
        if (!found.has(id)) {
          found.set(id, { id, unit: field.unit || "", type: field.type, samples: topic.samples, leftOut: topic.left_out || 0, key: id.toLowerCase() });
        }
      }
    }
  }
  return [...found.values()];
}

/** Topics that cannot be plotted, each once, with the reason. */
function undrawableOf(logs) {
  const found = new Map();
  for (const log of logs) for (const topic of log.undrawable) found.set(topic.name + "." + topic.instance, topic);
  return [...found.values()];
}

/** Fields whose name contains every word; those with words at the start of a part come first. */
export function search(fields, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const field of fields) {
    let score = 0;
    for (const word of words) {
      const at = field.key.indexOf(word);
      if (at < 0) {
        score = -1;
        break;
      }
      score += at === 0 ? 4 : /[._]/.test(field.key[at - 1]) ? 2 : 1;
    }
    if (score >= 0) found.push([score - field.key.length / 1000, field]);
  }
  if (words.length) found.sort((a, b) => b[0] - a[0]);
  return found.map(([, field]) => field);
}

export function FieldPicker({ logs, chosen, onToggle, onPreset, onClose }) {
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const list = useRef(null);
  const fields = useMemo(() => fieldsOf(logs), [logs]);
  const undrawable = useMemo(() => undrawableOf(logs), [logs]);
  const ready = useMemo(() => presets(logs.flatMap((log) => log.topics)), [logs]);
  const found = useMemo(() => search(fields, text), [fields, text]);
  const shown = found.slice(0, MOST_SHOWN);
  useEffect(() => setMarked(0), [text]);
  useEffect(() => {
    const option = list.current && list.current.querySelector("[aria-selected=true]");
    if (option) option.scrollIntoView({ block: "nearest" });
  }, [marked]);
  const keys = (event) => {
    if (event.key === "ArrowDown") setMarked(Math.min(shown.length - 1, marked + 1));
    else if (event.key === "ArrowUp") setMarked(Math.max(0, marked - 1));
    else if (event.key === "Enter" && shown[marked]) onToggle(shown[marked].id);
    else return;
    event.preventDefault();
  };
  return html`<${Dialog} title="Fields of this strip" onClose=${onClose} wide=${true}>
    ${onPreset && ready.length > 0 && html`<div class="presets" role="group" aria-label="Ready-made strips">
      ${ready.map((preset) => html`<button key=${preset.title} onClick=${() => onPreset(preset.fields)}>${preset.title}</button>`)}</div>`}
    <label for="field-search" class="hidden">Search fields</label>
    <input id="field-search" type="search" autofocus placeholder="Search ${fields.length} fields, e.g. battery volt" value=${text}
      role="combobox" aria-expanded="true" aria-controls="field-list" autocomplete="off" spellcheck=${false}
      aria-activedescendant=${shown[marked] ? "field-" + marked : undefined}
      onInput=${(e) => setText(e.target.value)} onKeyDown=${keys} />
    <ul id="field-list" class="field-list" role="listbox" aria-label="Fields" aria-multiselectable="true" ref=${list}>
      ${shown.map((field, i) => html`<li key=${field.id} id=${"field-" + i} role="option" aria-selected=${i === marked}
        class=${chosen.includes(field.id) ? "chosen" : ""} onClick=${() => onToggle(field.id)}>
        <span class="tick" aria-hidden="true">${chosen.includes(field.id) ? "✓" : ""}</span>
        <span class="name">${field.id}${chosen.includes(field.id) ? html`<span class="hidden"> (shown)</span>` : ""}</span>
        <span class="muted">${field.unit || field.type}</span>
        <span class="muted count" title=${field.leftOut ? field.leftOut + " more with impossible times are left out" : undefined}
          >${field.samples}${field.leftOut ? "*" : ""}</span></li>`)}
    </ul>
    <p class="muted" role="status">${found.length === 0 ? "No field has these words in its name."
      : found.length > MOST_SHOWN ? "The first " + MOST_SHOWN + " of " + found.length + ". Type more to see fewer."
      : found.length + (found.length === 1 ? " field" : " fields")}</p>
    ${shown.some((field) => field.leftOut) && html`<p class="muted">* Further samples have impossible times and are left out.</p>`}
    ${undrawable.length > 0 && html`<details class="undrawable"><summary>${undrawable.length === 1 ? "1 topic" : undrawable.length + " topics"} cannot be drawn</summary>
      <ul class="plain">${undrawable.slice(0, MOST_SHOWN).map((topic) => html`<li key=${topic.name + "." + topic.instance}><b>${topic.name}</b>: ${topic.reason}</li>`)}</ul>
      ${undrawable.length > MOST_SHOWN && html`<p class="muted">and ${undrawable.length - MOST_SHOWN} more</p>`}</details>`}
    <p class="actions"><button class="primary" onClick=${onClose}>Done</button></p>
  <//>`;
}
