// The search for seeds: odds before it begins, and searches as they go.
import { html, useEffect, useState } from "./lib.js";
import { get, post, watch } from "./net.js";
import { t } from "./texts.js";

// Fields that choose a run: a seed, if it is asked for, a deck, a stake and a challenge.
export function RunFields({ about, asked, seed }) {
  return html`<div class="fields">
    ${seed && html`<label>${t("start.seed")}<input name="seed" required autocomplete="off" spellcheck="false" maxlength="32" defaultValue=${asked.seed ?? ""} /></label>`}
    ${["deck", "stake", "challenge"].map((name) => html`
      <label>${t(`start.${name}`)}<select name=${name}>
        ${(name === "challenge" || !seed) && html`<option value="">${t(name === "challenge" ? "start.no_challenge" : "seeds.usual")}</option>`}
        ${about[`${name}s`].map((one) => html`<option value=${one.key} selected=${asked[name] === one.key}>${one.name}</option>`)}</select></label>`)}
    ${seed && html`<label>${t("seeds.gift")}<input name="dollars" inputmode="numeric" pattern="[0-9]*" maxlength="6" defaultValue=${asked.dollars ?? ""} placeholder="0" /></label>`}
  </div>`;
}

const lines = (text) => (text ?? "").split("\n").map((one) => one.trim()).filter(Boolean);

function asked(form) {
  const data = new FormData(form);
  return {
    has: lines(data.get("has")), lacks: lines(data.get("lacks")), deck_has: lines(data.get("deck_has")), jaml: data.get("jaml") ?? "",
    deck: data.get("deck"), stake: data.get("stake"), challenge: data.get("challenge"),
    by_ante: Number(data.get("by_ante")), queue: Number(data.get("queue")), limit: Number(data.get("limit")), start: data.get("start").trim(),
  };
}

export function Searches({ about, go }) {
  const [odds, setOdds] = useState(null);
  const [kept, setKept] = useState([]);
  const [busy, setBusy] = useState("");
  const [trouble, setTrouble] = useState("");
  const [jaml, setJaml] = useState("");
  useEffect(() => { get("/api/seeds/searches").then((told) => setKept(told.searches), (error) => setTrouble(error.message)); }, []);
  const estimate = async (form) => {
    setBusy("odds");
    setTrouble("");
    setOdds(null);
    let told = null;
    try { told = await post("/api/seeds/odds", asked(form)); setOdds(told); } catch (error) { setTrouble(error.message); }
    setBusy("");
    return told;
  };
  const begin = async (event) => {
    event.preventDefault();
    const form = event.target;
    const told = odds ?? await estimate(form);
    if (!told) return;
    setBusy("start");
    try {
      const { id } = await post("/api/seeds/searches", { ...asked(form), chance: told.chance });
      go(`/seeds?search=${id}`);
    } catch (error) { setTrouble(error.message); setBusy(""); }
  };
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    if (file.size > 2 << 20) { setTrouble(t("hunt.too_long")); return; }
    setJaml(await file.text());
    setOdds(null);
  };
  return html`
    <p class="quiet">${t("hunt.intro")}</p>
    <form class="panel" onSubmit=${begin} onInput=${() => setOdds(null)}>
      <div class="fields wide-fields">
        <label>${t("hunt.has")}<textarea name="has" rows="4" spellcheck="false" placeholder=${"blueprint @ 1-2\nnegative tag @ 2"}></textarea></label>
        <label>${t("hunt.lacks")}<textarea name="lacks" rows="4" spellcheck="false" placeholder="the needle @ 1-4"></textarea></label>
      </div>
      <${RunFields} about=${about} asked=${{}} seed=${false} />
      <div class="fields">
        <label>${t("seeds.by_ante")}<select name="by_ante">${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => html`<option value=${n}>${n}</option>`)}</select></label>
        <label>${t("hunt.queue")}<input name="queue" inputmode="numeric" pattern="[0-9]*" maxlength="3" defaultValue="20" /></label>
        <label>${t("hunt.limit")}<input name="limit" inputmode="numeric" pattern="[0-9]*" maxlength="4" defaultValue="100" /></label>
        <label>${t("hunt.start")}<input name="start" maxlength="8" autocomplete="off" spellcheck="false" placeholder="11111111" /></label>
      </div>
      <details><summary>${t("hunt.more")}</summary>
        <label>${t("hunt.deck_has")}<textarea name="deck_has" rows="2" spellcheck="false" placeholder="12 hearts"></textarea></label>
        <label>${t("hunt.jaml")}<textarea name="jaml" rows="6" spellcheck="false" value=${jaml} onInput=${(event) => setJaml(event.currentTarget.value)} placeholder=${"must:\n  - joker: Blueprint\n    antes: [1, 2]"}></textarea></label>
        <label>${t("hunt.file")}<input type="file" accept=".jaml,.yaml,.yml,.json,text/plain" onChange=${read} /></label>
      </details>
      <div class="row"><button type="button" disabled=${Boolean(busy)} onClick=${(event) => estimate(event.currentTarget.form)}>${t(busy === "odds" ? "hunt.estimating" : "hunt.odds")}</button>
        <button class="primary" disabled=${Boolean(busy)}>${t("hunt.begin")}</button></div>
    </form>
    <p class="trouble" role="alert">${trouble}</p>
    <div role="status">${odds && html`<${Odds} odds=${odds} />`}</div>
    <section class="panel" aria-label=${t("hunt.kept")}>
      <h2>${t("hunt.kept")}</h2>
      ${kept.length === 0 ? html`<p class="quiet">${t("hunt.none")}</p>` : html`<ul class="runs">${kept.map((one) => html`
        <li><a href=${`/seeds?search=${one.id}`}><b>${one.filter || one.words.join(", ")}</b> <span class="quiet">${t(`hunt.state.${one.state}`)}, ${t("hunt.found", { n: one.found })}, ${t("hunt.searched", { n: one.searched })}</span></a></li>`)}</ul>`}
    </section>`;
}

