// A position on the drawn table: only to be seen, or to choose what to do there.
import { html, isTyping, useEffect, useRef, useState } from "./lib.js";
import { post } from "./net.js";
import { t } from "./texts.js";
import { Hand, Head, Looked, Middle, More, MOVES, Scored, Zone } from "./table.js";

const ORDERS = /^(move|sort)_/;  // they are taken back, and no choice

export function Position({ base, step, picked = [], choose = null, seen = () => {} }) {
  const [look, setLook] = useState(null);
  const [moves, setMoves] = useState([]);
  const [chosen, setChosen] = useState(new Set());
  const [looked, setLooked] = useState(null);
  const [trouble, setTrouble] = useState("");
  const asked = useRef(0);
  const hand = look?.step === step ? look.board.hand : [];
  const places = choose ? hand.filter((card) => chosen.has(card.id)).map((card) => card.place) : [];
  useEffect(() => { setMoves([]); setChosen(new Set()); setLooked(null); }, [step]);
  useEffect(() => {
    const number = ++asked.current;
    setTrouble("");
    post(`${base}/look`, { step, moves, cards: places }).then(
      (next) => {
        if (number !== asked.current) return;
        setLook({ ...next, step });
        seen({ ...next, step });
      },
      (error) => number === asked.current && setTrouble(error.message),
    );
  }, [base, step, moves, places.join()]);
  const does = (name) => {
    const option = look?.options[name];
    if (!option) return;
    if (option.why_not) setTrouble(option.why_not);
    else if (ORDERS.test(option.action.kind)) setMoves((before) => [...before, option.action]);
    else choose(option.action, moves);
  };
  const toggle = (card) => choose && setChosen((before) => {
    const next = new Set(before);
    if (!next.delete(card.id) || card.face.forced) next.add(card.id);
    return next;
  });
  const move = (kind, index, to) => choose && index !== to && setMoves((before) => [...before, { kind: MOVES[kind], index, to, cards: [] }]);
  const press = (event) => {
    if (!choose || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open]")) return;
    if (/^[0-9]$/.test(event.key)) { const card = hand[(Number(event.key) || 10) - 1]; if (card) toggle(card); }
    const done = { p: () => does("play"), d: () => does("discard"), Escape: () => { setChosen(new Set()); setLooked(null); } }[event.key];
    if (done) { event.preventDefault(); done(); }
  };
  const pressed = useRef(press);
  pressed.current = press;
  useEffect(() => {
    const listen = (event) => pressed.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  if (!look) return html`<p class="quiet">${trouble || t("app.loading")}</p>`;
  const { board } = look;
  const tools = { options: choose ? look.options : {}, choose: does, setLooked, looked, move, can_act: Boolean(choose) };
  return html`
    <div class="table" aria-busy=${look.step !== step}>
      <${Head} view=${look} level="2" />
      <${Middle} board=${board} tools=${tools} />
      <${Zone} kind="joker" name=${t("play.jokers")} room=${board.joker_room} items=${board.jokers} tools=${tools} />
      ${board.consumables.length > 0 && html`<${Zone} kind="consumable" name=${t("play.consumables")} room=${board.consumable_room} items=${board.consumables} tools=${tools} />`}
      <${Looked} view=${look} tools=${tools} />
      ${board.hand.length > 0 && html`<${Hand} board=${board} chosen=${chosen} toggle=${toggle} picked=${new Set(picked)} tools=${tools} />`}
      ${choose && board.phase === "selecting_hand" && html`<${Scored} weighed=${places.length ? look : null} options=${look.options} choose=${does} count=${places.length} can_act />`}
      <p class="trouble" role="alert">${trouble}</p>
      <${More} board=${board} />
    </div>`;
}
