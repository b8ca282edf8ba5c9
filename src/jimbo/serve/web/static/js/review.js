// Reviews: the runs that there are, and one of them as a graph, a list and positions that can be chosen again.
import { classes, html, isTyping, useEffect, useRef, useState } from "./lib.js";
import { get, post, send, watch } from "./net.js";
import { t } from "./texts.js";
import { ago } from "./start.js";
import { boardPath } from "./board.js";
import { Graph } from "./graph.js";
import { Position } from "./position.js";

export function Reviews({ go }) {
  const [listed, setListed] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [reading, setReading] = useState("");
  useEffect(() => { get("/api/reviews").then(setListed, (error) => setTrouble(error.message)); }, []);
  const open = async (file) => {
    if (!file) return;
    setTrouble("");
    setReading(file.name);
    try {
      const { id } = await send(`/api/reviews?${new URLSearchParams({ name: file.name })}`, file);
      go(`/review/${id}`);
    } catch (error) {
      setReading("");
      setTrouble(error.message);
    }
  };
  const drop = (event) => { event.preventDefault(); open(event.dataTransfer.files[0]); };
  return html`
    <div class="start">
      <h1>${t("review.title")}</h1>
      <p class="quiet">${t("review.intro")}</p>
      <section class="panel" aria-labelledby="a-file" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
        <h2 id="a-file">${t("review.open")}</h2>
        <p class="quiet">${t("review.open_hint", { mb: listed ? listed.most >> 20 : "" })}</p>
        <label>${t("review.file")}<input type="file" disabled=${Boolean(reading)} onChange=${(event) => { open(event.target.files[0]); event.target.value = ""; }} /></label>
        ${reading && html`<p class="quiet" role="status">${t("review.reading", { name: reading })}</p>`}
        <p class="trouble" role="alert">${trouble}</p>
      </section>
      <section class="panel" aria-labelledby="own-runs">
        <h2 id="own-runs">${t("review.runs")}</h2>
        ${!listed ? html`<p class="quiet">${t("app.loading")}</p>`
      : !listed.runs.length ? html`<p class="quiet">${t("review.no_runs")}</p>`
      : html`<ul class="runs">${listed.runs.map((one) => html`
          <li><a href=${`/review/${one.id}`}>
            <b>${one.seed}</b> <span>${one.game}</span>
            <span class="quiet">${t("start.ante", one)} · ${one.place} · ${one.decisions === 1 ? t("start.one_decision") : t("start.decisions", { n: one.decisions })}</span>
            ${one.won ? html`<span class="badge good">${t("start.won")}</span>` : one.over && html`<span class="badge bad">${t("start.over")}</span>`}
            <time class="quiet">${ago(one.at)}</time>
          </a></li>`)}</ul>`}
      </section>
      ${listed?.files.length > 0 && html`
        <section class="panel" aria-labelledby="own-files">
          <h2 id="own-files">${t("review.files")}</h2>
          <ul class="runs">${listed.files.map((one) => html`<li><a href=${`/review/${one.id}`}><b>${one.name}</b><time class="quiet">${ago(one.at)}</time></a></li>`)}</ul>
        </section>`}
    </div>`;
}