function Odds({ odds }) {
  return html`
    <section class="panel" aria-label=${t("hunt.odds_title")}>
      <h2>${t("hunt.odds_title")}</h2>
      <p class="verdict-line"><b>${odds.all}</b> ${t("hunt.seeds_match")}</p>
      <p>${t("hunt.expected", { rate: odds.rate, expected: odds.expected })}</p>
      <table class="odds"><thead><tr><th>${t("hunt.condition")}</th><th>${t("hunt.chance")}</th></tr></thead>
        <tbody>${odds.each.map((one, at) => html`<tr><th scope="row">${one.words}</th><td>${one.chance}${odds.bottleneck === at && html` <span class="badge">${t("hunt.bottleneck")}</span>`}</td></tr>`)}</tbody></table>
      ${odds.independent && html`<p class="quiet">${t("hunt.independent")}</p>`}
      ${odds.checks > 0 && html`<p class="quiet">${t("hunt.checks")}</p>`}
      <${LeftOut} sentences=${odds.left_out} />
    </section>`;
}

const LeftOut = ({ sentences }) => sentences.length > 0 && html`<h3>${t("hunt.left_out")}</h3><ul class="left-out">${sentences.map((one) => html`<li>${one}</li>`)}</ul>`;

export function Search({ id, go }) {
  const [view, setView] = useState(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => watch(`/api/seeds/searches/${id}/events`, { search: setView }, (error) => setTrouble(error.message)), [id]);
  const send = async (what) => {
    setTrouble("");
    try { const told = await post(`/api/seeds/searches/${id}/${what}`); if (what === "remove") go("/seeds?find="); else setView(told); } catch (error) { setTrouble(error.message); }
  };
  const of = (seed) => `/seeds?${new URLSearchParams([["seed", seed], ...Object.entries(view.run).filter(([, value]) => value)])}`;
  return html`
    <p class="trouble" role="alert">${trouble}</p>
    ${view && html`
      <section class="panel" aria-label=${t("hunt.search")}>
        <div class="row"><h2>${view.filter || view.words.join(", ")}</h2><span class="badge" role="status">${t(`hunt.state.${view.state}`)}</span></div>
        ${view.filter && html`<p class="quiet">${view.words.join(", ")}</p>`}
        <dl class="facts">
          <div><dt>${t("hunt.hits")}</dt><dd>${view.found} / ${view.limit}</dd></div>
          <div><dt>${t("hunt.tried")}</dt><dd>${view.searched}</dd></div>
          <div><dt>${t("hunt.rate")}</dt><dd>${view.rate}</dd></div>
          <div><dt>${t("hunt.time")}</dt><dd>${view.seconds}</dd></div>
          ${view.next_hit && html`<div><dt>${t("hunt.next_hit")}</dt><dd>${view.next_hit}</dd></div>`}
        </dl>
        <p class="trouble">${view.trouble}</p>
        <div class="row">
          ${view.state === "running" && html`<button type="button" onClick=${() => send("pause")}>${t("hunt.pause")}</button>`}
          ${view.state === "paused" && html`<button type="button" class="primary" onClick=${() => send("resume")}>${t("hunt.resume")}</button>`}
          <a class="button" download href=${`/api/seeds/searches/${id}/hits.csv`}>CSV</a>
          <a class="button" download href=${`/api/seeds/searches/${id}/hits.json`}>JSON</a>
          <span class="spring"></span>
          <button type="button" onClick=${() => send("remove")}>${t("hunt.remove")}</button>
        </div>
        <${LeftOut} sentences=${view.left_out} />
      </section>
      <section class="panel" aria-label=${t("hunt.results")}>
        <h2>${t("hunt.results")}</h2>
        <p class="quiet">${t(view.scored ? "hunt.ranked_score" : "hunt.ranked")}</p>
        ${view.hits.length === 0 ? html`<p class="quiet">${t("hunt.nothing")}</p>` : html`
          <div class="wide"><table class="list hits"><thead><tr><th></th><th>${t("start.seed")}</th>${view.scored && html`<th>${t("hunt.score")}</th>`}<th>${t("hunt.rerolls")}</th><th>${t("hunt.where")}</th></tr></thead>
            <tbody>${view.hits.map((hit, at) => html`<tr key=${hit.seed}><td class="quiet">${at + 1}</td><th scope="row"><a href=${of(hit.seed)}>${hit.seed}</a></th>${view.scored && html`<td>${hit.score}</td>`}<td>${hit.rerolls}</td><td>${hit.where.join("; ")}</td></tr>`)}</tbody></table></div>`}
      </section>`}`;
}
