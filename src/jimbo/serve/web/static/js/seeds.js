// Seeds: what one holds, with lines of steps on it; and the search for seeds.
import { classes, html, useEffect, useState } from "./lib.js";
import { get, post } from "./net.js";
import { t } from "./texts.js";
import { RunFields, Search, Searches } from "./hunt.js";

const NAMES = ["seed", "deck", "stake", "challenge"];
const SIGNS = { certain: "●", own: "◐", depends: "○" };

export function Seeds({ place, go }) {
  const query = place.split("?")[1] ?? "";
  const asked = Object.fromEntries(new URLSearchParams(query));
  const [about, setAbout] = useState(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => { get("/api/about").then(setAbout, (error) => setTrouble(error.message)); }, []);
  const finding = "find" in asked || "search" in asked;
  return html`
    <div class="seeds">
      <div class="row"><h1>${t("seeds.title")}</h1><span class="spring"></span>
        <nav class="tabs" aria-label=${t("seeds.views")}>
          <a class=${classes("button", !finding && "here")} aria-current=${finding ? undefined : "page"} href="/seeds">${t("seeds.one")}</a>
          <a class=${classes("button", finding && "here")} aria-current=${finding ? "page" : undefined} href="/seeds?find=">${t("seeds.find")}</a>
        </nav></div>
      <p class="trouble" role="alert">${trouble}</p>
      ${about && (asked.search ? html`<${Search} key=${asked.search} id=${asked.search} go=${go} />`
        : finding ? html`<${Searches} about=${about} go=${go} />`
        : html`<${One} about=${about} query=${query} asked=${asked} go=${go} />`)}
    </div>`;
}

function One({ about, query, asked, go }) {
  const [found, setFound] = useState(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [note, setNote] = useState("");
  useEffect(() => {
    setTrouble("");
    if (!asked.seed) { setFound(null); return undefined; }
    let gone = false;
    setBusy(true);
    get(`/api/seeds?${query}`).then((told) => { if (!gone) setFound(told); }, (error) => { if (!gone) setTrouble(error.message); })
      .finally(() => { if (!gone) setBusy(false); });
    return () => { gone = true; };
  }, [query]);
  const chosen = (words) => {
    const kept = NAMES.concat("dollars").map((name) => [name, asked[name]]).filter(([, value]) => value);
    if (words.length) kept.push(["line", words.join(".")]);
    return kept;
  };
  const to = (words) => { setNote(""); go(`/seeds?${new URLSearchParams(chosen(words))}`); };
  const show = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    go(`/seeds?${new URLSearchParams(NAMES.concat("dollars").map((name) => [name, data.get(name)]).filter(([, value]) => value))}`);
  };
  const play = async () => {
    try {
      const { id } = await post("/api/seeds/play", Object.fromEntries(chosen(found.words)));
      go(`/play/${id}`);
    } catch (error) { setTrouble(error.message); }
  };
  return html`
    <p class="quiet">${t("seeds.intro")}</p>
    <form class="panel" onSubmit=${show} key=${NAMES.map((name) => asked[name]).join()}>
      <${RunFields} about=${about} asked=${asked} seed=${true} />
      <button class="primary">${t("seeds.show")}</button>
    </form>
    <p class="trouble" role="alert">${trouble}${trouble && found && found.words.length > 0 && asked.seed === found.seed ? html` <button type="button" onClick=${() => to(found.words)}>${t("seeds.back")}</button>` : ""}</p>
    ${found && asked.seed && html`
      <div class="row"><h2>${found.seed} <span class="quiet">${found.game}</span></h2><span class="spring"></span>
        <a class="button" download href=${`/api/seeds/run?${new URLSearchParams(chosen(found.words))}`}>${t("seeds.save")}</a>
        <button type="button" onClick=${play}>${t("seeds.play")}</button></div>
      <p class="quiet">${t("seeds.save_hint")}</p>
      <div class=${classes("line-table", busy && "busy")} aria-busy=${busy}>
        <${Line} found=${found} to=${to} />
        <${Route} found=${found} asked=${Object.fromEntries(chosen(found.words))} to=${to} note=${note} setNote=${setNote} />
      </div>
      <h2>${t(found.words.length ? "seeds.rest" : "seeds.holds")}</h2>
      <p class="quiet">${found.assumed}</p>
      <ul class="row legend-labels" aria-label=${t("seeds.labels")}>${Object.entries(SIGNS).map(([name, sign]) => html`<li><span class=${`sign-${name}`} aria-hidden="true">${sign}</span> ${t(`seeds.label.${name}`)}</li>`)}</ul>
      ${found.antes.map((ante) => html`<${Ante} key=${`${found.seed} ${ante.ante}`} ante=${ante} />`)}`}`;
}

