import { html } from "./lib.js";
import { t } from "./texts.js";
export const Training = () => html`<h1>${t("training.title")}</h1>`;