export function Review({ id, place, go }) {
  const [view, setView] = useState(null);
  const [lost, setLost] = useState("");
  const [trouble, setTrouble] = useState("");
  const [typed, setTyped] = useState({});
  const all = useRef([]);
  const base = `/api/reviews/${encodeURIComponent(id)}`;
  const asked = new URLSearchParams(place.split("?")[1] ?? "");
  const learning = asked.has("learn");

  const take = (next) => {
    all.current = [...all.current.slice(0, next.first), ...next.rows];
    setView({ ...next, rows: all.current });
  };
  useEffect(() => watch(`${base}/events`, { view: take }, (error) => setLost(error.message)), [id]);

  const rows = view ? view.rows.filter((row) => !row.move) : [];
  const step = Math.max(1, Number(asked.get("at")) || view?.worst?.[0]?.step || 1);
  const at = rows.findIndex((row) => row.step >= step);
  const row = rows[at];
  const show = (to, { replace = true } = {}) => go(`/review/${encodeURIComponent(id)}?at=${to}`, { replace });
  const past = view?.done && step > (rows.at(-1)?.step ?? 0);
  const walk = (by, only = () => true) => {
    const here = past || at < 0 ? rows.length : at;
    for (let next = here + by; next >= 0 && next < rows.length; next += by) {
      if (only(rows[next])) { show(rows[next].step); return; }
    }
  };
  const press = (event) => {
    if (learning || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open]")) return;
    if (event.key.startsWith("Arrow") && event.target.closest?.("[data-row]")) return;
    const marked = (one) => one.lost;
    const done = { j: () => walk(1), ArrowRight: () => walk(1), k: () => walk(-1), ArrowLeft: () => walk(-1), n: () => walk(1, marked), p: () => walk(-1, marked) }[event.key];
    if (done) { event.preventDefault(); done(); }
  };
  const pressed = useRef(press);
  pressed.current = press;
  useEffect(() => {
    const listen = (event) => pressed.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  const retry = async (from) => {
    try {
      const made = await post(`${base}/retry`, { step: from });
      go(`/play/${made.id}`);
    } catch (error) {
      setTrouble(error.message);
    }
  };
  if (lost) return html`<section class="panel"><p class="trouble" role="alert">${lost}</p><a class="button" href="/review">${t("review.other")}</a></section>`;
  if (!view) return html`<p class="quiet">${t("app.loading")}</p>`;
  const start = learning && view.worst?.length > 0;
  return html`
    <div class="review">
      <div class="head">
        <h1>${t("review.title")}</h1><span>${view.about}</span><span class="spring"></span>
        <span class="quiet">${view.seed && t("review.seed", { seed: view.seed })}</span>
      </div>
      <div class="row">
        <span class="quiet">${t("review.by", { agent: view.judge, effort: view.effort })}</span>
        ${!view.done && !view.trouble && html`<progress value=${view.judged} max=${view.of} aria-label=${t("review.judged", { n: view.judged, of: view.of })}></progress>
          <span class="quiet">${t("review.judged", { n: view.judged, of: view.of })}</span>`}
        <span class="spring"></span>
        ${view.worst?.length > 0 && html`<button type="button" class=${classes(!learning && "primary")} onClick=${() => go(`/review/${encodeURIComponent(id)}${learning ? "" : "?learn"}`)}>${t(learning ? "review.stop_learning" : "review.learn")}</button>`}
        ${["html", "json"].map((kind) => (view.done
      ? html`<a class="button" download href=${`${base}/${kind}`}>${t(`review.save_${kind}`)}</a>`
      : html`<button type="button" disabled title=${t("review.saving_waits")}>${t(`review.save_${kind}`)}</button>`))}
        <a class="button" href="/review">${t("review.other")}</a>
      </div>
      ${view.notes.map((note) => html`<p class="note">${note}</p>`)}
      <p class="trouble" role="alert">${view.trouble || trouble}</p>
      ${start ? html`<${Learn} base=${base} worst=${view.worst} retry=${retry} />` : html`
        <dl class="sums">${view.headlines.map((one) => html`<div class="panel"><dt>${one.label}</dt><dd>${one.value}</dd>${one.text.map((line) => html`<dd class="quiet">${line}</dd>`)}</div>`)}</dl>
        <${Graph} rows=${rows} view=${view} step=${past ? null : row?.step} show=${show} />
        <div class="review-body">
          <section aria-label=${row ? t("review.at", { n: row.step }) : t("review.the_end")}>
            ${row && html`<${Told} row=${row} worst=${view.worst?.find((one) => one.step === row.step)} walk=${walk} retry=${() => retry(row.step)} first=${at === 0} last=${at === rows.length - 1} position=${typed[row.step]} />
            <${Position} base=${base} step=${row.step} picked=${row.cards} seen=${(look) => setTyped({ [look.step]: look.position })} />`}
          </section>
          <aside>
            <${Worst} view=${view} step=${row?.step} show=${show} />
            <${List} rows=${rows} at=${at} show=${show} />
          </aside>
        </div>`}
    </div>`;
}

function Told({ row, worst, walk, retry, first, last, position }) {
  return html`
    <div class="panel told-decision" aria-live="polite">
      <div class="row">
        <h2>${t("review.at", { n: row.step })} <span class="quiet">${row.where}</span></h2><span class="spring"></span>
        <b>${row.win_text}</b>${row.grade && html`<span class=${`badge grade ${row.grade}`}>${row.grade}</span>`}
      </div>
      <p><b>${row.done}</b>${worst?.own && html` <span class="quiet">${worst.own}</span>`}</p>
      ${row.gave_up && html`<p class="bad">${t("review.gave_up", { points: worst?.cost ?? row.gave_up })}</p>`}
      ${row.better && html`<p>${t("review.better")}: <b>${worst?.better ?? row.better}</b></p>`}
      ${worst?.reason && html`<p class="reason">${t("review.why")}: ${worst.reason}</p>`}
      ${row.luck && html`<p class="quiet">${t("review.luck", { points: row.luck })}</p>`}
      <div class="row">
        <button type="button" disabled=${first} onClick=${() => walk(-1)}>${t("review.previous")}</button>
        <button type="button" disabled=${last} onClick=${() => walk(1)}>${t("review.next")}</button>
        <span class="spring"></span>
        ${position && html`<a class="button" href=${boardPath(position, row.cards)}>${t("play.editor")}</a>`}
        <button type="button" onClick=${retry}>${t("review.retry")}</button>
      </div>
    </div>`;
}

function Worst({ view, step, show }) {
  return html`
    <section class="panel" aria-label=${t("review.worst")}>
      <h2>${t("review.worst")}</h2>
      ${view.worst === null ? html`<p class="quiet">${t("review.worst_wait")}</p>`
    : !view.worst.length ? html`<p class="quiet">${t("review.none_worst")}</p>`
    : html`<ol class="worst">${view.worst.map((one) => html`
        <li><button type="button" class=${classes("plain", one.step === step && "here")} aria-current=${one.step === step ? "true" : undefined} onClick=${() => show(one.step, { replace: false })}>
          <span class="quiet">${one.step} · ${one.where}</span>
          <span>${one.done} → <b>${one.better}</b></span>
          <span class="bad">${t("review.gave_up", { points: one.cost })}</span>
        </button></li>`)}</ol>`}
    </section>`;
}

// Every decision; of a long run only those that are seen are drawn.
const HIGH = 52;
function List({ rows, at, show }) {
  const box = useRef();
  const [top, setTop] = useState(0);
  useEffect(() => {
    const one = box.current;
    if (!one || at < 0) return;
    if (at * HIGH < one.scrollTop) one.scrollTop = at * HIGH;
    else if ((at + 1) * HIGH > one.scrollTop + one.clientHeight) one.scrollTop = (at + 1) * HIGH - one.clientHeight;
  }, [at]);
  const first = Math.max(0, Math.floor(top / HIGH) - 4);
  const seen = rows.slice(first, first + 24);
  return html`
    <section class="panel" aria-label=${t("review.all")}>
      <h2>${t("review.all")}</h2>
      <div class="decisions" ref=${box} tabindex="0" role="listbox" aria-label=${t("review.all")} aria-activedescendant=${rows[at] ? `d${rows[at].step}` : undefined}
        onScroll=${(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown=${(event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -rows.length, End: rows.length }[event.key];
      if (!by || !rows.length) return;
      event.preventDefault();
      show(rows[Math.max(0, Math.min(rows.length - 1, at + by))].step);
    }}>
        <svg width="1" height=${rows.length * HIGH} aria-hidden="true"></svg>
        ${seen.map((row, place) => html`
          <div key=${row.step} id=${`d${row.step}`} role="option" aria-selected=${first + place === at} aria-setsize=${rows.length} aria-posinset=${first + place + 1}
            class=${classes("decision", first + place === at && "here", row.grade)} style=${{ top: `${(first + place) * HIGH}px`, height: `${HIGH}px` }} onClick=${() => show(row.step)}>
            <span class="quiet">${row.step}</span><span class="what-done">${row.done}</span><b>${row.win_text}</b>
            <span></span><span class="quiet">${row.where}</span><span class="bad">${row.gave_up && `-${row.gave_up}`}</span>
          </div>`)}
      </div>
    </section>`;
}

function Learn({ base, worst, retry }) {
  const [at, setAt] = useState(0);
  const [told, setTold] = useState(null);
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [found, setFound] = useState({});
  const one = worst[at];
  const choose = async (action, moves) => {
    setBusy(true);
    setTrouble("");
    try {
      const next = await post(`${base}/choose`, { step: one.step, moves, action });
      setTold(next);
      setFound((before) => ({ ...before, [at]: before[at] || next.good }));
    } catch (error) {
      setTrouble(error.message);
    }
    setBusy(false);
  };
  const to = (next) => { setAt(next); setTold(null); setShown(false); setTrouble(""); };
  const answers = Object.values(found);
  return html`
    <div class="review-body learn">
      <section aria-label=${t("review.learn")}>
        <${Position} key=${`${one.step} ${told ? 1 : 0}`} base=${base} step=${one.step} choose=${told || busy ? null : choose} />
      </section>
      <aside>
        <section class="panel" aria-live="polite" aria-busy=${busy}>
          <h2>${t("review.mistake", { n: at + 1, of: worst.length })} <span class="quiet">${one.where}</span></h2>
          ${busy ? html`<p class="quiet">${t("review.thinking")}</p>` : told ? html`<p><b>${told.words}</b></p><p class=${classes("verdict", told.good ? "good" : "bad")}>${told.verdict}</p>`
      : !shown && html`<p>${t("review.what_now")}</p>`}
          <p class="trouble" role="alert">${trouble}</p>
          ${(told?.good || shown) && html`
            <p>${t("review.in_the_run")}: <b>${one.done}</b>. <span class="bad">${t("review.gave_up", { points: one.cost })}</span></p>
            <p>${t("review.better")}: <b>${one.better}</b></p>
            ${one.reason && html`<p class="reason">${t("review.why")}: ${one.reason}</p>`}`}
          <div class="row">
            ${told && html`<button type="button" onClick=${() => setTold(null)}>${t("review.again")}</button>`}
            ${!shown && !told?.good && html`<button type="button" disabled=${busy} onClick=${() => { setShown(true); setFound((before) => ({ ...before, [at]: before[at] || false })); }}>${t("review.show")}</button>`}
            <span class="spring"></span>
            <button type="button" onClick=${() => retry(one.step)}>${t("review.retry")}</button>
            ${at + 1 < worst.length && html`<button type="button" class="primary" onClick=${() => to(at + 1)}>${t("review.next_one")}</button>`}
          </div>
          ${answers.length > 0 && html`<p class="quiet summary">${t("review.learned", { good: answers.filter(Boolean).length, all: answers.length })}</p>`}
        </section>
      </aside>
    </div>`;
}
