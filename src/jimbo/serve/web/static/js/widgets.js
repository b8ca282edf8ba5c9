// Widgets of the board editor. What they change is sent as it was shown; the server writes and reads the notation.
import { html, useEffect, useState } from "./lib.js";
import { t } from "./texts.js";
import { SuitSign } from "./cards.js";

const LISTS = { consumables: "consumables", vouchers: "vouchers", tags: "tags" };
const IN_SHOP = { shop: "jokers", packs: "packs", "for sale": "vouchers" };
const NUMBERS = ["needs", "scored", "hands", "discards", "money", "hand size", "joker slots", "consumable slots", "round"];

const without = (items, at) => items.filter((_, place) => place !== at);
const replaced = (items, at, item) => items.map((one, place) => (place === at ? item : one));

export function Widgets({ view, catalog, change }) {
  const { widgets } = view;
  const edit = (part) => ({
    add: (name) => change(part, (items) => [...items, { name }]),
    remove: (at) => change(part, (items) => without(items, at)),
    set: (at, more) => change(part, (items) => replaced(items, at, { ...items[at], ...(typeof more === "function" ? more(items[at]) : more) })),
  });
  return html`
    <details class="panel" open><summary>${t("play.jokers")}</summary>
      <${Jokers} items=${widgets.jokers} catalog=${catalog} ...${edit("jokers")} /></details>
    <details class="panel" open><summary>${t("play.hand")}</summary>
      <${Cards} items=${widgets.hand} catalog=${catalog} ...${edit("hand")} /></details>
    <details class="panel" open><summary>${t("board.blind")}</summary>
      <div class="fields">
        <${Choice} name="blind" names=${catalog.blinds} value=${widgets.blind} change=${change} />
        <${Value} name="ante" value=${widgets.ante} change=${change} />
        ${NUMBERS.map((name) => html`<${Value} key=${name} name=${name} value=${widgets.numbers[name]} change=${change} />`)}
        <${Choice} name="deck" names=${catalog.decks} value=${widgets.deck} change=${change} />
        <${Choice} name="stake" names=${catalog.stakes} value=${widgets.stake} change=${change} />
      </div></details>
    <details class="panel"><summary>${t("play.levels")}</summary>
      <div class="fields">${widgets.levels.map((one) => html`<${Value} key=${one.hand} label=${one.hand} value=${String(one.level)} change=${(_, make) => change("levels", make, { hand: one.hand })} />`)}</div></details>
    <details class="panel"><summary>${t("board.more")}</summary>
      ${Object.entries(LISTS).map(([part, names]) => html`<${Names} key=${part} part=${part} items=${widgets[part]} names=${catalog[names]} ...${edit(part)} />`)}</details>
    ${view.board.phase !== "selecting_hand" && html`<details class="panel"><summary>${t("play.shop")}</summary>
      ${Object.entries(IN_SHOP).map(([part, names]) => html`<${Names} key=${part} part=${part} items=${widgets[part]} names=${part === "shop" ? [...catalog.jokers, ...catalog.consumables] : catalog[names]} ...${edit(part)} />`)}</details>`}`;
}

const label = (name) => t(`board.part.${name}`);

function Choice({ name, names, value, change }) {
  return html`<label>${label(name)}<select value=${value} onChange=${(event) => { const { value: next } = event.currentTarget; change(name, () => next); }}>${names.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>`;
}

// A number; it counts when the field is left or Enter is pressed.
function Value({ name, label: shown, value, change }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const done = () => typed.trim() !== value && (typed.trim() ? change(name, () => typed.trim()) : setTyped(value));
  return html`<label>${shown ?? label(name)}<input inputmode="numeric" autocomplete="off" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} onBlur=${done} onKeyDown=${(event) => event.key === "Enter" && done()} /></label>`;
}

// A name to be added, found by typing.
function Add({ id, what, names, add }) {
  const [typed, setTyped] = useState("");
  const done = (event) => {
    event.preventDefault();
    if (!typed.trim()) return;
    add(typed.trim());
    setTyped("");
  };
  return html`<form class="row add" onSubmit=${done}>
    <input aria-label=${t("board.add", { what })} placeholder=${t("board.add", { what })} list=${id} value=${typed} maxlength="60" autocomplete="off" onInput=${(event) => setTyped(event.currentTarget.value)} />
    <datalist id=${id}>${names.map((one) => html`<option value=${one} />`)}</datalist>
    <button disabled=${!typed.trim()}>${t("board.add_it")}</button></form>`;
}

