// What stands on the table, drawn from a view: the same for a game, a position of a review, and the board editor.
import { classes, html, keep, kept, useEffect, useRef, useState } from "./lib.js";
import { t } from "./texts.js";
import { Face, SuitSign, Tile } from "./cards.js";
import { Parts, Told } from "./parts.js";

export const MOVES = { card: "move_card", joker: "move_joker", consumable: "move_consumable" };
const FAR = 7;

export function Head({ view, level = "1" }) {
  const { board } = view;
  return html`
    <div class="head">
      ${level === "1" ? html`<h1>${board.place}</h1>` : html`<h2>${board.place}</h2>`}
      <span>${t("play.ante", { n: board.ante })} · ${t("play.round", { n: board.round })}</span>
      <span class="spring"></span>
      <span class="quiet">${[board.seed, board.game].filter(Boolean).join(" · ")}</span>
    </div>
    <dl class="facts strip">
      <div class="money"><dt>${t("play.money")}</dt><dd>${board.money}</dd></div>
      ${board.facts.map((fact) => html`<div class=${fact.name}><dt>${t(`fact.${fact.name}`)}</dt><dd>${fact.value}</dd></div>`)}
    </dl>
    ${board.score && html`
      <div class="score">
        <b>${board.score.chips}</b> ${t("play.of", { target: board.score.target })}
        <progress value=${board.score.share} max="1" aria-label=${t("play.score")}></progress>
        <span class="quiet">${t("play.to_go", { n: board.score.to_go })}</span>
      </div>`}
    ${board.boss && html`<p class=${classes("boss", board.boss.disabled && "off")}><b>${board.boss.name}</b> ${board.boss.text} ${board.boss.disabled && t("play.disabled")}</p>`}
    ${board.tags.length > 0 && html`<p class="tags">${t("play.tags")}: ${board.tags.map((tag) => html`<span class="chip" title=${tag.lines.join(" ")}>${tag.name}</span>`)}</p>`}`;
}

// What the adviser says that something is worth; it says nothing where it was not asked.
const Worth = ({ text }) => html`<small class=${classes("worth", text.startsWith("+") && "up", text.startsWith("-") && "down")}>${text}</small>`;

function Do({ name, tools, primary = false, label = "" }) {
  const option = tools.options[name];
  if (!option) return null;
  const kind = name.split(":")[0];
  const value = option.why_not ? null : tools.values?.[name];
  const worth = value && value.cards.join() === option.action.cards.join() ? value.text : "";
  return html`<button type="button" class=${classes(primary && "primary")} disabled=${!tools.can_act} aria-disabled=${option.why_not ? "true" : undefined}
    title=${option.why_not ?? option.words} aria-label=${option.words} aria-description=${worth || undefined} onClick=${() => tools.choose(name)}>${label || t(`do.${kind}`)}${worth && html` <${Worth} text=${worth} />`}</button>`;
}

export function Middle({ board, tools }) {
  switch (board.phase) {
    case "blind_select": return html`<${Blinds} board=${board} tools=${tools} />`;
    case "round_eval": return html`
      <section class="panel payout" aria-label=${t("play.payout")}>
        ${board.payout.won && html`<p class="won">${board.payout.won}</p>`}
        <table><tbody>${board.payout.rows.map((row) => html`<tr><td class="gold">${row.money}</td><td>${row.what}</td></tr>`)}
          <tr class="total"><td class="gold">${board.payout.total}</td><td>${t("play.in_all")}</td></tr></tbody></table>
        <${Do} name="cash_out" tools=${tools} primary />
      </section>`;
    case "shop": return html`<${Shop} shop=${board.shop} tools=${tools} />`;
    case "pack_opening": return html`
      <section class="panel" aria-label=${board.pack.name}>
        <div class="row"><h2>${t("play.take", { n: board.pack.picks })}</h2><span class="spring"></span><${Do} name="skip_pack" tools=${tools} /></div>
        <${Offers} items=${board.pack.cards} does=${["pick"]} zone="pack" tools=${tools} />
      </section>`;
    case "game_over": return html`
      <section class="panel over"><p class="bad">${board.end.why}</p>${board.end.won && html`<p class="won">${t("play.won_run")}</p>`}<p>${board.end.facts}</p>
        <a class="button primary" href="/play">${t("play.again")}</a></section>`;
    default: return null;
  }
}

