// The board in a chat: it draws what tools answer, and acts by messages to the program that shows it (MCP Apps).
import { html, render, useEffect, useRef, useState } from "./lib.js";
import { t } from "./texts.js";
import { Hand, Head, Looked, Middle, More, Scored, Zone } from "./table.js";

const DRAWN = "jimbo/board";
const LETTERS = { card: "", joker: "j", consumable: "c" };
const MOST_TOLD = 20;

// --- Messages ---------------------------------------------------------------------------------------------------------

const waiting = new Map();
let number = 0;
let show = () => {};

const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

function ask(method, params) {
  number += 1;
  const id = number;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });
}

const call = (name, given) => ask("tools/call", { name, arguments: given });
const said = (result) => (result.content ?? []).map((part) => part.text ?? "").join("\n");

function theme(context) {
  if (context?.theme === "light" || context?.theme === "dark") document.documentElement.dataset.theme = context.theme;
}

const told = {
  "ui/notifications/tool-result": (result) => show({ result }),
  "ui/notifications/tool-cancelled": () => show({ trouble: "The call was cancelled." }),
  "ui/notifications/host-context-changed": theme,
};

window.addEventListener("message", (event) => {
  const message = event.data;
  if (event.source !== window.parent || message?.jsonrpc !== "2.0") return;
  if (message.method !== undefined) {
    if (message.id === undefined) told[message.method]?.(message.params ?? {});
    else if (["ping", "ui/resource-teardown"].includes(message.method)) post({ id: message.id, result: {} });
    else post({ id: message.id, error: { code: -32601, message: "There is no such method." } });
    return;
  }
  const one = waiting.get(message.id);
  if (!one) return;
  waiting.delete(message.id);
  if (message.error) one.reject(new Error(message.error.message));
  else one.resolve(message.result ?? {});
});

// --- The board --------------------------------------------------------------------------------------------------------

function Board() {
  const [seen, setSeen] = useState(null);
  const [chosen, setChosen] = useState(new Set());
  const [weighed, setWeighed] = useState(null);
  const [looked, setLooked] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const done = useRef([]);

  const take = (result) => {
    if (result.isError) { setTrouble(said(result)); return false; }
    setSeen(result);
    setTrouble("");
    const hand = result._meta?.[DRAWN]?.board?.hand ?? [];
    setChosen((before) => new Set(hand.filter((card) => before.has(card.id) || card.face.forced).map((card) => card.id)));
    return true;
  };
  show = ({ result, trouble: what }) => (result ? take(result) : setTrouble(what));

  const view = seen?._meta?.[DRAWN];
  const { run, token } = seen?.structuredContent ?? {};
  const board = view?.board;
  const places = board ? board.hand.filter((card) => chosen.has(card.id)).map((card) => card.place + 1) : [];
  const wanted = `${token} ${places.join()}`;
  useEffect(() => {
    asked.current += 1;
    const mine = asked.current;
    setWeighed(null);
    if (!places.length || board.phase !== "selecting_hand") return;
    call("score", { run, cards: places }).then(
      (result) => mine === asked.current && setWeighed(result.isError ? { why: said(result) } : { score: result._meta?.[DRAWN]?.score }),
      (error) => mine === asked.current && setTrouble(error.message),
    );
  }, [wanted]);

  if (!seen) return html`<p class="quiet">${trouble || t("app.loading")}</p>`;
  const look = () => call("look", { run }).then(take, (error) => setTrouble(error.message));
  const again = html`<div class="row again"><button type="button" onClick=${look}>Look again</button></div>`;
  if (!board) return html`<section class="panel">${said(seen).split("\n").map((line) => html`<p>${line}</p>`)}</section>${again}`;

  const act = async (action) => {
    if (busy) return;
    setBusy(true);
    try {
      const result = await call("act", { run, token, action });
      if (take(result)) {
        setChosen(new Set());
        done.current = [...done.current, result.structuredContent.did].slice(-MOST_TOLD);
        const text = `The player acted on the board of run ${run}: ${done.current.join("; ")}. Its token is ${result.structuredContent.token} now; look before you act.`;
        ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
      } else {
        const why = said(result);
        await look();
        setTrouble(why);
      }
    } catch (error) {
      setTrouble(error.message);
    } finally {
      setBusy(false);
    }
  };
  const options = Object.fromEntries(Object.entries(view.options).map(([name, one]) => (
    [name, one.cards && places.length ? { ...one, why_not: null, text: `${one.text} ${places.join(" ")}` } : one])));
  const choose = (name) => (options[name].why_not ? setTrouble(options[name].why_not) : act(options[name].text));
  const toggle = (card) => setChosen((before) => {
    const next = new Set(before);
    if (!next.delete(card.id) || card.face.forced) next.add(card.id);
    return next;
  });
  const move = (kind, from, to) => (from === to ? undefined : act(`move ${LETTERS[kind]}${from + 1} ${to + 1}`));
  const can_act = view.can_act && !busy;
  const tools = { options, choose, looked, setLooked, move, can_act };
  return html`
    <section class="table" aria-label=${t("play.board")}>
      <${Head} view=${view} level="2" />
      <${Middle} board=${board} tools=${tools} />
      <${Zone} kind="joker" name=${t("play.jokers")} room=${board.joker_room} items=${board.jokers} tools=${tools} />
      ${board.consumables.length > 0 && html`<${Zone} kind="consumable" name=${t("play.consumables")} room=${board.consumable_room} items=${board.consumables} tools=${tools} />`}
      <${Looked} view=${view} tools=${tools} />
      ${board.hand.length > 0 && html`<${Hand} board=${board} chosen=${chosen} toggle=${toggle} tools=${tools} />`}
      ${board.phase === "selecting_hand" && html`<${Scored} weighed=${weighed} options=${options} choose=${choose} count=${places.length} can_act=${can_act} />`}
      <p class="trouble" role="alert">${trouble}</p>
    </section>
    <${More} board=${board} />
    ${again}`;
}

render(html`<${Board} />`, document.getElementById("page"));
ask("ui/initialize", {
  appInfo: { name: "jimbo", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  protocolVersion: "2026-01-26",
}).then((result) => {
  theme(result.hostContext);
  post({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);
}, (error) => show({ trouble: error.message }));
