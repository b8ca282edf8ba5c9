// The board editor: any position as text and as widgets, its score, its distribution, advice. The address holds all of it.
import { classes, html, isTyping, useEffect, useRef, useState } from "./lib.js";
import { get, post } from "./net.js";
import { t } from "./texts.js";
import { Parts } from "./parts.js";
import { Hand, Head, Looked, Middle, More, Zone } from "./table.js";
import { Widgets } from "./widgets.js";

const WAIT = 250;
const REASONABLE = 60;

export const boardPath = (text, cards = []) => `/board?${new URLSearchParams({ p: text, ...(cards.length ? { cards: cards.join() } : {}) })}`;

export function Board({ place, go }) {
  const asked = new URLSearchParams(place.split("?")[1] ?? "");
  const text = asked.get("p") ?? "";
  const cards = (asked.get("cards") ?? "").split(",").filter((one) => /^\d{1,2}$/.test(one)).map(Number);
  const [catalog, setCatalog] = useState(null);
  const [view, setView] = useState(null);
  const [typed, setTyped] = useState(text);
  const [wrong, setWrong] = useState(null);
  const [advice, setAdvice] = useState(null);
  const [looked, setLooked] = useState(null);
  const number = useRef(0);
  const timer = useRef(0);
  const known = useRef(null);
  const latest = useRef(null);
  const queue = useRef(Promise.resolve());
  const waiting = useRef(0);
  const [hoped, setHoped] = useState(null);
  const field = useRef();

  useEffect(() => { get("/api/board").then(setCatalog, (error) => setWrong(error)); }, []);
  const show = (next, chosen = []) => go(boardPath(next, chosen), { replace: true });
  const ask = async (body) => {
    const mine = ++number.current;
    try {
      const next = await post("/api/board", body);
      if (mine !== number.current) return null;
      latest.current = next;
      setView(next);
      setWrong(null);
      return next;
    } catch (error) {
      if (mine === number.current) setWrong(error);
      return null;
    }
  };
  useEffect(() => {
    clearTimeout(timer.current);
    setAdvice(null);
    if (known.current === place) return;
    if (text !== typed.trim()) setTyped(text);
    ask({ text, cards }).then((next) => { if (next && !text) setTyped(next.text); });
  }, [place]);
  const type = (value) => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => value.trim() && show(value.trim()), WAIT);
  };
  // One change after another, each made in what the one before left. ``make`` returns what a part holds from what it held.
  // Until the server has answered all of them, the widgets stand as they were set.
  const change = (part, make, more = {}) => {
    waiting.current += 1;
    setHoped((before) => {
      const base = before ?? latest.current.widgets;
      if (base[part] === undefined || more.hand) return before;
      const next = make(base[part]);
      return Array.isArray(next) && next.length > base[part].length ? before : { ...base, [part]: next };
    });
    queue.current = queue.current.then(async () => {
      const before = latest.current;
      const kept = part === "hand" ? [] : cards;
      const next = await ask({ text: before.text, cards: kept, change: { part, value: make(before.widgets[part]), ...more } });
      waiting.current -= 1;
      if (!waiting.current) setHoped(null);
      if (!next) return;
      known.current = boardPath(next.text, kept);
      setTyped(next.text);
      show(next.text, kept);
    });
  };
  const choose = (places) => show(text || view.text, places);
  const hand = view?.board.hand ?? [];
  const toggle = (card) => choose(cards.includes(card.place) ? cards.filter((one) => one !== card.place) : [...cards, card.place].sort((one, other) => one - other));
  const move = (kind, from, to) => {
    const part = { card: "hand", joker: "jokers", consumable: "consumables" }[kind];
    if (from === to) return;
    change(part, (held) => {
      const items = [...held];
      items.splice(to, 0, ...items.splice(from, 1));
      return items;
    });
  };
  const inOrder = (order) => {
    const part = order.what === "jokers" ? "jokers" : "hand";
    change(part, (items) => [...order.places, ...items.keys()].filter((one, at, all) => all.indexOf(one) === at).map((one) => items[one]));
  };
  const advise = async () => {
    setAdvice({ thinking: true });
    const mine = number.current;
    try {
      const found = await post("/api/board/advice", { text: text || view.text });
      if (mine === number.current) setAdvice(found);
    } catch (error) {
      setAdvice(null);
      setWrong(error);
    }
  };
  const play = async () => {
    try {
      const made = await post("/api/board/play", { text: text || view.text });
      go(`/play/${made.id}`);
    } catch (error) {
      setWrong(error);
    }
  };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open]")) return;
    if (/^[0-9]$/.test(event.key) && hand[(Number(event.key) || 10) - 1]) toggle(hand[(Number(event.key) || 10) - 1]);
    else if (event.key === "Escape") { choose([]); setLooked(null); }
    else if (event.key === "b" && view?.chances) choose(view.chances.best.places);
    else if (event.key === "h" && view) advise();
  };
  const pressed = useRef(press);
  pressed.current = press;
  useEffect(() => {
    const listen = (event) => pressed.current(event);
    document.addEventListener("keydown", listen);
    return () => { clearTimeout(timer.current); document.removeEventListener("keydown", listen); };
  }, []);
  const point = () => { field.current.focus(); field.current.setSelectionRange(wrong.data.start, wrong.data.end); };

  const tools = { options: {}, choose: () => {}, setLooked, looked, move, can_act: true };
  const board = view?.board;
  return html`
    <div class="board">
      <h1>${t("board.title")}</h1>
      <p class="quiet">${t("board.intro")}</p>
      <section class="panel">
        <label>${t("board.text")}<textarea ref=${field} rows=${Math.min(6, 1 + Math.ceil(typed.length / REASONABLE / 2))} spellcheck="false" maxlength=${catalog?.longest} value=${typed} onInput=${(event) => type(event.currentTarget.value)}></textarea></label>
        ${wrong && html`<p class="trouble" role="alert">${wrong.message} ${wrong.data?.end !== undefined && html`<button type="button" class="small" onClick=${point}>${t("board.point")}</button>`}</p>`}
        <div class="row">
          <button type="button" disabled=${!view} onClick=${play} title=${t("board.play_hint")}>${t("board.play")}</button>
          <button type="button" disabled=${!view || advice?.thinking} onClick=${advise}>${t("board.advise")}</button>
          <button type="button" disabled=${!view} onClick=${() => change("hand", () => [])}>${t("board.no_hand")}</button>
          <span class="spring"></span><span class="quiet">${t("board.share")}</span>
        </div>
      </section>
      ${view && html`<div class="review-body">
        <section class="table" aria-label=${t("board.drawn")}>
          <${Head} view=${view} level="2" />
          <${Middle} board=${board} tools=${tools} />
          <${Zone} kind="joker" name=${t("play.jokers")} room=${board.joker_room} items=${board.jokers} tools=${tools} />
          ${board.consumables.length > 0 && html`<${Zone} kind="consumable" name=${t("play.consumables")} room=${board.consumable_room} items=${board.consumables} tools=${tools} />`}
          <${Looked} view=${view} tools=${tools} />
          ${hand.length > 0 && html`<${Hand} board=${board} chosen=${new Set(hand.filter((card) => cards.includes(card.place)).map((card) => card.id))} toggle=${toggle} tools=${tools} />`}
          <${Score} view=${view} cards=${cards} choose=${choose} inOrder=${inOrder} />
          ${advice && html`<${Advice} advice=${advice} />`}
          <${More} board=${board} />
        </section>
        <aside aria-label=${t("board.widgets")}>${catalog && html`<${Widgets} view=${hoped ? { ...view, widgets: hoped } : view} catalog=${catalog} change=${change} />`}</aside>
      </div>`}
    </div>`;
}