const Drop = ({ name, remove }) => html`<button type="button" class="plain small" aria-label=${t("board.remove", { name })} title=${t("board.remove", { name })} onClick=${remove}>✕</button>`;

function Flags({ names, flags, name, set }) {
  const flip = (one) => set((now) => ({ flags: now.flags.includes(one) ? now.flags.filter((other) => other !== one) : [...now.flags, one] }));
  return names.map((one) => html`<label class="inline"><input type="checkbox" checked=${flags.includes(one)} aria-label=${`${name}: ${one}`} onChange=${() => flip(one)} />${one}</label>`);
}

function Mark({ what, names, value, name, set, none = "" }) {
  return html`<select aria-label=${`${name}: ${what}`} value=${value} onChange=${(event) => set(event.currentTarget.value)}>
    <option value="">${none || what}</option>${names.map((one) => html`<option value=${one}>${none ? `${what} ${one}` : one}</option>`)}</select>`;
}

function Jokers({ items, catalog, add, remove, set }) {
  return html`
    <ul class="widgets">${items.map((one, at) => html`
      <li key=${`${one.name}-${at}`} aria-label=${one.name}>
        <div class="row"><b>${one.name}</b>${one.others.length > 0 && html`<span class="quiet">${one.others.join(", ")}</span>`}<span class="spring"></span><${Drop} name=${one.name} remove=${() => remove(at)} /></div>
        <div class="row">
          ${one.numbers.map((number, place) => html`<span class="number-widget"><${Value} label=${number.unit} value=${number.value} change=${(_, make) => set(at, (now) => ({ numbers: replaced(now.numbers, place, { ...number, value: make() }) }))} /></span>`)}
          <${Mark} what=${t("board.edition")} names=${catalog.editions} value=${one.edition} name=${one.name} set=${(edition) => set(at, { edition })} />
          <${Mark} what=${t("board.perishable")} none=${t("board.not_perishable")} names=${catalog.perishable} value=${one.perishable} name=${one.name} set=${(perishable) => set(at, { perishable })} />
          <${Flags} names=${catalog.joker_flags} flags=${one.flags} name=${one.name} set=${(more) => set(at, more)} />
        </div>
      </li>`)}</ul>
    <${Add} id="joker-names" what=${t("board.joker")} names=${catalog.jokers} add=${add} />`;
}

function Cards({ items, catalog, add, remove, set }) {
  return html`
    <ul class="widgets">${items.map((one, at) => html`
      <li key=${`${one.name}-${at}`} class="row" aria-label=${one.name}>
        <b>${one.name}</b>
        <${Mark} what=${t("board.enhancement")} names=${catalog.enhancements} value=${one.enhancement} name=${one.name} set=${(enhancement) => set(at, { enhancement })} />
        <${Mark} what=${t("board.edition")} names=${catalog.editions} value=${one.edition} name=${one.name} set=${(edition) => set(at, { edition })} />
        <${Mark} what=${t("board.seal")} names=${catalog.seals} value=${one.seal} name=${one.name} set=${(seal) => set(at, { seal })} />
        <${Flags} names=${catalog.card_flags.slice(0, 1)} flags=${one.flags} name=${one.name} set=${(more) => set(at, more)} />
        ${one.others.length > 0 && html`<span class="quiet">${one.others.join(", ")}</span>`}
        <${Drop} name=${one.name} remove=${() => remove(at)} />
      </li>`)}</ul>
    <details><summary>${t("board.add", { what: t("board.card") })}</summary>
      <div class="wide"><table class="deck" aria-label=${t("board.add", { what: t("board.card") })}><tbody>${catalog.cards.map((row) => html`<tr><th scope="row"><${SuitSign} suit=${row[0].suit} name=${row[0].symbol} /></th>${row.map((card) => html`<td><button type="button" class="plain small" aria-label=${t("board.add", { what: card.text })} onClick=${() => add(card.text)}>${card.rank}</button></td>`)}</tr>`)}</tbody></table></div>
    </details>`;
}

function Names({ part, items, names, add, remove }) {
  return html`
    <h3>${label(part)}</h3>
    <p>${items.map((one, at) => html`<span class="chip">${one.name}${one.others.length > 0 && ` (${one.others.join(", ")})`} <${Drop} name=${one.name} remove=${() => remove(at)} /></span>`)}</p>
    <${Add} id=${`${part.replace(" ", "-")}-names`} what=${label(part)} names=${names} add=${add} />`;
}
