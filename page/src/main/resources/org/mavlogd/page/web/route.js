// The view and its settings in the address: #/plots?log=NAME&s=FIELD+FIELD ...

/** The view and its parameters, each of which may occur several times. */
export function readHash(hash = location.hash) {
  const text = hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  return {
    view: mark < 0 ? text : text.slice(0, mark),
    parameters: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)),
  };
}

/** The address of a view. values: name -> text or array of texts. */
export function hashOf(view, values = {}) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const text of Array.isArray(value) ? value : [value]) {
      if (text !== undefined && text !== null && text !== "") parameters.append(key, text);
    }
  }
  const query = parameters.toString();
  return "#/" + view + (query ? "?" + query : "");
}

/** Sets the address; with replace, without an entry in the browser's history. */
export function writeHash(view, values, replace = false) {
  const hash = hashOf(view, values);
  if (hash === location.hash) return;
  if (replace) {
    history.replaceState(null, "", hash);
    window.dispatchEvent(new Event("hashchange"));
  } else {
    location.hash = hash;
  }
}
