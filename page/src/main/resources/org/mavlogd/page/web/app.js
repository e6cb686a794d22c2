// The frame of the page: navigation, theme, login, and the view named in the address.
import { html, render, useEffect, useState } from "./lib.js";
import * as api from "./api.js";
import { readHash, writeHash } from "./route.js";
import { Now } from "./now.js";
import { Plots } from "./plots.js";
import { Logs } from "./logs.js";
import { Report } from "./report-view.js";
import { Announcer, announce } from "./parts.js";

const VIEWS = [
  ["now", "Now", Now],
  ["plots", "Plots", Plots],
  ["logs", "Logs", Logs],
  ["report", "Report", Report],
];
const THEMES = ["auto", "light", "dark"];

function ThemeButton() {
  const [choice, setChoice] = useState(window.mavlogdTheme.choice());
  const next = THEMES[(THEMES.indexOf(choice) + 1) % THEMES.length];
  const choose = () => {
    window.mavlogdTheme.choose(next);
    setChoice(next);
  };
  return html`<button class="quiet theme" onClick=${choose} title=${"Theme: " + choice + ". Change to " + next}>
    <span aria-hidden="true" class=${"theme-mark " + choice}></span>
    <span>${choice[0].toUpperCase() + choice.slice(1)}<span class="hidden"> theme</span></span>
  </button>`;
}

function Login({ onDone }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    try {
      await api.login(token);
      onDone();
    } catch (e) {
      setProblem(e.status === 401 || e.status === 403 ? "This token or password is not accepted." : e.message);
    }
  };
  return html`<main class="login" id="main">
    <form onSubmit=${submit}>
      <h1>mavlogd</h1>
      <label for="token">Token or password</label>
      <input id="token" type="password" autocomplete="current-password" value=${token} autofocus
        aria-describedby="login-problem" onInput=${(e) => setToken(e.target.value)} />
      <p id="login-problem" class="problem" role="alert">${problem}</p>
      <button class="primary" disabled=${!token}>Log in</button>
    </form>
  </main>`;
}

function App() {
  const [route, setRoute] = useState(readHash());
  const [page, setPage] = useState(null);
  const [problem, setProblem] = useState("");
  const [loginNeeded, setLoginNeeded] = useState(false);

  useEffect(() => {
    const changed = () => setRoute(readHash());
    window.addEventListener("hashchange", changed);
    api.whenLoginIsNeeded(() => setLoginNeeded(true));
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  const load = () => {
    setLoginNeeded(false);
    api.page().then(
      (found) => {
        setPage(found);
        setProblem("");
        if (!location.hash) writeHash(found.recorder ? "now" : "logs", {}, true);
      },
      (e) => setProblem(e.status === 401 ? "" : e.message),
    );
  };
  useEffect(load, []);
  useEffect(() => {
    if (!problem) return undefined;
    const timer = setTimeout(load, 2000);
    return () => clearTimeout(timer);
  });
  const logout = () => api.logout().then(() => setLoginNeeded(true), (e) => announce("Not logged out: " + e.message));

  if (loginNeeded) return html`<${Login} onDone=${load} />`;
  const [id, title, View] = VIEWS.find(([view]) => view === route.view) || VIEWS[0];
  document.title = title + " · mavlogd";
  return html`
    <a class="skip" href="#main" onClick=${(e) => {
      e.preventDefault();
      document.getElementById("main").focus();
    }}>To the content</a>
    <header class="bar">
      <span class="brand"><svg viewBox="0 0 32 20" aria-hidden="true"><path d="M1 12h6l3-10 6 16 4-10 2.5 4H31" /></svg>mavlogd</span>
      <nav aria-label="Views">
        ${VIEWS.map(([view, name]) => html`<a key=${view} href=${"#/" + view}
          aria-current=${view === id ? "page" : undefined}>${name}</a>`)}
      </nav>
      <span class="bar-end">
        <${ThemeButton} />
        ${page && page.login && html`<button class="quiet" onClick=${logout}>Log out</button>`}
      </span>
    </header>
    ${problem && html`<p class="banner bad" role="alert"><b>NOT CONNECTED</b> ${problem}. Tries again.</p>`}
    <main id="main" tabindex="-1" class=${"view-" + id}>
      ${page && html`<${View} key=${id} page=${page} route=${route} />`}
      ${!page && !problem && html`<p class="waiting">Loading …</p>`}
    </main>
    <${Announcer} />`;
}

render(html`<${App} />`, document.getElementById("app"));
