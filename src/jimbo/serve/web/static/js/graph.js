// The chance to win over the decisions of a run.
import { html, useEffect, useRef, useState, zoom } from "./lib.js";
import { t } from "./texts.js";

const TOPS = [0.1, 0.2, 0.5, 1];
const MOST = 3000;

export function Graph({ rows, view, step, show }) {
  const box = useRef();
  const big = zoom();
  const [HIGH, LEFT, BELOW] = [200 * big, 44 * big, 22 * big];
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const fit = new ResizeObserver(() => box.current && setWidth(box.current.clientWidth));
    fit.observe(box.current);
    return () => fit.disconnect();
  }, []);
  const last = Math.max(2, view.of + 1);
  const x = (one) => LEFT + ((one - 1) / (last - 1)) * (width - LEFT - 10);
  const highest = rows.reduce((most, row) => Math.max(most, row.win), view.done ? view.end : 0);
  const top = TOPS.find((one) => highest <= one) ?? 1;
  const y = (win) => 8 + (1 - win / top) * (HIGH - BELOW - 8);
  const every = Math.ceil(rows.length / MOST);
  const points = rows.filter((_, at) => at % every === 0).map((row) => [row.step, row.win]);
  if (view.done) points.push([last, view.end]);
  const line = points.map(([at, win]) => `${x(at).toFixed(1)},${y(win).toFixed(1)}`).join(" ");
  const antes = rows.filter((row, at) => row.ante !== rows[at - 1]?.ante);
  const here = rows.find((row) => row.step === step);
  const lost = rows.filter((row) => row.lost);
  const jump = (event) => {
    const at = 1 + ((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / (width - LEFT - 10)) * (last - 1);
    const near = rows.reduce((best, row) => (best && Math.abs(best.step - at) <= Math.abs(row.step - at) ? best : row), null);
    if (near) show(near.step, { replace: false });
  };
  const label = t("review.graph", { start: rows[0]?.win_text ?? "", end: view.done ? view.end_text : rows.at(-1)?.win_text ?? "", lost: lost.length });
  return html`
    <figure class="panel graph">
      <figcaption><b>${t("review.chance")}</b> <span class="quiet">${t("review.chance_hint")}</span></figcaption>
      <div ref=${box}><svg width=${width} height=${HIGH} role="img" aria-label=${label} onClick=${jump}>
        ${[0, 0.5, 1].map((share) => html`<g key=${share}><path class="grid" d=${`M${LEFT} ${y(share * top)}H${width - 10}`} /><text x=${LEFT - 6} y=${y(share * top) + 4} text-anchor="end">${Math.round(100 * share * top)} %</text></g>`)}
        ${antes.map((row, at) => html`<g key=${row.step}><path class="grid" d=${`M${x(row.step)} 8V${HIGH - BELOW}`} /><text x=${x(row.step) + 3} y=${HIGH - 6}>${at ? row.ante : t("review.ante", { n: row.ante })}</text></g>`)}
        ${points.length > 1 && html`<polyline class="course" points=${line} />`}
        ${here && html`<path class="now-line" d=${`M${x(here.step)} 8V${HIGH - BELOW}`} /><circle class="now-dot" cx=${x(here.step)} cy=${y(here.win)} r=${4 * big} />`}
        ${lost.slice(0, 500).map((row) => html`<circle key=${row.step} class=${`mark ${row.grade}`} cx=${x(row.step)} cy=${y(row.win)} r=${5 * big}><title>${row.step} · ${row.where} · ${row.done}: ${t("review.gave_up", { points: row.gave_up })}</title></circle>`)}
      </svg></div>
    </figure>`;
}