// The steps that were done, and what can be done next.
function Line({ found, to }) {
  const { now, words } = found;
  const step = (one) => html`<button type="button" disabled=${Boolean(one.why)} title=${one.why || undefined} onClick=${() => to([...words, one.word])}>${one.text}</button>`;
  return html`
    <section class="panel" aria-label=${t("seeds.line")}>
      <h2>${t("seeds.line")}</h2>
      ${words.length === 0 ? html`<p class="quiet">${t("seeds.line_hint")}</p>` : html`
        <ol class="steps">${found.steps.map((one, at) => html`
          <li><button type="button" class="plain small" title=${t("seeds.back_to", { n: at + 1 })} aria-label=${t("seeds.back_to", { n: at + 1 })} onClick=${() => to(words.slice(0, at + 1))}>${at + 1}</button>
            <span>${one.text}</span> <span class="quiet">${t("play.ante", { n: one.ante })}</span><span class="spring"></span><span class="price">${one.paid}</span> <span class="quiet">${one.money}</span></li>`)}</ol>
        <div class="row"><button type="button" onClick=${() => to(words.slice(0, -1))}>${t("play.undo")}</button><button type="button" onClick=${() => to([])}>${t("seeds.restart")}</button>
          <span class="quiet">${found.spent && t("seeds.cost", { cost: found.spent })}</span></div>`}
      <h3>${t("seeds.now", { place: now.place, ante: now.ante, money: now.money })}</h3>
      ${[["jokers", now.jokers], ["consumables", now.consumables], ["vouchers", now.vouchers]].map(([name, items]) => items.length > 0 && html`<p class="quiet">${t(`play.${name}`)}: ${items.join(", ")}</p>`)}
      ${now.tags.length > 0 && html`<p class="quiet">${t("play.tags")}: ${now.tags.map((tag) => tag.name).join(", ")}</p>`}
      ${now.over && html`<p>${t("seeds.over")}</p>`}
      <ul class="stall">${now.offers.map((one) => html`
        <li><div><b>${one.name}</b> <span class="price">${one.price}</span></div><p class="quiet">${one.text}</p><div class="row">${one.steps.map(step)}</div></li>`)}</ul>
      <div class="row">${now.steps.map(step)}</div>
    </section>`;
}

// The cheapest line to what is wished for.
function Route({ found, asked, to, note, setNote }) {
  const [route, setRoute] = useState(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const look = async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    setBusy(true);
    setTrouble("");
    setRoute(null);
    try {
      const wishes = data.get("wishes").split("\n").map((one) => one.trim()).filter(Boolean);
      setRoute(await post("/api/seeds/route", { ...asked, wishes, by_ante: Number(data.get("by_ante")), hands_left: Number(data.get("hands")) }));
    } catch (error) { setTrouble(error.message); }
    setBusy(false);
  };
  return html`
    <section class="panel" aria-label=${t("seeds.route")}>
      <h2>${t("seeds.route")}</h2>
      <form onSubmit=${look}>
        <label>${t("seeds.wishes")}<textarea name="wishes" rows="3" required spellcheck="false" placeholder=${"blueprint @ 1-3\nnegative tag"}></textarea></label>
        <div class="fields">
          <label>${t("seeds.by_ante")}<select name="by_ante">${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => html`<option value=${n} selected=${n === 4}>${n}</option>`)}</select></label>
          <label>${t("seeds.hands_left")}<select name="hands">${[0, 1, 2, 3].map((n) => html`<option value=${n}>${n}</option>`)}</select></label>
        </div>
        <button disabled=${busy}>${t(busy ? "seeds.searching" : "seeds.route_go")}</button>
      </form>
      <p class="trouble" role="alert">${trouble}</p>
      <div role="status">${route && html`
        ${route.got.map((one) => html`<p>✓ <b>${one.name}</b>: ${t("seeds.got", { how: one.how, ante: one.ante, step: one.step })}</p>`)}
        ${route.missing.map((one) => html`<p class="bad">✗ ${one.wish}: ${t(one.unseen ? "seeds.unseen" : "seeds.unpaid")}</p>`)}
        ${route.got.length > 0 && html`<p><b>${t("seeds.route_cost", { cost: route.cost, left: route.left })}</b>${!route.cheapest && ` ${t("seeds.not_cheapest")}`}</p>
          <button type="button" class="primary" onClick=${() => to(route.line.split(".").filter(Boolean))}>${t("seeds.do_route", { n: route.steps })}</button>`}
        <p class="quiet">${route.assumed}</p>`}</div>
      ${note}
    </section>`;
}

