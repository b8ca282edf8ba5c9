// Trainings as they run: a list, and the curves of those that are chosen.
import { classes, html, keep, kept, useEffect, useMemo, useRef, useState } from "./lib.js";
import { get, watch } from "./net.js";
import { t } from "./texts.js";
import { Chart, colour } from "./chart.js";

const LOOK_EVERY = 3000;

function since(seconds) {
  const gone = Math.max(0, Date.now() / 1000 - seconds);
  if (gone < 90) return t("training.seconds_ago", { n: Math.round(gone) });
  if (gone < 5400) return t("training.minutes_ago", { n: Math.round(gone / 60) });
  return new Date(seconds * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

const chosenIn = (place) => new URLSearchParams(place.split("?")[1] ?? "").getAll("run");
const addressOf = (ids) => `/training${ids.length ? "?" : ""}${ids.map((id) => `run=${encodeURIComponent(id)}`).join("&")}`;

export function Training({ place, go }) {
  const [list, setList] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [filter, setFilter] = useState("");
  const chosen = chosenIn(place);
  useEffect(() => {
    const look = () => document.hidden || get("/api/trainings").then((found) => { setList(found); setTrouble(""); }, (error) => setTrouble(error.message));
    look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const toggle = (id) => go(addressOf(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-12)));
  const known = new Set(list?.runs.map((run) => run.id));
  const there = chosen.filter((id) => known.has(id));
  const missing = chosen.filter((id) => !known.has(id));
  const shown = (list?.runs ?? []).filter((run) => `${run.id} ${run.kind} ${run.title}`.toLowerCase().includes(filter.toLowerCase()));
  return html`
    <div class="training">
      <h1>${t("training.title")}</h1>
      ${list && html`<p class="quiet">${t("training.intro", { folder: list.folder })}</p>`}
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      ${list && missing.length > 0 && html`<p class="panel trouble" role="alert">${t("training.missing", { names: missing.join(", ") })} <a class="button small" href=${addressOf(there)}>${t("training.forget")}</a></p>`}
      ${there.length > 0 && html`<${Curves} key=${there.join("|")} ids=${there} />`}
      <section class="panel" aria-label=${t("training.runs")}>
        <div class="row"><p class="quiet">${t("training.choose")}</p><span class="spring"></span>
          <label class="inline">${t("training.filter")}<input type="search" value=${filter} onInput=${(event) => setFilter(event.target.value)} /></label></div>
        ${!list ? html`<p class="quiet">${t("app.loading")}</p>` : !list.runs.length ? html`<p>${t("training.none")}</p>` : html`
          <div class="wide"><table class="list">
            <thead><tr><td></td>${["name", "kind", "progress", "result", "speed", "memory", "changed"].map((name) => html`<th scope="col">${t(`training.${name}`)}</th>`)}</tr></thead>
            <tbody>${shown.map((run) => html`
              <tr key=${run.id} class=${classes(chosen.includes(run.id) && "on")}>
                <td><input type="checkbox" checked=${chosen.includes(run.id)} onChange=${() => toggle(run.id)} aria-label=${t("training.show", { name: run.id })} /></td>
                <th scope="row"><a href=${addressOf([run.id])}>${run.id}</a> <span class="quiet">${run.title}</span></th>
                <td>${t(`training.kind.${run.kind}`)}</td>
                <td><span class=${classes("badge", run.running && "good")}>${t(run.running ? "training.running" : "training.ended")}</span>
                  ${run.done !== null && html` <progress value=${run.done} max="1" aria-label=${t("training.progress")}></progress> ${Math.round(100 * run.done)} %`}</td>
                <td>${run.trouble ? html`<span class="bad">${run.trouble}</span>` : run.result}</td>
                <td>${run.speed}</td><td>${run.memory}</td>
                <td><time>${since(run.changed)}</time></td>
              </tr>`)}</tbody></table></div>`}
      </section>
    </div>`;
}

function Curves({ ids }) {
  const [runs, setRuns] = useState({});
  const [smooth, setSmooth] = useState(kept("smooth", 0));
  const [log, setLog] = useState(kept("log", false));
  const [trouble, setTrouble] = useState("");
  const known = useRef({});
  const query = ids.map((id) => `run=${encodeURIComponent(id)}`).join("&");
  useEffect(() => watch(`/api/trainings/events?${query}`, {
    rows: (data) => {
      const before = known.current[data.about.id] ?? { rows: [], pace: [] };
      const rows = [...before.rows.slice(0, data.from), ...data.rows];
      const pace = [...before.pace.slice(0, data.pace_from), ...data.pace];
      known.current = { ...known.current, [data.about.id]: { about: data.about, rows, pace } };
      setRuns(known.current);
    },
  }, (error) => setTrouble(error.message)), [query]);
  const shown = ids.filter((id) => runs[id]);
  const setAndKeep = (name, set) => (value) => { set(value); keep(name, value); };
  const of = (table) => shown.map((id, at) => ({ id, at, rows: runs[id][table] }));
  const names = useMemo(() => ({ rows: namesIn(of("rows")), pace: namesIn(of("pace")) }), [runs]);
  const charts = (table, x) => names[table].map((name) => {
    const curves = of(table).filter((one) => one.rows.some((row) => name in row));
    return html`<${Chart} key=${name} name=${name} smooth=${smooth} log=${log} curves=${curves} x=${x ?? runs[curves[0].id].about.x} />`;
  });
  return html`
    <section class="panel" aria-label=${t("training.curves")}>
      <div class="row">
        <label class="inline">${t("training.smooth")}<input type="range" min="0" max="0.98" step="0.02" value=${smooth} onInput=${(event) => setAndKeep("smooth", setSmooth)(Number(event.target.value))} /></label>
        <label class="inline"><input type="checkbox" checked=${log} onChange=${(event) => setAndKeep("log", setLog)(event.target.checked)} />${t("training.log")}</label>
        <span class="spring"></span>
        <a class="button" download href=${`/api/trainings/csv?${query}`}>${t("training.csv")}</a>
        <a class="button" href="/training">${t("app.close")}</a>
      </div>
      ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      <ul class="legend">${shown.map((id, at) => html`
        <li key=${id}><b><i class="dot" style=${{ background: colour(at) }}></i>${id}</b> <span class=${classes("badge", runs[id].about.running && "good")}>${t(runs[id].about.running ? "training.running" : "training.ended")}</span>
          ${runs[id].about.trouble && html`<span class="bad">${runs[id].about.trouble}</span>`}
          <dl class="facts">${runs[id].about.facts.map((fact) => html`<div key=${fact.name}><dt>${fact.name}</dt><dd>${fact.value}</dd></div>`)}</dl></li>`)}</ul>
      <${Strength} runs=${shown.map((id, at) => ({ id, at, strength: runs[id].about.strength }))} />
      ${shown.length > 0 && !names.rows.length && html`<p class="quiet">${t("training.no_curves")}</p>`}
      <div class="charts">${charts("rows")}</div>
      ${names.pace.length > 0 && html`
        <section aria-label=${t("training.pace")}>
          <div class="row"><h2>${t("training.pace")}</h2><span class="spring"></span>
            <a class="button small" download href=${`/api/trainings/csv?${query}&table=pace`}>${t("training.pace_csv")}</a></div>
          <div class="charts">${charts("pace", t("training.minutes"))}</div>
        </section>`}
    </section>`;
}

// The numbers of some runs, those of the newest rows first; the ends of intervals belong to their numbers.
function namesIn(tables) {
  const found = new Set();
  for (const { rows } of tables) for (const name of Object.keys(rows.at(-1) ?? {})) found.add(name);
  for (const { rows } of tables) for (const row of rows) for (const name of Object.keys(row)) found.add(name);
  return [...found].filter((name) => name !== "x" && !/\/(low|high)$/.test(name));
}

// Shares of judged games that were won, one below the other, so that they can be compared.
function Strength({ runs }) {
  const rows = runs.flatMap(({ id, at, strength }) => strength.map((one) => ({ ...one, id, at })));
  if (!rows.length) return null;
  const top = Math.min(1, Math.max(0.05, ...rows.map((one) => (one.high ?? one.won) * 1.1)));
  const x = (share) => 4 + (share / top) * 192;
  return html`
    <section aria-label=${t("training.strength")}><h2>${t("training.strength")}</h2>
      <div class="wide"><table class="strength"><thead><tr>${["run", "judged", "games", "won", "scale", "ante"].map((name) => html`<th scope="col">${name === "scale" ? t("training.scale", { top: Math.round(100 * top) }) : t(`training.${name}`)}</th>`)}</tr></thead>
        <tbody>${rows.map((one) => html`<tr key=${`${one.id} ${one.what}`}>
          <th scope="row"><i class="dot" style=${{ background: colour(one.at) }}></i>${one.id}</th><td>${one.what}</td><td>${one.games ? one.games.toLocaleString("en") : ""}</td><td>${one.text}</td>
          <td><svg class="interval" viewBox="0 0 200 14" role="img" aria-label=${one.text}><path class="axis" d="M4 7h192" />
            ${one.low !== null && html`<path style=${{ stroke: colour(one.at) }} d=${`M${x(one.low)} 7H${x(one.high)}M${x(one.low)} 3v8M${x(one.high)} 3v8`} />`}
            <circle style=${{ fill: colour(one.at) }} cx=${x(one.won)} cy="7" r="4" /></svg></td>
          <td>${one.ante}</td></tr>`)}</tbody></table></div>
    </section>`;
}