function Score({ view, cards, choose, inOrder }) {
  const { score, chances, why } = view;
  if (!chances) return null;
  const { play, best } = chances;
  return html`
    <section class="panel" aria-label=${t("board.score")} aria-live="polite">
      ${play ? html`
        <p class="verdict-line"><b class=${play.beats ? "good" : ""}>${play.mean}</b> ${play.hand} · <span class=${play.beats ? "good" : "bad"}>${play.verdict}</span></p>
        ${play.quantiles.length > 0 && html`<${Spread} play=${play} /><p class="quiet">${play.words}</p>`}
        ${score && html`<details class="parts" open><summary>${t("advice.breakdown")}</summary><${Parts} parts=${score.parts} /></details>`}`
    : html`<p class="quiet">${(cards.length && why) || t("play.choose")}</p>`}
      ${chances.orders.map((order) => html`<p>${t(`board.order_${order.what}`)}: <b>${order.words}</b>, ${order.expected} <button type="button" class="small" onClick=${() => inOrder(order)}>${t("board.take_order")}</button></p>`)}
      ${chances.is_best ? html`<p class="good">${t("board.is_best")}</p>`
    : html`<p>${t("advice.best")}: <b>${best.cards}</b>, ${best.hand}, ${best.mean} <button type="button" class="small" onClick=${() => choose(best.places)}>${t("board.choose_best")}</button></p>`}
    </section>`;
}

// What is scored in so many of the worlds: from the lowest to the highest of the quantiles, the middle half as a box.
function Spread({ play }) {
  const values = play.quantiles.map((one) => one.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (value) => 6 + ((value - low) / (high - low || 1)) * 388;
  return html`
    <svg class="spread" viewBox="0 0 400 58" role="img" aria-label=${play.words}>
      <path class="grid" d=${`M${x(values[0])} 16H${x(values[4])}`} />
      <rect x=${x(values[1])} y="6" width=${Math.max(1, x(values[3]) - x(values[1]))} height="20" rx="3" />
      <path class="middle" d=${`M${x(values[2])} 4V28`} />
      ${play.needed > low && play.needed < high && html`<path class="needed" d=${`M${x(play.needed)} 0V32`} />`}
      ${play.quantiles.map((one, at) => (at % 2 ? null : html`<text x=${x(one.value)} y="44" text-anchor=${["start", "", "middle", "", "end"][at]}>${one.text}</text><text class="share" x=${x(one.value)} y="56" text-anchor=${["start", "", "middle", "", "end"][at]}>${one.share}</text>`))}
    </svg>`;
}

function Advice({ advice }) {
  return html`
    <section class="panel" aria-label=${t("advice.title")} aria-live="polite" aria-busy=${Boolean(advice.thinking)}>
      ${advice.thinking ? html`<p class="quiet">${t("review.thinking")}</p>` : html`
        <h2>${t("advice.suggests", { agent: advice.agent })} ${advice.win && html`<span class="quiet">${t("advice.win")} ${advice.win}</span>`}</h2>
        <ol class="suggestions">${advice.suggestions.map((one) => html`
          <li class=${classes(one.chosen && "first")}>
            <div class="row"><b class="words">${one.words}${one.then && html`<span class="quiet">, ${one.then}</span>`}</b><span class="spring"></span><span class="value">${one.clear || one.value}</span></div>
            ${one.expected && html`<p class="expected">${one.expected}</p>`}
            ${one.reason && html`<p class="reason">${one.reason}</p>`}
          </li>`)}</ol>`}
    </section>`;
}
