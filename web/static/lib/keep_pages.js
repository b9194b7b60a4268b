/* Has the browser keep the pages that this phone shows (web/service_worker.js), so that they open while the table does
   not answer. Browsers allow that on https and on the companion itself; docs/phones.md. */

const AFTER_MS = 2000; // the page itself comes first

/** Starts the service worker soon, and names it what was loaded before it ran. */
export function keepPagesSoon() {
  if (navigator.serviceWorker) setTimeout(start, AFTER_MS);
}

async function start() {
  const worker = navigator.serviceWorker;
  try {
    await worker.register("/service-worker.js");
    const { active } = await worker.ready;
    const files = performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname);
    active?.postMessage({ page: location.pathname + location.search, files });
  } catch {
    // A private window allows no service worker: the page does without it.
  }
}
