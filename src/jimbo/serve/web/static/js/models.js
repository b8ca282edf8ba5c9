// What was registered: entries with where they come from, gates, who was the champion, and who wins where.
import { classes, html, useEffect, useRef, useState } from "./lib.js";
import { get } from "./net.js";
import { t } from "./texts.js";

const LOOK_EVERY = 5000;
const addressOf = (id) => `/models${id ? `?entry=${id}` : ""}`;

// What a path answers, asked again and again while the page is seen.
function useAsked(path) {
  const [found, setFound] = useState(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let text = "";
    const look = () => document.hidden || get(path).then((next) => {
      setTrouble("");
      if (JSON.stringify(next) !== text) { text = JSON.stringify(next); setFound(next); }
    }, (error) => setTrouble(error.message));
    look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [path]);
  return [found, trouble];
}

export function Models({ place, go }) {
  const [found, trouble] = useAsked("/api/models");
  const [kind, setKind] = useState("");
  const kinds = [...new Set(found?.entries.map((one) => one.kind) ?? [])];
  const byId = Object.fromEntries(found?.entries.map((one) => [one.id, one]) ?? []);
  const asked = new URLSearchParams(place.split("?")[1] ?? "").get("entry");
  const shown = found?.entries.filter((one) => !kind || one.kind === kind || one.short === asked) ?? [];
  return html`
    <div class="models">
      <h1>${t("models.title")}</h1>
      <p class="quiet">${t("models.intro")}</p>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      ${!found && !trouble && html`<p class="quiet">${t("app.loading")}</p>`}
      ${found && !found.entries.length && html`<p class="panel">${t("models.none")}</p>`}
      ${found?.entries.length > 0 && html`
        <section class="panel" aria-label=${t("models.entries")}>
          <div class="row"><h2>${t("models.entries")}</h2><span class="spring"></span>
            <label class="inline">${t("models.kind")}<select value=${kind} onChange=${(event) => setKind(event.target.value)}>
              <option value="">${t("models.all")}</option>${kinds.map((one) => html`<option value=${one}>${one}</option>`)}</select></label></div>
          <ul class="entries">${shown.map((one) => html`<${Entry} key=${one.id} entry=${one} byId=${byId} gates=${found.gates} open=${one.short === asked} go=${go} />`)}</ul>
        </section>`}
      ${found?.gates.length > 0 && html`
        <section class="panel" aria-label=${t("models.gates")}><h2>${t("models.gates")}</h2>
          <ul class="entries">${found.gates.map((gate) => html`<${Gate} gate=${gate} />`)}</ul></section>`}
      ${found?.champions.length > 0 && html`
        <section class="panel" aria-label=${t("models.champions")}><h2>${t("models.champions")}</h2>
          <ol class="history">${found.champions.map((one) => html`<li><time class="quiet">${one.at}</time> <b>${one.name || t("models.nobody")}</b> <span>${one.why}</span></li>`)}</ol></section>`}
      <${Matrix} />
    </div>`;
}

function Entry({ entry, byId, gates, open, go }) {
  const box = useRef();
  useEffect(() => { if (open) box.current.scrollIntoView({ block: "nearest" }); }, [open]);
  const press = (event) => {
    event.preventDefault();
    go(addressOf(open ? "" : entry.short));
  };
  return html`
    <li ref=${box}><details open=${open}>
      <summary onClick=${press}><b>${entry.name}</b> <span class="quiet">${entry.kind} · ${entry.at} · ${entry.size}</span>
        ${entry.won && html` <span class="badge">${t("models.won", { share: entry.won })}</span>`}
        ${entry.aliases.map((one) => html` <span class="badge good">${one}</span>`)}
        ${entry.status && !entry.aliases.includes(entry.status) && html` <span class="badge">${entry.status}</span>`}</summary>
      ${open && html`<${Card} entry=${entry} byId=${byId} gates=${gates.filter((gate) => gate.entries.includes(entry.id))} />`}
    </details></li>`;
}

// The card of an entry: how it stands, how strong it is, what it was made from and how.
function Card({ entry, byId, gates }) {
  const part = (name, lines) => lines.length > 0 && html`
    <section aria-label=${t(`models.${name}`)}><h3>${t(`models.${name}`)}</h3>
      <dl class="card-lines">${lines.map((line) => html`<div><dt>${line.name}</dt><dd>${line.value}</dd></div>`)}</dl></section>`;
  return html`
    <div class="model-card">
      ${entry.why && html`<p>${entry.why}</p>`}
      <p class="quiet code">${entry.short}</p>
      ${part("results", entry.results)}
      ${gates.length > 0 && html`<section aria-label=${t("models.its_gates")}><h3>${t("models.its_gates")}</h3>
        ${gates.map((gate) => html`<p><${Verdict} gate=${gate} /> ${t("models.against", gate)} <span class="quiet">${gate.gate} · ${gate.at}</span></p>`)}</section>`}
      ${entry.parents.length > 0 && html`<section aria-label=${t("models.lineage")}><h3>${t("models.lineage")}</h3><${Lineage} entry=${entry} byId=${byId} deep=${0} /></section>`}
      ${part("made", entry.made)}
      ${part("about", entry.about)}
      ${part("files", entry.files.map(({ name, size }) => ({ name, value: size })))}
    </div>`;
}

