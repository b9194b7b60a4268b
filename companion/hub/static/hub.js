"use strict";

// Fetches a live page again every two seconds and replaces what it shows. An unchanged page is answered with 304,
// which the browser serves from its cache. A page that is not looked at, or in which a form is used, waits.
const EVERY_MS = 2000;

async function refresh() {
  const shown = document.querySelector("main[data-live]");
  if (shown === null || document.hidden || shown.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (fresh !== null && fresh.innerHTML !== shown.innerHTML) shown.replaceWith(document.adoptNode(fresh));
    document.body.classList.remove("stale");
  } catch {
    document.body.classList.add("stale");
  }
}

setInterval(refresh, EVERY_MS);
