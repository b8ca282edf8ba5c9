// A game: the table, what can be done, and the adviser.
import { classes, html, isTyping, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { get, post, watch } from "./net.js";
import { t } from "./texts.js";
import { Adviser } from "./adviser.js";
import { boardPath } from "./board.js";
import { Hand, Head, Log, Looked, Middle, More, MOVES, Scored, Zone } from "./table.js";

const CONTINUE = ["select_blind", "cash_out", "leave_shop"];
const SKIP = ["skip_blind", "skip_pack"];
const REROLL = ["reroll", "reroll_boss"];

export function Play({ id, go }) {
  const [view, setView] = useState(null);
  const [chosen, setChosen] = useState(new Set());
  const [weighed, setWeighed] = useState(null);
  const [orders, setOrders] = useState([]);
  const [looked, setLooked] = useState(null);
  const [marked, setMarked] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [lost, setLost] = useState("");
  const last = useRef(null);
  const asked = useRef(0);
  const base = `/api/games/${encodeURIComponent(id)}`;

  const take = (next) => {
    const known = last.current;
    if (known && known.boot === next.boot && next.version < known.version) return;
    const moved = !known || known.steps !== next.steps || known.board.phase !== next.board.phase;
    last.current = next;
    setView(next);
    if (moved) setMarked(null);
    const here = new Set(next.board.hand.map((card) => card.id));
    setChosen((before) => {
      const still = [...before].filter((one) => here.has(one));
      const forced = next.board.hand.filter((card) => card.face.forced).map((card) => card.id);
      return new Set([...still, ...forced]);
    });
  };

  useEffect(() => watch(`${base}/events`, { view: take }, (error) => setLost(error.message)), [id]);

  const places = view ? view.board.hand.filter((card) => chosen.has(card.id)).map((card) => card.place) : [];
  const wanted = `${view?.steps} ${places.join()} ${view?.board.hand.map((card) => card.id).join()}`;
  useLayoutEffect(() => {  // before the screen is painted: a score should come with the card that rises
    const number = ++asked.current;
    if (!view || !places.length) { setWeighed(null); return; }
    post(`${base}/weigh`, { cards: places }).then(
      (found) => number === asked.current && setWeighed(found),
      (error) => number === asked.current && setTrouble(error.message),
    );
  }, [wanted]);

  // Better orders are a hint: they are looked for when the adviser has been asked, and the choice is made for a moment.
  const hinted = view?.advice.status === "ready" && view.board.phase === "selecting_hand";
  useEffect(() => {
    setOrders([]);
    if (!hinted || !places.length) return undefined;
    const timer = setTimeout(() => post(`${base}/orders`, { cards: places }).then((found) => setOrders(found.orders), () => {}), 200);
    return () => clearTimeout(timer);
  }, [wanted, hinted]);

  const options = weighed && places.length ? weighed.options : view?.options ?? {};

  const send = async (name, body = {}) => {
    try {
      setTrouble("");
      take(await post(`${base}/${name}`, body));
      return true;
    } catch (error) {
      setTrouble(error.message);
      if (error.status === 409) get(base).then(take, () => {});
      return false;
    }
  };
  const act = (action) => send("act", { action, step: last.current.steps });
  const choose = (name) => {
    const option = options[name];
    if (!option) return;
    if (option.why_not) { setTrouble(option.why_not); return; }
    setChosen(new Set());
    act(option.action);
  };
  const toggle = (card) => setChosen((before) => {
    const next = new Set(before);
    if (!next.delete(card.id) || card.face.forced) next.add(card.id);
    return next;
  });
  const move = (kind, index, to) => index !== to && act({ kind: MOVES[kind], index, to, cards: [] });
  const branch = async (deal) => {
    try {
      const made = await post(`${base}/branch`, { deal, step: last.current.steps });
      go(`/play/${made.id}`);
    } catch (error) {
      setTrouble(error.message);
    }
  };
  const edit = async () => {
    try {
      go(boardPath((await get(`${base}/position`)).text, places));
    } catch (error) {
      setTrouble(error.message);
    }
  };
  const first = (names) => names.find((name) => options[name]);

  const press = (event) => {
    if (!last.current || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (isTyping(event)) return;
    const hand = last.current.board.hand;
    if (/^[0-9]$/.test(event.key)) {
      const card = hand[(Number(event.key) || 10) - 1];
      if (card) toggle(card);
      return;
    }
    const done = {
      p: () => choose("play"),
      d: () => choose("discard"),
      c: () => choose(first(CONTINUE)),
      x: () => choose(first(SKIP)),
      r: () => choose(first(REROLL)),
      s: () => choose(`sort_hand_by_${last.current.board.by_suit ? "rank" : "suit"}`),
      u: () => send("undo", { steps: 1, step: last.current.steps }),
      h: () => send("hint"),
      y: () => last.current.advice.status === "ready" && send("accept", { place: 0, step: last.current.steps }),
      n: () => last.current.advice.status === "ready" && send("refuse", { place: 0, step: last.current.steps }),
      a: () => send("auto", { on: !last.current.auto, pause: last.current.pause }),
      Escape: () => { setChosen(new Set()); setLooked(null); if (last.current.auto) send("auto", { on: false }); },
    }[event.key];
    if (done) {
      event.preventDefault();
      done();
    }
  };
  const pressed = useRef(press);
  pressed.current = press;
  useEffect(() => {
    const listen = (event) => pressed.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  if (lost) return html`<section class="panel"><p class="trouble" role="alert">${lost}</p><a class="button" href="/play">${t("play.again")}</a></section>`;
  if (!view) return html`<p class="quiet">${t("app.loading")}</p>`;
  const { board } = view;
  const picked = marked ? new Set(marked.cards) : null;
  const values = view.advice.status === "ready" ? view.advice.values : {};
  const tools = { options, choose, setLooked, looked, move, values, can_act: view.can_act };
  return html`
    <div class="play">
      <section class="table" aria-label=${t("play.board")}>
        <${Head} view=${view} />
        ${view.real && html`<p class=${classes("note", view.can_act && "armed")}>${t(view.can_act ? "play.armed" : "play.only_look")}</p>`}
        ${view.parent && html`<p class="note">${t("play.branch_of", { parent: view.parent, n: view.branched_at })} ${!view.kept && t("play.branch_lost")} <a href=${`/play/${view.parent}`}>${t("play.branch_back")}</a></p>`}
        ${view.trouble && html`<p class="trouble" role="alert">${view.trouble}</p>`}
        <${Middle} board=${board} tools=${tools} weighed=${weighed} />
        <${Zone} kind="joker" name=${t("play.jokers")} room=${board.joker_room} items=${board.jokers} tools=${tools} />
        ${board.consumables.length > 0 && html`<${Zone} kind="consumable" name=${t("play.consumables")} room=${board.consumable_room} items=${board.consumables} tools=${tools} />`}
        <${Looked} view=${view} tools=${tools} />
        ${board.hand.length > 0 && html`<${Hand} board=${board} chosen=${chosen} toggle=${toggle} picked=${picked} tools=${tools} />`}
        ${board.phase === "selecting_hand" && html`<${Scored} weighed=${places.length ? weighed : null} options=${options} choose=${choose} count=${places.length} can_act=${view.can_act} />`}
        ${orders.map((order) => html`<p key=${order.what} class="better">${t(`board.order_${order.what}`)}: <b>${order.words}</b>, ${order.expected} <button type="button" class="small" disabled=${!view.can_act} onClick=${() => send("order", { ...order, step: last.current.steps })}>${t("board.take_order")}</button></p>`)}
        <p class="trouble" role="alert">${trouble}</p>
        <${Tools} view=${view} send=${send} branch=${branch} edit=${edit} base=${base} last=${last} />
      </section>
      <aside>
        <${Adviser} view=${view} send=${send} last=${last} mark=${setMarked} />
        <details class="panel" open><summary>${t("play.log")}</summary><${Log} log=${view.log} /></details>
      </aside>
      <section class="more" aria-label=${t("play.more")}><${More} board=${board} /></section>
    </div>`;
}

function Tools({ view, send, branch, edit, base, last }) {
  return html`
    <div class="tools row">
      <button type="button" disabled=${view.real || view.steps === 0} onClick=${() => send("undo", { steps: 1, step: last.current.steps })}>${t("play.undo")}</button>
      ${!view.real && view.kept && html`<button type="button" onClick=${() => branch("same")} title=${t("play.branch_same")} aria-label=${t("play.branch_same")}>${t("play.branch")}</button>`}
      <button type="button" onClick=${() => branch("anew")} title=${t("play.branch_anew")} aria-label=${t("play.branch_anew")}>${t("play.anew")}</button>
      ${view.kept && html`<a class="button" download href=${`${base}/record`}>${t("play.record")}</a>`}
      <button type="button" onClick=${edit}>${t("play.editor")}</button>
      ${view.kept && view.steps > 0 && html`<a class="button" href=${`/review/${encodeURIComponent(view.id)}`}>${t("play.review")}</a>`}
      <span class="spring"></span>
      <a class="button" href="/play">${t("play.again")}</a>
    </div>`;
}
