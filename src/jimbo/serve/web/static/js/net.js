// Requests, and streams of events that come back by themselves.
import { signal } from "./lib.js";
import { t } from "./texts.js";

export const offline = signal(false);

export class Trouble extends Error {
  constructor(message, status, data = {}) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    offline.value = true;
    throw new Trouble(t("app.offline"), 0);
  }
  offline.value = false;
  const data = await response.json().catch(() => ({ error: response.statusText || `${response.status}` }));
  if (!response.ok) throw new Trouble(data.error ?? `${response.status}`, response.status, data);
  return data;
}

export const get = (path) => answer(fetch(path, { headers: { accept: "application/json" } }));

export const post = (path, body = {}) => answer(fetch(path, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json" },
  body: JSON.stringify(body),
}));

// A file, as it is.
export const send = (path, file) => answer(fetch(path, { method: "POST", headers: { "content-type": "application/octet-stream", accept: "application/json" }, body: file }));

// Events of a path by name, until the returned function is called. A page that nobody sees lets go of its connection: a
// browser has six of them for each server.
export function watch(path, handlers, gone = () => {}) {
  let source = null;
  let timer = 0;
  let closed = false;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    if (closed || document.hidden) return;
    source = new EventSource(typeof path === "function" ? path() : path);
    source.onopen = () => { offline.value = false; };
    source.onerror = async () => {
      const refused = source?.readyState === EventSource.CLOSED;
      if (!refused) { offline.value = true; return; }
      close();
      try {  // an answer that is no stream: the server says why
        await get(typeof path === "function" ? path() : path);
      } catch (error) {
        if (error.status) { gone(error); return; }
      }
      timer = setTimeout(open, 1000);
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse(event.data), event.lastEventId));
    }
  };
  const seen = () => (document.hidden ? close() : source || open());
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    closed = true;
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}
