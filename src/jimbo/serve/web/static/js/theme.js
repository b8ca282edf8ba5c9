// The chosen colours, before anything is drawn.
(() => {
  let kept = "";
  try { kept = localStorage.getItem("theme") || ""; } catch { /* a browser that keeps nothing */ }
  if (kept) document.documentElement.dataset.theme = kept;
})();