function Blinds({ board, tools }) {
  return html`
    <ul class="blinds" aria-label=${t("play.blinds")}>${board.blinds.map((blind) => html`
      <li class=${classes("panel", blind.progress, blind.boss && "boss-blind")}>
        <h2>${blind.name}</h2>
        <p><b>${blind.target}</b> <span class="gold">${blind.reward}</span></p>
        ${blind.boss && html`<p class="bad">${blind.text}</p>`}
        ${blind.tag && html`<p class="quiet">${t("play.skip_for", { tag: blind.tag.name })}: ${blind.tag.text}</p>`}
        ${blind.progress === "now" && html`<div class="row">
          <${Do} name="select_blind" tools=${tools} primary /><${Do} name="skip_blind" tools=${tools} /></div>`}
        ${blind.boss && html`<${Do} name="reroll_boss" tools=${tools} />`}
      </li>`)}</ul>`;
}

function Shop({ shop, tools }) {
  return html`
    <section class="panel shop" aria-label=${t("play.shop")}>
      <div class="row ahead">
        <p>${t("play.next_blind", shop.next)} ${shop.next.boss && html`<span class="bad">${shop.next.text}</span>`}
          ${shop.boss && html`<span class="quiet">${t("play.boss_then", shop.boss)} ${shop.boss.text}</span>`}</p>
        <${Do} name="reroll" tools=${tools} label=${`${t("do.reroll")} ${shop.reroll}`} />
        <${Do} name="leave_shop" tools=${tools} primary />
      </div>
      <div class="stalls">
        <div><h2>${t("play.offers")}</h2><${Offers} items=${shop.cards} does=${["buy", "buy_and_use"]} zone="cards" tools=${tools} /></div>
        <div><h2>${t("play.voucher")}</h2><${Offers} items=${shop.vouchers} does=${["redeem"]} zone="vouchers" tools=${tools} /></div>
        <div><h2>${t("play.packs")}</h2><${Offers} items=${shop.boosters} does=${["open_booster"]} zone="boosters" tools=${tools} /></div>
      </div>
    </section>`;
}

function Offers({ items, does, zone, tools }) {
  if (!items.length) return html`<p class="quiet">${t("play.sold_out")}</p>`;
  return html`
    <ul class="offers">${items.map((item) => html`
      <li>
        <${Item} item=${item} zone=${zone} tools=${tools} />
        ${item.price && html`<span class=${classes("price", item.dear && "dear")} title=${item.dear ? t("play.dear") : undefined}>${item.price}</span>`}
        <p class="what">${item.lines[0]}</p>
        <div class="row">${does.map((name) => html`<${Do} name=${`${name}:${item.place}`} tools=${tools} />`)}</div>
      </li>`)}</ul>`;
}

const named = (item) => [item.name, item.now, item.price].filter(Boolean).join(", ");

export function Item({ item, zone, tools, ...more }) {
  const key = `${zone}:${item.place}`;
  const open = tools.looked === key;
  return html`
    <button type="button" class=${classes("item", open && "open", more.dragged && "dragged")} aria-label=${named(item)} aria-expanded=${open}
      onClick=${() => more.clicks?.() ?? tools.setLooked(open ? null : key)} title=${item.lines.join("\n")} ...${more.handlers ?? {}}>
      <${Tile} item=${item} />
    </button>`;
}