// --- What the seed holds ---

const label = (item) => t(`seeds.label.${item.label}`);

function Item({ item, open, flip, plain }) {
  const words = `${item.name}: ${label(item)}`;
  return html`<button type="button" class=${classes(plain ? "named" : "chip", !plain && `kind-${item.kind || "card"}`, item.was && "otherwise")} title=${item.text} aria-label=${words} aria-expanded=${open} onClick=${flip}>
    <span class=${`sign-${item.label}`} aria-hidden="true">${SIGNS[item.label]}</span> ${item.name}</button>`;
}

function Why({ item }) {
  return html`<div class="why" role="note">
    <b>${item.name}</b> <span class="quiet">${item.text}</span>
    ${item.was && html`<p>${t("seeds.was", { name: item.was })}</p>`}
    ${item.why.length === 0 ? html`<p>${t("seeds.certain")}</p>` : html`<p>${t("seeds.depends")}</p>
      <ul>${item.why.map((one) => html`<li>${one.words}${one.then && html` → <b>${one.then}</b>`}</li>`)}</ul>`}
  </div>`;
}

function Ante({ ante }) {
  const [open, setOpen] = useState("");
  const souls = [...ante.legendaries];
  const shown = {};
  const item = (id, one, plain = false) => {
    shown[id] = one;
    return html`<${Item} item=${one} plain=${plain} open=${open === id} flip=${() => setOpen(open === id ? "" : id)} />`;
  };
  const body = html`
    <dl class="ante">
      <div><dt>${t("seeds.boss")}</dt><dd>${item("boss", ante.boss, true)} <span class="quiet">${ante.boss.text}</span></dd></div>
      ${ante.voucher && html`<div><dt>${t("play.voucher")}</dt><dd>${item("voucher", ante.voucher, true)} <span class="quiet">${ante.voucher.text}</span></dd></div>`}
      <div><dt>${t("play.tags")}</dt><dd>${ante.tags.map((tag, at) => html`<div>${item(`tag${at}`, tag, true)} <span class="quiet">${tag.text}</span></div>`)}</dd></div>
      <div><dt>${t("play.shop")}</dt><dd><ol class="queue">${ante.shop.map((card, at) => html`<li>${item(`shop${at}`, card)}</li>`)}</ol></dd></div>
      ${ante.packs.length > 0 && html`<div><dt>${t("play.packs")}</dt><dd>${ante.packs.map((pack, number) => html`<div>${item(`pack${number}`, pack, true)} ${pack.cards.map((card, at) => html`${item(`card${number}-${at}`, card)}${card.name === "The Soul" && souls.length > 0 && html` → ${item(`soul${number}-${at}`, souls.shift())}`}`)}</div>`)}</dd></div>`}
    </dl>`;
  return html`
    <section class="panel" aria-label=${t("play.ante", { n: ante.ante })}>
      <h2>${t("play.ante", { n: ante.ante })}</h2>
      ${body}
      <div aria-live="polite">${shown[open] && html`<${Why} item=${shown[open]} />`}</div>
    </section>`;
}
