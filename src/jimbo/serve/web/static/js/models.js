// What was registered: entries with where they come from, gates, and who was the champion.
import { classes, html, useEffect, useState } from "./lib.js";
import { get } from "./net.js";
import { t } from "./texts.js";

export function Models() {
  const [found, setFound] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [kind, setKind] = useState("");
  useEffect(() => { get("/api/models").then(setFound, (error) => setTrouble(error.message)); }, []);
  const kinds = [...new Set(found?.entries.map((one) => one.kind) ?? [])];
  const byId = Object.fromEntries(found?.entries.map((one) => [one.id, one]) ?? []);
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
          <ul class="entries">${found.entries.filter((one) => !kind || one.kind === kind).map((one) => html`<${Entry} key=${one.id} entry=${one} byId=${byId} />`)}</ul>
        </section>`}
      ${found?.gates.length > 0 && html`
        <section class="panel" aria-label=${t("models.gates")}><h2>${t("models.gates")}</h2>
          <ul class="entries">${found.gates.map((gate) => html`<${Gate} gate=${gate} />`)}</ul></section>`}
      ${found?.champions.length > 0 && html`
        <section class="panel" aria-label=${t("models.champions")}><h2>${t("models.champions")}</h2>
          <ol class="runs">${found.champions.map((one) => html`<li class="row"><time class="quiet">${one.at}</time><b>${one.name || t("models.nobody")}</b><span>${one.why}</span></li>`)}</ol></section>`}
    </div>`;
}

function Entry({ entry, byId }) {
  return html`
    <li><details>
      <summary><b>${entry.name}</b> <span class="quiet">${entry.kind} · ${entry.at} · ${entry.size}</span>
        ${entry.won && html` <span class="badge">${t("models.won", { share: entry.won })}</span>`}
        ${entry.aliases.map((one) => html` <span class="badge good">${one}</span>`)}
        ${entry.status && !entry.aliases.includes(entry.status) && html` <span class="badge">${entry.status}</span>`}</summary>
      ${entry.why && html`<p>${entry.why}</p>`}
      <p class="quiet code">${entry.short}</p>
      ${entry.parents.length > 0 && html`<p>${t("models.from")}</p><${Lineage} entry=${entry} byId=${byId} deep=${0} />`}
      <dl class="card-lines">${entry.card.map((line) => html`<div><dt>${line.name}</dt><dd>${line.value}</dd></div>`)}
        ${entry.files.map((file) => html`<div><dt class="code">${file.name}</dt><dd>${file.size}</dd></div>`)}</dl>
    </details></li>`;
}

function Lineage({ entry, byId, deep }) {
  return html`<ul class="lineage">${entry.parents.map((one) => html`
    <li><b>${one.name}</b> <span class="quiet">${byId[one.id] ? `${byId[one.id].kind} · ${byId[one.id].at}` : t("models.removed")}</span>
      ${byId[one.id]?.parents.length > 0 && deep < 8 && html`<${Lineage} entry=${byId[one.id]} byId=${byId} deep=${deep + 1} />`}</li>`)}</ul>`;
}

function Gate({ gate }) {
  return html`
    <li><div class="row"><span class=${classes("badge", { promote: "good", reject: "bad" }[gate.verdict])}>${gate.verdict}</span>
        <b>${t("models.against", gate)}</b><span class="quiet">${gate.gate} · ${gate.at}</span></div>
      <p>${gate.reason}</p>
      ${gate.stages.map((stage) => html`<div class="stage"><span>${stage.name}</span><${Ratio} stage=${stage} /><span class="quiet">${stage.line}</span></div>`)}
      ${gate.guards.length > 0 && html`<details><summary>${t("models.guards")}</summary>
        <ul>${gate.guards.map((guard) => html`<li><span class=${guard.passed ? "good" : "bad"}>${guard.passed ? "✓" : "✗"} ${guard.name}</span> ${guard.text}</li>`)}</ul></details>`}
    </li>`;
}

// The logarithm of the likelihood ratio between the two bounds at which a test ends.
function Ratio({ stage }) {
  const [low, high] = stage.bounds;
  const at = (value) => 4 + 152 * Math.min(1, Math.max(0, (value - low) / (high - low)));
  const told = t("models.ratio", { llr: stage.llr.toFixed(2), low: low.toFixed(2), high: high.toFixed(2) });
  return html`<svg class="ratio" viewBox="0 0 160 16" role="img" aria-label=${told}><title>${told}</title>
    <path class="axis" d="M4 8h152 M4 3v10 M156 3v10" /><path class="zero" d=${`M${at(0)} 4v8`} /><circle cx=${at(stage.llr)} cy="8" r="4.5" /></svg>`;
}
