// Requests to the server. Every failure is an Error with a message for people; status is 0 when nothing answered.

class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let onLoginNeeded = () => {};

/** Sets the function to call when a request is rejected because there is no session. */
export function whenLoginIsNeeded(listener) {
  onLoginNeeded = listener;
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch("api/v1/" + path, { credentials: "same-origin", ...options });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new ApiError(0, "the page's server does not answer");
  }
  if (response.ok) return response;
  let message = response.status + " " + response.statusText;
  try {
    message = (await response.json()).error || message;
  } catch (e) {
    // Not JSON: the status is the message.
  }
  if (response.status === 401) onLoginNeeded();
  throw new ApiError(response.status, message);
}

const getJson = async (path, signal) => (await request(path, { signal })).json();

// A form of another site cannot send the header.
const change = (method, path, body, type = "text/plain;charset=utf-8") =>
  request(path, {
    method,
    body,
    headers: body === undefined ? { "X-Mavlogd": "1" } : { "X-Mavlogd": "1", "Content-Type": type },
  });

const logPath = (name) => "logs/" + encodeURIComponent(name);
export const downloadPath = (name) => "api/v1/" + logPath(name);

export const page = () => getJson("page");
export const status = (signal) => getJson("status", signal);
export const logs = async (signal) => (await logList(signal)).logs;
/** The logs, a line about uploads, and one about directories without logs whose subfolders are not read; either may be empty. */
export const logList = async (signal) => {
  const { logs = [], uploads = "", unread = "" } = await getJson("logs", signal);
  return { logs, uploads, unread };
};
export const topics = (name, signal) => getJson(logPath(name) + "/topics", signal);
export const modes = (name, signal) => getJson(logPath(name) + "/modes", signal);
export const report = (name, signal) => getJson(logPath(name) + "/report", signal);

function query(values) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (Array.isArray(value)) value.forEach((each) => parameters.append(key, each));
    else if (value !== undefined && value !== null && value !== "") parameters.set(key, value);
  }
  const text = parameters.toString();
  return text ? "?" + text : "";
}

export const series = (name, field, range, signal) =>
  getJson(logPath(name) + "/series" + query({ field, ...range }), signal);
export const messages = (name, range, signal) => getJson(logPath(name) + "/messages" + query(range), signal);

// choice: {topic: [], from, to, time}
const exportQuery = (name, kind, choice) => logPath(name) + "/export/" + kind + query(choice);
export const exportPath = (name, kind, choice) => "api/v1/" + exportQuery(name, kind, choice);
export const exported = (name, kind, choice, signal) => request(exportQuery(name, kind, choice), { signal });

export const keep = (name, kept) => change(kept ? "PUT" : "DELETE", logPath(name) + "/keep");
export const remark = (name, text) => change("PUT", logPath(name) + "/remark", text);
export const remove = (name) => change("DELETE", logPath(name));
// vehicle: {link, system_id, component_id}
const order = (command, body) => change("POST", "fetch/" + command, JSON.stringify(body), "application/json");
export const cards = (signal) => getJson("fetch", signal);
export const cardLogs = (vehicle, signal) => getJson("fetch/logs" + query(vehicle), signal);
export const listCard = (vehicle) => order("list", vehicle);
export const startFetch = (vehicle, list, ids) => order("start", { ...vehicle, list, ids });
export const cancelFetch = (vehicle) => order("cancel", vehicle);
export const login = (token) => change("POST", "login", JSON.stringify({ token }), "application/json");
export const logout = () => change("POST", "logout");
