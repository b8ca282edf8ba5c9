// What every part of the page draws with.
import { h, render } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { batch, computed, effect, signal } from "@preact/signals";
import htm from "htm";

export const html = htm.bind(h);
export { batch, computed, effect, h, render, signal, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };

export const classes = (...names) => names.filter(Boolean).join(" ");

// Whether a key belongs to a field.
export const isTyping = (event) => Boolean(event.target.closest?.("input:not([type=range], [type=checkbox]), select, textarea"));

// How large letters are, as a share of the usual size: larger on very large screens.
export const zoom = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

export function kept(name, otherwise) {
  try { return JSON.parse(localStorage.getItem(name)) ?? otherwise; } catch { return otherwise; }
}

export function keep(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* a browser that keeps nothing */ }
}
