// Where runs begin, and those that were played.
import { html, useEffect, useState } from "./lib.js";
import { get, post } from "./net.js";
import { t } from "./texts.js";

export const ago = (seconds) => new Date(seconds * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

export function Start({ go }) {
  const [about, setAbout] = useState(null);
  const [games, setGames] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    get("/api/about").then(setAbout, (error) => setTrouble(error.message));
    get("/api/games").then(setGames, (error) => setTrouble(error.message));
  }, []);
  const start = async (event) => {
    event.preventDefault();
    const asked = Object.fromEntries(new FormData(event.target));
    if (asked.challenge) asked.deck = "";
    setBusy(true);
    try {
      const { id } = await post("/api/games", asked);
      go(`/play/${id}`);
    } catch (error) {
      setTrouble(error.message);
      setBusy(false);
    }
  };
  return html`
    <div class="start">
      <h1>${t("start.title")}</h1>
      <p class="quiet">${t("start.intro")}</p>
      ${games?.real && html`
        <section class="panel row">
          <h2>${t("start.real")}</h2><span class="spring"></span>
          <a class="button primary" href=${`/play/${games.real}`}>${t("start.real_go")}</a>
        </section>`}
      <form class="panel" onSubmit=${start} aria-labelledby="new-run">
        <h2 id="new-run">${t("start.new")}</h2>
        <div class="fields">
          <label>${t("start.seed")}<input name="seed" autocomplete="off" spellcheck="false" maxlength="32" placeholder=${t("start.seed_hint")} /></label>
          <label>${t("start.deck")}<select name="deck">${about?.decks.map((one) => html`<option value=${one.key} title=${one.text}>${one.name}</option>`)}</select></label>
          <label>${t("start.stake")}<select name="stake">${about?.stakes.map((one) => html`<option value=${one.key}>${one.name}</option>`)}</select></label>
          <label>${t("start.challenge")}<select name="challenge"><option value="">${t("start.no_challenge")}</option>${about?.challenges.map((one) => html`<option value=${one.key} title=${one.text}>${one.name}</option>`)}</select></label>
        </div>
        <button class="primary" disabled=${busy || !about}>${t("start.go")}</button>
        ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      </form>
      <section class="panel" aria-labelledby="earlier">
        <h2 id="earlier">${t("start.earlier")}</h2>
        ${!games ? html`<p class="quiet">${t("app.loading")}</p>`
      : !games.games.length ? html`<p class="quiet">${t("start.none")}</p>`
      : html`<ul class="runs">${games.games.map((one) => html`
          <li><a href=${`/play/${one.id}`}>
            <b>${one.seed}</b> <span>${one.game}</span>
            <span class="quiet">${t("start.ante", { n: one.ante, ante: one.ante })} · ${one.place} · ${one.decisions === 1 ? t("start.one_decision") : t("start.decisions", { n: one.decisions })}</span>
            ${one.won ? html`<span class="badge good">${t("start.won")}</span>` : one.over && html`<span class="badge bad">${t("start.over")}</span>`}
            <time class="quiet">${ago(one.at)}</time>
          </a></li>`)}</ul>`}
      </section>
    </div>`;
}
