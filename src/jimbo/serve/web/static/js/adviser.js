// The adviser: what it would do, and why.
import { classes, html, keep, kept, useState } from "./lib.js";
import { t } from "./texts.js";
import { Parts } from "./parts.js";

export function Adviser({ view, send, last, mark }) {
  const { advice } = view;
  const [pause, setPause] = useState(kept("pause", view.pause));
  const step = () => last.current.steps;
  const setSpeed = (event) => {
    const next = Number(event.target.value);
    setPause(next);
    keep("pause", next);
    if (view.auto) send("auto", { on: true, pause: next });
  };
  const ready = advice.status === "ready";
  return html`
    <section class="panel adviser" aria-label=${t("advice.title")} aria-busy=${advice.status === "thinking"}>
      <div class="row">
        <h2>${ready ? t("advice.suggests", { agent: advice.agent }) : t("advice.title")}</h2>
        ${ready && advice.win && html`<p class="win">${t("advice.win")} <b class="good">${advice.win}</b></p>`}
        <span class="spring"></span>
        <label class="inline">${t("advice.mode")}
          <select value=${view.mode} onChange=${(event) => send("mode", { mode: event.target.value })}>
            ${["request", "always", "teach"].map((mode) => html`<option value=${mode}>${t(`advice.${mode}`)}</option>`)}
          </select></label>
      </div>
      <div class="row">
        <button type="button" onClick=${() => send("hint")} disabled=${advice.status !== "off"}>${t("advice.ask")}</button>
        <button type="button" class=${classes(view.auto && "on")} aria-pressed=${view.auto} disabled=${!view.can_act || view.mode === "teach" || advice.status === "over"}
          onClick=${() => send("auto", { on: !view.auto, pause })}>${view.auto ? t("advice.stop") : t("advice.auto")}</button>
        <label class="inline">${t("advice.pause", { s: pause })}<input type="range" min="0.1" max="3" step="0.1" value=${pause} onInput=${setSpeed} /></label>
      </div>
      <div role="status" class="advice-state">${{
    off: html`<p class="quiet">${t("advice.off", { agent: advice.agent })}</p>`,
    thinking: html`<p class="quiet">${t("advice.thinking", { agent: advice.agent })}</p>`,
    failed: html`<p class="trouble">${t("advice.failed")} ${advice.why}</p>`,
    lesson: html`<${Lesson} advice=${advice} />`,
    over: html`<p class="quiet">${t("advice.over")}</p>`,
  }[advice.status] ?? html`<${Headline} advice=${advice} />`}</div>
      ${ready && html`
        <ol class="suggestions" aria-label=${t("advice.list")}>${advice.suggestions.map((one, at) => html`
          <li class=${classes(one.chosen && "first")} onMouseEnter=${() => mark(one.action)} onMouseLeave=${() => mark(null)} onFocusIn=${() => mark(one.action)} onFocusOut=${() => mark(null)}>
            <div class="row">
              <b class="words">${one.words}${one.then && html`<span class="quiet">, ${one.then}</span>`}</b>
              <span class="spring"></span>
              ${one.clear ? html`<span class="value" title=${t("advice.clear")}>${one.clear}</span>` : one.value && html`<span class=${classes("value", one.value.startsWith("+") && "good", one.value.startsWith("-") && "bad")} title=${advice.measure_text}>${one.value}</span>`}
            </div>
            ${one.expected && html`<p class="expected">${one.expected}</p>`}
            ${one.reason && html`<p class="reason">${one.reason}</p>`}
            <div class="row">
              <button type="button" class=${classes(at === 0 && "primary")} disabled=${!view.can_act} aria-label=${`${t("advice.do")}: ${one.words}`}
                onClick=${() => send("accept", { place: at, step: step() })}>${t("advice.do")}</button>
              <button type="button" aria-label=${`${t("advice.refuse")}: ${one.words}`} onClick=${() => send("refuse", { place: at, step: step() })}>${t("advice.refuse")}</button>
              ${one.score && html`<details><summary>${t("advice.breakdown")}</summary><${Parts} parts=${one.score.parts} /></details>`}
            </div>
          </li>`)}</ol>`}
    </section>`;
}

function Lesson({ advice }) {
  const one = advice.compared;
  return html`
    ${one ? html`<p><b>${one.words}</b></p><p class=${classes("verdict", one.good ? "good" : "bad")}>${one.verdict}</p>
      ${one.reasons.map((why) => html`<p class="reason"><b>${why.about}:</b> ${why.text}</p>`)}`
    : html`<p class="quiet">${t("advice.choose_first", { agent: advice.agent })}</p>`}
    <p class="quiet summary">${advice.summary}</p>`;
}

function Headline({ advice }) {
  if (!advice.score && !advice.clear) return html`<p class="quiet">${t("advice.waits", { what: advice.waits_for })}</p>`;
  return html`<p class="headline">
    ${advice.clear && html`<span>${t("advice.clear")} <b class=${advice.clear_share >= 0.5 ? "good" : "bad"}>${advice.clear}</b></span>`}
    ${advice.score && html`<span>${t("advice.best")}: <b class=${advice.score.beats ? "good" : ""}>${advice.score.expected}</b>, ${advice.score.verdict}</span>`}
  </p>`;
}