function Lineage({ entry, byId, deep }) {
  return html`<ul class="lineage">${entry.parents.map((one) => html`
    <li>${byId[one.id] ? html`<a href=${addressOf(byId[one.id].short)}>${one.name}</a>` : html`<b>${one.name}</b>`} <span class="quiet">${byId[one.id] ? `${byId[one.id].kind} · ${byId[one.id].at}` : t("models.removed")}</span>
      ${byId[one.id]?.parents.length > 0 && deep < 8 && html`<${Lineage} entry=${byId[one.id]} byId=${byId} deep=${deep + 1} />`}</li>`)}</ul>`;
}

const Verdict = ({ gate }) => html`<span class=${classes("badge", { promote: "good", reject: "bad" }[gate.verdict])}>${gate.verdict}</span>`;

function Gate({ gate }) {
  return html`
    <li><div class="row"><${Verdict} gate=${gate} />
        <b>${t("models.against", gate)}</b><span class="quiet">${gate.gate} · ${gate.at}</span></div>
      <p>${gate.reason}</p>
      ${gate.stages.map((stage) => html`<div class="stage"><b>${stage.name}</b><${Ratio} stage=${stage} /><span class="quiet">${stage.line}</span></div>`)}
      ${gate.guards.length > 0 && html`<details><summary>${t("models.guards")}</summary>
        <ul>${gate.guards.map((guard) => html`<li><span class=${guard.passed ? "good" : "bad"}>${guard.passed ? "✓" : "✗"} ${guard.name}</span> ${guard.text}</li>`)}</ul></details>`}
    </li>`;
}

// The logarithm of the likelihood ratio between the two bounds at which a test ends, and the gain with its interval.
function Ratio({ stage }) {
  const [low, high] = stage.bounds;
  const wide = 1.15 * Math.max(-low, high);
  const at = (value) => 150 + 140 * Math.min(1, Math.max(-1, value / wide));
  const told = t("models.ratio", { llr: stage.llr.toFixed(2), low: low.toFixed(2), high: high.toFixed(2) });
  const by = at(stage.llr);
  return html`<svg class="ratio" viewBox="0 0 300 54" role="img" aria-label=${told}><title>${told}</title>
    <rect class="reject" x="4" y="16" width=${at(low) - 4} height="16" /><rect class="accept" x=${at(high)} y="16" width=${296 - at(high)} height="16" />
    <path class="axis" d=${`M4 24H296M${at(low)} 12v24M${at(high)} 12v24`} /><path class="zero" d=${`M${at(0)} 16v16`} />
    <path class="reach" d=${`M${at(0)} 24H${by}`} /><circle cx=${by} cy="24" r="6" />
    <text x=${by} y="10" text-anchor=${by > 250 ? "end" : by < 50 ? "start" : "middle"} class="value">${stage.llr.toFixed(2)}</text>
    <text x="4" y="48">${t("models.low", { low: low.toFixed(2) })}</text>
    <text x="296" y="48" text-anchor="end">${t("models.high", { high: high.toFixed(2) })}</text></svg>`;
}

// Decks against stakes: the share of games that an agent won, from evaluations that are kept.
function Matrix() {
  const [found, trouble] = useAsked("/api/models/matrix");
  const [player, setPlayer] = useState("");
  const mine = found?.players.find((one) => one.player === player) ?? found?.players[0];
  const cells = Object.fromEntries((mine?.cells ?? []).map((one) => [`${one.deck} ${one.stake}`, one]));
  const decks = found?.decks.filter((deck) => mine?.cells.some((one) => one.deck === deck.key)) ?? [];
  const stakes = found?.stakes.filter((stake) => mine?.cells.some((one) => one.stake === stake.key)) ?? [];
  return html`
    <section class="panel" aria-label=${t("models.matrix")}>
      <div class="row"><h2>${t("models.matrix")}</h2><span class="spring"></span>
        ${mine && html`<label class="inline">${t("models.player")}<select value=${mine.player} onChange=${(event) => setPlayer(event.target.value)}>
          ${found.players.map((one) => html`<option value=${one.player}>${one.player}</option>`)}</select></label>`}</div>
      <p class="quiet">${t("models.matrix_hint")}</p>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      ${found && !mine && html`<p>${t("models.no_matrix")}</p>`}
      ${mine && html`<div class="wide"><table class="matrix"><thead><tr><td></td>${stakes.map((one) => html`<th scope="col">${one.name}</th>`)}</tr></thead>
        <tbody>${decks.map((deck) => html`<tr><th scope="row">${deck.name}</th>${stakes.map((stake) => {
          const cell = cells[`${deck.key} ${stake.key}`];
          return cell ? html`<td title=${cell.source} style=${{ "--share": `${Math.round(100 * cell.share)}%` }}><b>${cell.won}</b><br /><span class="quiet">${cell.interval}</span><br /><span class="quiet">${cell.games}</span></td>` : html`<td class="quiet none">–</td>`;
        })}</tr>`)}</tbody></table></div>`}
    </section>`;
}
