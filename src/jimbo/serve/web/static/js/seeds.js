// What a seed holds, ante by ante.
import { html, useEffect, useState } from "./lib.js";
import { get, post } from "./net.js";
import { t } from "./texts.js";

const NAMES = ["seed", "deck", "stake", "challenge"];

export function Seeds({ place, go }) {
  const [about, setAbout] = useState(null);
  const [found, setFound] = useState(null);
  const [trouble, setTrouble] = useState("");
  const query = place.split("?")[1] ?? "";
  const asked = Object.fromEntries(new URLSearchParams(query));
  useEffect(() => { get("/api/about").then(setAbout, (error) => setTrouble(error.message)); }, []);
  useEffect(() => {
    setTrouble("");
    if (!asked.seed) { setFound(null); return; }
    get(`/api/seeds?${query}`).then(setFound, (error) => { setFound(null); setTrouble(error.message); });
  }, [query]);
  const show = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const chosen = NAMES.map((name) => [name, data.get(name)]).filter(([, value]) => value);
    go(`/seeds?${new URLSearchParams(chosen)}`);
  };
  const play = async () => {
    try {
      const { id } = await post("/api/games", { seed: found.seed, deck: found.challenge ? "" : found.deck, stake: found.stake, challenge: found.challenge ?? "" });
      go(`/play/${id}`);
    } catch (error) {
      setTrouble(error.message);
    }
  };
  return html`
    <div class="seeds">
      <h1>${t("seeds.title")}</h1>
      <p class="quiet">${t("seeds.intro")}</p>
      ${about && html`<form class="panel" onSubmit=${show} key=${query}>
        <div class="fields">
          <label>${t("start.seed")}<input name="seed" required autocomplete="off" spellcheck="false" maxlength="32" defaultValue=${asked.seed ?? ""} /></label>
          ${["deck", "stake", "challenge"].map((name) => html`
            <label>${t(`start.${name}`)}<select name=${name}>
              ${name === "challenge" && html`<option value="">${t("start.no_challenge")}</option>`}
              ${about[`${name}s`].map((one) => html`<option value=${one.key} selected=${asked[name] === one.key}>${one.name}</option>`)}</select></label>`)}
        </div>
        <button class="primary">${t("seeds.show")}</button>
      </form>`}
      <p class="trouble" role="alert">${trouble}</p>
      ${found && html`
        <div class="row"><h2>${found.seed} <span class="quiet">${found.game}</span></h2><span class="spring"></span><button type="button" onClick=${play}>${t("seeds.play")}</button></div>
        <p class="quiet">${found.assumed}</p>
        ${found.antes.map((ante) => html`<${Ante} key=${ante.ante} ante=${ante} />`)}`}
    </div>`;
}

const Named = ({ item }) => html`<b>${item.name}</b> <span class="quiet">${item.text}</span>`;

const Card = ({ card }) => html`<span class=${`chip kind-${card.kind || "card"}`} title=${card.text}>${card.name}</span>`;

function Ante({ ante }) {
  const souls = [...ante.legendaries];
  return html`
    <section class="panel" aria-label=${t("play.ante", { n: ante.ante })}>
      <h2>${t("play.ante", { n: ante.ante })}</h2>
      <dl class="ante">
        <div><dt>${t("seeds.boss")}</dt><dd><${Named} item=${ante.boss} /></dd></div>
        <div><dt>${t("play.voucher")}</dt><dd><${Named} item=${ante.voucher} /></dd></div>
        <div><dt>${t("play.tags")}</dt><dd>${ante.tags.map((tag) => html`<div><${Named} item=${tag} /></div>`)}</dd></div>
        <div><dt>${t("play.shop")}</dt><dd><ol class="queue">${ante.shop.map((card) => html`<li><${Card} card=${card} /></li>`)}</ol></dd></div>
        <div><dt>${t("play.packs")}</dt><dd>${ante.packs.map((pack) => html`<div><b>${pack.name}</b> ${pack.cards.map((card) => html`<${Card} card=${card} />${card.name === "The Soul" && souls.length > 0 && html` → <${Card} card=${souls.shift()} />`}`)}</div>`)}</dd></div>
      </dl>
    </section>`;
}