// What belongs together in an order that can be changed: by dragging, or with Shift and an arrow.
function useOrder(kind, count, move) {
  const [drag, setDrag] = useState(null);
  const started = useRef(null);
  const moved = useRef(false);
  const handlers = (at) => ({
    "data-place": at,
    onPointerDown: (event) => {
      if (event.button) return;
      event.currentTarget.setPointerCapture(event.pointerId);  // a quick hand leaves it before it is seen to move
      started.current = { at, x: event.clientX, y: event.clientY };
      moved.current = false;
    },
    onPointerMove: (event) => {
      const from = started.current;
      if (!from || from.at !== at) return;
      const dx = event.clientX - from.x;
      if (!moved.current && Math.abs(dx) < FAR) return;
      moved.current = true;
      const row = event.currentTarget.closest("[data-row]");
      const to = [...row.querySelectorAll("[data-place]")].findLast((one) => {
        const box = one.getBoundingClientRect();
        return Number(one.dataset.place) !== at && box.left + box.width / 2 < event.clientX;
      });
      let place = to ? Number(to.dataset.place) : -1;
      if (place < at) place += 1;
      setDrag({ at, dx, to: place });
    },
    onPointerUp: () => {
      if (moved.current && drag) move(kind, at, drag.to);
      started.current = null;
      setDrag(null);
    },
    onPointerCancel: () => { started.current = null; moved.current = false; setDrag(null); },
    onDragStart: (event) => event.preventDefault(),
    onKeyDown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || at + step < 0 || at + step >= count) return;
      event.preventDefault();
      const row = event.currentTarget.closest("[data-row]");
      const focus = () => row.querySelector(`[data-place="${at + step}"]`)?.focus();
      if (!event.shiftKey) focus();
      else Promise.resolve(move(kind, at, at + step)).then(() => requestAnimationFrame(focus));
    },
  });
  const wasDragged = () => {
    const was = moved.current;
    moved.current = false;
    return was;
  };
  return { drag, handlers, wasDragged };
}

export function Zone({ kind, name, room, items, tools }) {
  const order = useOrder(kind, items.length, tools.can_act ? tools.move : () => {});
  return html`
    <section class=${`zone ${kind}s`} aria-label=${name}>
      <h2>${name} <span class="quiet">${room}</span></h2>
      ${items.length === 0 ? html`<p class="quiet">${t("play.empty")}</p>` : html`
      <div class="cards" data-row role="group" aria-label=${`${name}: ${t("play.move_hint")}`}>${items.map((item, at) => html`
        <span class=${classes("slot", order.drag?.to === at && "goal")} style=${order.drag?.at === at ? { transform: `translateX(${order.drag.dx}px)`, zIndex: 5 } : {}}>
          <${Item} key=${`${item.key}-${at}`} item=${item} zone=${kind} tools=${tools} handlers=${order.handlers(at)} clicks=${() => (order.wasDragged() ? true : undefined)} />
        </span>`)}</div>`}
    </section>`;
}

export function Hand({ board, chosen, toggle, picked, tools }) {
  const order = useOrder("card", board.hand.length, tools.can_act ? tools.move : () => {});
  return html`
    <section class="zone hand" aria-label=${t("play.hand")}>
      <div class="cards" style=${{ "--columns": Math.max(8, Math.min(board.hand.length, 12)) }} data-row role="group" aria-label=${`${t("play.hand")}: ${t("play.move_hint")}`}>${board.hand.map((card, at) => html`
        <span key=${card.id} class=${classes("slot", order.drag?.to === at && "goal")} style=${order.drag?.at === at ? { transform: `translateX(${order.drag.dx}px)`, zIndex: 5 } : {}}>
          <button type="button" class=${classes("item card", chosen.has(card.id) && "chosen", picked?.has(at) && "picked")} aria-pressed=${chosen.has(card.id)}
            aria-label=${card.name} title=${card.lines.join("\n")} onClick=${() => order.wasDragged() || toggle(card)} ...${order.handlers(at)}>
            <${Face} face=${card.face} />
            <span class="number" aria-hidden="true">${at < 10 ? (at + 1) % 10 : ""}</span>
          </button>
        </span>`)}</div>
    </section>`;
}

export function Scored({ weighed, options, choose, count, can_act }) {
  const score = weighed?.score;
  const tools = { options, choose, can_act };
  return html`
    <section class="scored" aria-live="polite">
      <div class="row">
        <${Do} name="play" tools=${tools} primary /><${Do} name="discard" tools=${tools} />
        ${score ? html`<p class="verdict-line"><b class=${score.beats ? "good" : ""}>${score.guessed ? "~" : ""}${score.expected}</b> ${score.hand} · <span class=${score.beats ? "good" : "bad"}>${score.verdict}</span>
            ${score.range && html`<span class="quiet">${score.range}</span>`}</p>`
      : html`<p class="quiet">${weighed?.why || (count ? t("play.chosen", { n: count }) : t("play.choose"))}</p>`}
        <span class="spring"></span>
        <${Do} name="sort_hand_by_rank" tools=${tools} /><${Do} name="sort_hand_by_suit" tools=${tools} />
      </div>
      ${score && html`<details class="parts" open=${kept("open advice.breakdown", false)} onToggle=${(event) => keep("open advice.breakdown", event.currentTarget.open)}><summary>${t("advice.breakdown")}</summary><${Parts} parts=${score.parts} /></details>`}
    </section>`;
}

