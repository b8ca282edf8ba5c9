// Cards, jokers and everything else on the table, as SVG.
import { classes, html } from "./lib.js";

const SUITS = {
  S: "M12 2.5s8 6.2 8 11a4.3 4.3 0 0 1-7 3.3c.2 2 .9 3.6 2 4.7H9c1.1-1.1 1.8-2.7 2-4.7a4.3 4.3 0 0 1-7-3.3c0-4.8 8-11 8-11z",
  H: "M12 21s-8-5.3-8-11.2C4 6.6 6.4 4.5 8.7 4.5c1.5 0 2.6.8 3.3 1.9.7-1.1 1.8-1.9 3.3-1.9 2.3 0 4.7 2.1 4.7 5.3C20 15.7 12 21 12 21z",
  D: "M12 2.5 19.5 12 12 21.5 4.5 12z",
  C: "M12 2.5a4.3 4.3 0 0 1 3.7 6.5 4.4 4.4 0 1 1-2.9 7.3c.2 2.2.9 4 2.2 5.2H9c1.3-1.2 2-3 2.2-5.2A4.4 4.4 0 1 1 8.3 9 4.3 4.3 0 0 1 12 2.5z",
};
const EDITIONS = { e_foil: "Foil", e_holo: "Holo", e_polychrome: "Poly", e_negative: "Neg" };
const STICKERS = { eternal: "E", perishable: "P", rental: "R" };

export const Suit = ({ suit, x = 0, y = 0, size = 24 }) => html`
  <path class=${`suit-${suit}`} d=${SUITS[suit]} transform=${`translate(${x} ${y}) scale(${size / 24})`} />`;

export const SuitSign = ({ suit, name }) => html`
  <svg class="sign" viewBox="0 0 24 24" role="img" aria-label=${name}><${Suit} suit=${suit} /></svg>`;

const Back = () => html`
  <rect class="back" x="2" y="2" width="96" height="136" rx="9" />
  <path class="back-lines" d="M20 30h60v80H20z M30 40h40v60H30z M50 45 66 70 50 95 34 70z" />`;

const edged = (item) => item.edition && html`
  <rect class=${`edition ${item.edition}`} x="4.5" y="4.5" width="91" height="131" rx="7" />
  <text class="edition-word" x="50" y="132" text-anchor="middle">${EDITIONS[item.edition]}</text>`;

const crossed = (item) => item.debuffed && html`<path class="crossed" d="M12 14 88 126 M88 14 12 126" />`;

// A playing card from what is printed on it.
export function Face({ face }) {
  if (face.face_down) return html`<svg class="face" viewBox="0 0 100 140" aria-hidden="true"><${Back} /></svg>`;
  const rank = face.rank;
  return html`
    <svg class=${classes("face", face.debuffed && "debuffed")} viewBox="0 0 100 140" aria-hidden="true">
      <rect class=${classes("paper", face.enhancement)} x="2" y="2" width="96" height="136" rx="9" />
      ${rank ? html`
        <text class=${`rank suit-${face.suit}`} x="9" y="33">${rank}</text>
        <${Suit} suit=${face.suit} x=${9} y=${38} size=${19} />
        <${Suit} suit=${face.suit} x=${33} y=${46} size=${44} />` : html`
        <path class="stone-lines" d="M18 44l22-16 30 8 12 30-10 32-36 8-20-24z M40 28l4 34 38 4 M44 62 32 106" />`}
      ${face.word && html`
        <rect class=${`band ${face.enhancement}`} x="2" y="104" width="96" height="18" />
        <text class="band-word" x="50" y="117" text-anchor="middle">${face.word}</text>`}
      ${face.bonus && html`<text class="bonus" x="92" y="22" text-anchor="end">${face.bonus}</text>`}
      ${edged(face)}
      ${face.seal && html`
        <circle class=${`seal ${face.seal}`} cx="83" cy="40" r="10" />
        <text class="seal-word" x="83" y="44.5" text-anchor="middle">${face.seal.slice(5, 6).toUpperCase()}</text>`}
      ${face.forced && html`<text class="forced" x="90" y="98" text-anchor="end">!</text>`}
      ${crossed(face)}
    </svg>`;
}

