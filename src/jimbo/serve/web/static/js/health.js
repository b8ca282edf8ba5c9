// What this machine has and lacks, and how the server is.
import { classes, html, useEffect, useState } from "./lib.js";
import { get } from "./net.js";
import { t } from "./texts.js";

function spell(seconds) {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => `${part}`.padStart(2, "0")).join(":");
}

export function Health() {
  const [found, setFound] = useState(null);
  const [server, setServer] = useState(null);
  const [trouble, setTrouble] = useState("");
  const look = () => {
    setFound(null);
    get("/api/doctor").then(setFound, (error) => setTrouble(error.message));
  };
  useEffect(() => {
    look();
    const ask = () => document.hidden || get("/health").then(setServer, () => {});
    ask();
    const timer = setInterval(ask, 2000);
    return () => clearInterval(timer);
  }, []);
  return html`
    <div class="health">
      <h1>${t("health.title")}</h1>
      <p class="quiet">${t("health.intro")}</p>
      <section class="panel" aria-busy=${!found}>
        <div class="row">
          <p role="status" class=${classes("verdict", found && (found.ok ? "good" : "bad"))}>${found ? t(found.ok ? "health.fine" : "health.missing") : t("health.looking")}</p>
          <span class="spring"></span>
          <button type="button" onClick=${look} disabled=${!found}>${t("health.again")}</button>
        </div>
        ${trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
        ${found && html`
          <table class="findings">
            <thead><tr><th>${t("health.what")}</th><th>${t("health.status")}</th><th>${t("health.found")}</th></tr></thead>
            <tbody>${found.findings.map((one) => html`
              <tr><th scope="row">${one.what}</th>
                <td><span class=${classes("badge", { ok: "good", missing: "bad" }[one.status])}>${one.status}</span></td>
                <td>${one.found}${one.remedy && html`<br /><span class=${one.status === "missing" ? "remedy" : "quiet"}>${one.remedy}</span>`}</td></tr>`)}
            </tbody>
          </table>`}
      </section>
      <section class="panel" aria-labelledby="server">
        <h2 id="server">${t("health.server")}</h2>
        ${server && html`
          <dl class="facts">
            <div><dt>${t("health.version")}</dt><dd>${server.version}</dd></div>
            <div><dt>${t("health.rules")}</dt><dd class="code">${server.rules}</dd></div>
            <div><dt>${t("health.seconds")}</dt><dd>${spell(server.seconds)}</dd></div>
            ${server.memory_mb !== null && html`<div><dt>${t("health.memory")}</dt><dd>${server.memory_mb} MB</dd></div>`}
            ${server.load !== null && html`<div><dt>${t("health.load")}</dt><dd>${server.load}</dd></div>`}
          </dl>`}
        <p class="quiet">${t("health.live")}</p>
      </section>
    </div>`;
}