export function Looked({ view, tools }) {
  const box = useRef();
  useEffect(() => { box.current?.scrollIntoView({ block: "nearest" }); }, [tools.looked]);
  if (!tools.looked) return null;
  const [zone, place] = tools.looked.split(":");
  const { board } = view;
  const items = { joker: board.jokers, consumable: board.consumables, pack: board.pack?.cards, cards: board.shop?.cards, vouchers: board.shop?.vouchers, boosters: board.shop?.boosters }[zone];
  const item = items?.[Number(place)];
  if (!item) return null;
  const does = { joker: ["sell_joker"], consumable: ["use", "sell_consumable"] }[zone] ?? [];
  return html`
    <section ref=${box} class="panel looked" aria-label=${item.name} aria-live="polite">
      <h2>${item.name} <span class="quiet">${item.rarity ?? item.family ?? ""}</span></h2>
      ${item.lines.map((line) => html`<p>${line}</p>`)}
      <div class="row">${does.map((name) => html`<${Do} name=${`${name}:${place}`} tools=${tools} label=${name === "sell_joker" ? `${t("do.sell_joker")} ${item.worth ?? ""}` : ""} />`)}
        <button type="button" onClick=${() => tools.setLooked(null)}>${t("app.close")}</button></div>
    </section>`;
}

// A part that is opened and closed; the browser keeps which are open.
function Fold({ name, open, children }) {
  const toggled = (event) => keep(`open ${name}`, event.currentTarget.open);
  return html`<details class="panel" open=${kept(`open ${name}`, open)} onToggle=${toggled}><summary>${t(name)}</summary>${children}</details>`;
}

export function More({ board }) {
  return html`
    <${Fold} name="play.deck" open=${innerWidth > 1000}>
      <p>${board.deck.left}</p>
      <div class="wide"><table class="deck"><thead><tr><td></td>${board.deck.ranks.map((rank) => html`<th scope="col">${rank}</th>`)}</tr></thead>
        <tbody>${board.deck.rows.map((row) => html`<tr><th scope="row"><${SuitSign} suit=${row.suit} name=${row.symbol} /></th>${row.counts.map((count) => html`<td class=${count ? "" : "none"}>${count || "·"}</td>`)}</tr>`)}</tbody></table></div>
      ${board.deck.special.length > 0 && html`<p class="quiet">${board.deck.special.join(", ")}</p>`}
    <//>
    <${Fold} name="play.levels" open=${false}>
      <table class="levels"><thead><tr>${["hand", "level", "chips", "mult", "played"].map((name) => html`<th scope="col">${t(`level.${name}`)}</th>`)}</tr></thead>
        <tbody>${board.levels.map((one) => html`<tr><th scope="row">${one.hand}</th><td>${one.level}</td><td class="chips">${one.chips}</td><td class="mult">${one.mult}</td><td>${one.played}</td></tr>`)}</tbody></table>
    <//>
    ${board.vouchers.length > 0 && html`<${Fold} name="play.vouchers" open=${false}><ul>${board.vouchers.map((one) => html`<li><b>${one.name}</b> <span class="quiet">${one.lines[0]}</span></li>`)}</ul><//>`}`;
}

export function Log({ log }) {
  const box = useRef();
  useEffect(() => { box.current?.scrollTo(0, box.current.scrollHeight); }, [log.at(-1)?.number]);
  if (!log.length) return html`<p class="quiet">${t("play.nothing_yet")}</p>`;
  return html`<ol class="log" ref=${box} tabindex="0" aria-label=${t("play.log")}>${log.map((line) => html`
    <li key=${line.number}><b>${line.by === "agent" ? "▶ " : ""}${line.words}</b><${Told} told=${line.told} /></li>`)}</ol>`;
}