function lines(text, most) {
  const found = [];
  for (const word of text.split(" ")) {
    const last = found.at(-1);
    if (last !== undefined && last.length + word.length < most) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found.slice(0, 4);
}

// A number of its own for each name, so that the same joker always looks the same.
function number(text) {
  let hash = 2166136261;
  for (const sign of text) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619) >>> 0;
  return hash;
}

function Emblem({ item }) {
  const seed = number(item.key ?? item.name ?? "");
  const hue = seed % 360;
  const turn = (seed >>> 9) % 4;
  switch (item.kind) {
    case "joker": {
      const tips = 3 + ((seed >>> 4) % 3);
      const points = Array.from({ length: tips * 2 }, (_, at) => {
        const angle = (Math.PI * at) / tips - Math.PI / 2;
        const reach = at % 2 ? 11 + turn * 2 : 22;
        return `${(50 + reach * Math.cos(angle)).toFixed(1)},${(40 + reach * Math.sin(angle)).toFixed(1)}`;
      });
      return html`<g class="emblem" fill=${`hsl(${hue} 55% 52%)`}>
        <polygon points=${points.join(" ")} />
        <circle cx="50" cy="40" r=${5 + turn} class="eye" /></g>`;
    }
    case "consumable":
      return html`<g class=${`emblem family-${item.family}`}>
        ${item.family === "Planet" ? html`<circle cx="50" cy="40" r="16" /><ellipse class="ring" cx="50" cy="40" rx="25" ry="7" transform=${`rotate(${-30 + turn * 20} 50 40)`} />`
      : item.family === "Tarot" ? html`<path d="M50 17 56 34 74 34 60 45 65 62 50 52 35 62 40 45 26 34 44 34z" />`
      : html`<path d="M50 18 70 29 70 51 50 62 30 51 30 29z" /><circle class="eye" cx="50" cy="40" r="8" />`}</g>`;
    case "voucher":
      return html`<g class="emblem voucher"><path d="M22 26h56v9a6 6 0 0 0 0 12v9H22v-9a6 6 0 0 0 0-12z" /></g>`;
    case "booster":
      return html`<g class="emblem" fill=${`hsl(${hue} 45% 50%)`}><rect x="30" y="20" width="40" height="44" rx="4" /><path class="ring" d="M30 30h40 M30 54h40" /></g>`;
    default:
      return html`<g class="emblem" fill=${`hsl(${hue} 45% 50%)`}><path d="M30 22h26l18 18-18 20H30z" /><circle class="eye" cx="40" cy="41" r="4" /></g>`;
  }
}

// A joker, a consumable, a voucher, a pack or a tag.
export function Tile({ item }) {
  if (item.face) return html`<${Face} face=${item.face} />`;
  if (item.face_down) return html`<svg class="face" viewBox="0 0 100 140" aria-hidden="true"><${Back} /></svg>`;
  const name = lines(item.name, 12);
  return html`
    <svg class=${classes("face tile", item.debuffed && "debuffed")} viewBox="0 0 100 140" aria-hidden="true">
      <rect class=${classes("frame", item.rarity && `rarity-${item.rarity}`, item.family && `family-${item.family}`)} x="2" y="2" width="96" height="136" rx="9" />
      <${Emblem} item=${item} />
      ${name.map((line, at) => html`<text class="tile-name" x="50" y=${82 + at * 13 - (name.length > 3 ? 6 : 0)} text-anchor="middle" textLength=${line.length > 11 ? 88 : undefined} lengthAdjust="spacingAndGlyphs">${line}</text>`)}
      ${item.now && html`<text class="now" x="50" y=${item.edition ? 120 : 130} text-anchor="middle" textLength=${item.now.length > 14 ? 88 : undefined} lengthAdjust="spacingAndGlyphs">${item.now}</text>`}
      ${(item.stickers ?? []).map((one, at) => html`<text class=${`sticker ${one}`} x=${10 + at * 13} y="20">${STICKERS[one]}</text>`)}
      ${edged(item)}
      ${crossed(item)}
    </svg>`;
}
