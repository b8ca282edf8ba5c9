// The shell: pages by their addresses, navigation, colours, keys.
import { classes, html, isTyping, render, signal, useEffect, useRef } from "./lib.js";
import { offline } from "./net.js";
import { has, t } from "./texts.js";
import { Play } from "./play.js";
import { Start } from "./start.js";
import { Health } from "./health.js";
import { Training } from "./training.js";
import { Models } from "./models.js";
import { Seeds } from "./seeds.js";
import { Review, Reviews } from "./review.js";
import { Board } from "./board.js";

const PAGES = [
  { name: "play", path: "/play", key: "p" },
  { name: "review", path: "/review", key: "r" },
  { name: "board", path: "/board", key: "b" },
  { name: "seeds", path: "/seeds", key: "s" },
  { name: "training", path: "/training", key: "t" },
  { name: "models", path: "/models", key: "m" },
  { name: "health", path: "/health", key: "h" },
];
const KEYS = {
  everywhere: ["?", "t", "g", "esc"],
  board: ["numbers", "b", "h", "shift", "esc"],
  review: ["j", "n", "numbers", "esc"],
  play: ["numbers", "arrows", "shift", "p", "d", "c", "x", "r", "s", "u", "h", "y", "n", "a"],
};
const SIGNS = { numbers: "1 … 9 0", arrows: "← →", shift: "Shift ← →", esc: "Esc", g: "g", j: "j k ← →", n: "n p" };

const place = signal(location.pathname + location.search);
const keysOpen = signal(false);
const theme = signal(document.documentElement.dataset.theme ?? "auto");

export function go(path, { replace = false } = {}) {
  if (path === place.value) return;
  history[replace ? "replaceState" : "pushState"](null, "", path);
  place.value = path;
}
addEventListener("popstate", () => { place.value = location.pathname + location.search; });

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || link.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

function nextTheme() {
  const names = ["auto", "light", "dark"];
  const next = names[(names.indexOf(theme.value) + 1) % names.length];
  theme.value = next;
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try { localStorage.setItem("theme", next === "auto" ? "" : next); } catch { /* it is not kept */ }
}

let going = 0;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (going && Date.now() - going < 1500) {
    going = 0;
    const page = PAGES.find((one) => one.key === event.key);
    if (page) {
      event.stopImmediatePropagation();
      go(page.path);
      return;
    }
  }
  if (event.key === "?") keysOpen.value = !keysOpen.value;
  else if (event.key === "t") nextTheme();
  else if (event.key === "g") going = Date.now();
}, true);

function Keys() {
  const dialog = useRef();
  useEffect(() => { if (!dialog.current.open) dialog.current.showModal(); }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby="keys-title" onClose=${() => { keysOpen.value = false; }}
      onClick=${(event) => event.target === dialog.current && dialog.current.close()}>
      <h2 id="keys-title">${t("keys.title")}</h2>
      ${Object.entries(KEYS).map(([group, keys]) => html`
        <h3>${t(`keys.${group}`)}</h3>
        <dl class="keys">${keys.map((key) => html`<div><dt><kbd>${(group === "play" && key === "n" ? key : SIGNS[key]) ?? key}</kbd></dt><dd>${t(has(`keys.${group}.${key}`) ? `keys.${group}.${key}` : `keys.${key}`)}</dd></div>`)}</dl>`)}
      <button type="button" onClick=${() => dialog.current.close()}>${t("app.close")}</button>
    </dialog>`;
}

function Page() {
  const [path] = place.value.split("?");
  const parts = path.split("/").filter(Boolean);
  switch (parts[0] ?? "play") {
    case "play": return parts[1] ? html`<${Play} key=${parts[1]} id=${decodeURIComponent(parts[1])} go=${go} />` : html`<${Start} go=${go} />`;
    case "review": return parts[1] ? html`<${Review} key=${parts[1]} id=${decodeURIComponent(parts[1])} place=${place.value} go=${go} />` : html`<${Reviews} go=${go} />`;
    case "board": return html`<${Board} place=${place.value} go=${go} />`;
    case "training": return html`<${Training} place=${place.value} go=${go} />`;
    case "seeds": return html`<${Seeds} place=${place.value} go=${go} />`;
    case "models": return html`<${Models} place=${place.value} go=${go} />`;
    case "health": return html`<${Health} />`;
    default: return html`<p class="quiet">${t("app.lost")}</p>`;
  }
}

function Shell() {
  const here = place.value.split(/[/?]/)[1] || "play";
  useEffect(() => { document.title = has(`nav.${here}`) ? `${t(`nav.${here}`)} · Jimbo` : "Jimbo"; }, [here]);
  return html`
    <a class="skip" href="#content" onClick=${(event) => { event.preventDefault(); document.getElementById("content").focus(); }}>${t("app.skip")}</a>
    <header>
      <a class="brand" href="/play"><img src="/static/icon.svg" alt="" width="26" height="26" />Jimbo</a>
      <nav aria-label=${t("app.nav")}>
        ${PAGES.map((page) => html`<a href=${page.path} class=${classes(here === page.name && "here")} aria-current=${here === page.name ? "page" : undefined}>${t(`nav.${page.name}`)}</a>`)}
      </nav>
      <span class="spring"></span>
      <button type="button" class="plain" onClick=${nextTheme} aria-label=${t("app.theme", { theme: t(`theme.${theme.value}`) })}
        title=${t("app.theme", { theme: t(`theme.${theme.value}`) })}>${{ auto: "◐", light: "☀", dark: "☾" }[theme.value]}</button>
      <button type="button" class="plain" onClick=${() => { keysOpen.value = true; }} aria-label=${t("app.keys")} title=${t("app.keys")}>?</button>
    </header>
    ${offline.value && html`<p class="banner" role="alert">${t("app.offline")}</p>`}
    <main id="content" tabindex="-1"><${Page} /></main>
    ${keysOpen.value && html`<${Keys} />`}`;
}

const root = document.getElementById("page");
root.textContent = "";
render(html`<${Shell} />`, root);
