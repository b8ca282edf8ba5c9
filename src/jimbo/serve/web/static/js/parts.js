// How a hand scores, and what a step brought.
import { classes, html } from "./lib.js";

export const Parts = ({ parts }) => html`
  <ol class="breakdown">${parts.map((part) => html`<li class=${part.kind}><span>${part.who}</span><span>${part.what}</span>
    <span class="totals">${part.totals && html`<i class="chips">${part.totals[0]}</i> × <i class="mult">${part.totals[1]}</i>`}</span></li>`)}</ol>`;

export const Told = ({ told }) => {
  const scored = told.filter((one) => one.score);
  const others = told.filter((one) => !one.totals);
  return html`${scored.map((one) => html`<div class="told">${one.text}</div>`)}${others.map((one) => html`<div class=${classes("told", one.kind)}>${one.text}</div>`)}`;
};
