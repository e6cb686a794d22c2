// Runs before the first paint, so that the page does not flash in the other theme.
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("mavlogd-theme") || "auto";
    } catch (e) {
      return "auto"; // storage is switched off
    }
  };
  let choice = stored();
  const apply = () => {
    const theme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
    document.documentElement.dataset.theme = theme;
    window.dispatchEvent(new CustomEvent("themechange"));
  };
  dark.addEventListener("change", apply);
  window.mavlogdTheme = {
    choice: () => choice,
    choose(next) {
      choice = next;
      try {
        localStorage.setItem("mavlogd-theme", next);
      } catch (e) {
        // It holds until the page is closed.
      }
      apply();
    },
  };
  apply();
})();
