// One chart: the same number of several runs.
import uPlot from "uplot";
import { html, useEffect, useMemo, useRef, zoom } from "./lib.js";
import { t } from "./texts.js";

const COLOURS = ["#2f7fc1", "#d0502f", "#2d9a63", "#9a5bc4", "#b98512", "#c94380", "#4f8f8f", "#7c6f5a"];
export const colour = (at) => COLOURS[at % COLOURS.length];

// The mean of what came before, each the weight of the next; it starts without a bias.
export function smoothed(values, weight) {
  let sum = 0;
  let all = 0;
  return values.map((value) => {
    if (value === null || value === undefined) return null;
    sum = sum * weight + value * (1 - weight);
    all = all * weight + (1 - weight);
    return sum / all;
  });
}

// The picture that is saved: the curves with their title, the names of the runs and of the axis.
function titled(drawn, name, x, curves) {
  const scale = devicePixelRatio;
  const line = 20 * scale;
  const style = getComputedStyle(document.documentElement);
  const made = document.createElement("canvas");
  made.width = drawn.width;
  made.height = drawn.height + line * (curves.length + 1.8);
  const pen = made.getContext("2d");
  pen.fillStyle = style.getPropertyValue("--panel");
  pen.fillRect(0, 0, made.width, made.height);
  pen.drawImage(drawn, 0, line * 1.2);
  const write = (text, left, top, bold = "") => {
    pen.font = `${bold} ${13 * scale}px system-ui, sans-serif`;
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.fillText(text, left, top);
  };
  write(name, 8 * scale, line, "bold");
  curves.forEach(({ id, at }, place) => {
    const top = line * (2.1 + place) + drawn.height;
    write(id, 30 * scale, top);
    pen.fillStyle = colour(at);
    pen.fillRect(8 * scale, top - 9 * scale, 14 * scale, 8 * scale);
  });
  return made;
}

const HIGH = 190;
const SHORT = new Intl.NumberFormat("en", { notation: "compact" });
const short = (value) => Number(value.toPrecision(4)).toString();

// The numbers of a chart as uPlot draws them, and how each is drawn.
function drawn(name, curves, smooth, log, big) {
  const tables = [];
  const series = [];
  const bands = [];
  for (const { id, at, rows } of curves) {
    const have = rows.filter((row) => row[name] !== null && row[name] !== undefined);
    const xs = have.map((row) => row.x);
    const raw = have.map((row) => row[name]);
    const add = (ys, label, stroke, width, points) => { tables.push([xs, ys]); series.push({ label, stroke, width, points, spanGaps: true }); };
    add(smooth ? smoothed(raw, smooth) : raw, id, colour(at), 2 * big, { show: have.length < 60, size: 5 * big });
    if (smooth) add(raw, "", `${colour(at)}44`, 1, { show: false });
    else if (`${name}/low` in (have.at(-1) ?? {})) {
      for (const end of ["high", "low"]) add(have.map((row) => row[`${name}/${end}`]), "", `${colour(at)}55`, 1, { show: false });
      bands.push({ series: [series.length - 1, series.length], fill: `${colour(at)}22` });
    }
  }
  const data = uPlot.join(tables);
  if (log) for (const part of data.slice(1)) part.forEach((value, at) => { if (value !== null && value <= 0) part[at] = null; });
  return { data, series, bands };
}

export function Chart({ name, curves, smooth, log, x }) {
  const box = useRef();
  const plot = useRef();
  const under = useRef();
  const last = curves.map(({ rows }) => rows.findLast((row) => row[name] !== null && row[name] !== undefined)?.[name]);
  const big = zoom();
  const { data, series, bands } = useMemo(() => drawn(name, curves, smooth, log, big),
    [curves.map(({ id, rows }) => `${id} ${rows.length} ${rows.at(-1)?.x} ${rows.at(-1)?.[name]}`).join(), smooth, log, name, big]);
  // It is made anew only where something else than its numbers has changed: so it does not flicker while they come.
  const look = JSON.stringify([series, bands, log, x, big, document.documentElement.dataset.theme]);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const [ink, line] = ["--quiet", "--line"].map((one) => style.getPropertyValue(one));
    const font = `${12 * big}px system-ui, sans-serif`;
    const high = Math.round(HIGH * big);
    const axis = { stroke: ink, font, labelFont: font, gap: 5 * big, space: 50 * big, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const read = (me) => {
      const at = me.cursor.idx;
      const values = me.series.map((one, place) => (place && one.label && me.data[place][at] != null ? `${curves.length > 1 ? `${one.label} ` : ""}${short(me.data[place][at])}` : "")).filter(Boolean);
      return `${x} ${short(me.data[0][at])}: ${values.join(", ")}`;
    };
    plot.current = new uPlot({
      width: box.current.clientWidth,
      height: high,
      legend: { show: false },
      cursor: { drag: { x: true, y: false } },
      hooks: { setCursor: [(me) => { under.current.textContent = me.cursor.idx === null || me.cursor.left < 0 ? "" : read(me); }] },
      scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
      axes: [
        { ...axis, size: 28 * big, label: x, labelSize: 16 * big, labelGap: 0 },
        { ...axis, size: 56 * big, space: 30 * big, values: (_, splits) => splits.map((value) => (value === null ? "" : Math.abs(value) < 10000 ? short(value) : SHORT.format(value))) },
      ],
      series: [{ label: x }, ...series],
      bands,
    }, data, box.current);
    const fit = new ResizeObserver(() => box.current && plot.current?.setSize({ width: box.current.clientWidth, height: high }));
    fit.observe(box.current);
    return () => { fit.disconnect(); plot.current.destroy(); plot.current = null; };
  }, [look]);
  useEffect(() => { if (plot.current.data !== data) plot.current.setData(data); }, [data]);
  const picture = () => {
    const link = document.createElement("a");
    link.download = `${name.replace(/\W+/g, "-")}.png`;
    link.href = titled(box.current.querySelector("canvas"), name, x, curves).toDataURL("image/png");
    link.click();
  };
  const told = last.map((value) => (value === undefined ? "" : short(value))).filter(Boolean).join(", ");
  return html`
    <figure class="chart" aria-label=${`${name}: ${told}`}>
      <figcaption><b>${name}</b> <span class="under" ref=${under} aria-hidden="true"></span><span class="quiet">${told}</span><span class="spring"></span>
        <button type="button" class="plain small" onClick=${picture} aria-label=${`${t("training.png")}: ${name}`}>${t("training.png")}</button></figcaption>
      <div ref=${box}></div>
    </figure>`;
}
