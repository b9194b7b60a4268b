/* Keeps the pages that show the game, and the files that they are made of, so that they open with the last known score
   while the table does not answer. The table is always asked first; what it sends replaces what was kept.

   A kept page says when it was kept: <html data-kept="milliseconds since 1970">, see static/lib/last_known.js. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PAGES = "pages";
const FILES = "files";
const KEPT = new Set(["/", "/table", "/overlay", "/history", "/help", "/rules", "/past", "/players"]);
const KEPT_AT = "X-Kept-At";
const OF_PROXY = new Set([502, 503, 504]); // a proxy for https answers so while the table behind it does not
const ANSWER_MS = 5000; // a page that is kept is shown when the table has not answered for so long
const MOST_FILES = 300; // the oldest go first; one that is still in use is fetched again

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => event.waitUntil(keepLoaded(event.data)));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(file(request.url));
  else if (request.mode === "navigate" && !pathname.includes(".")) event.respondWith(page(event));
});

/** What a page had loaded before this worker ran.
    @param {{ page: string, files: string[] }} loaded */
async function keepLoaded({ page: address, files }) {
  const { pathname } = new URL(address, location.origin);
  if (KEPT.has(pathname) && !(await kept(address))) await keepPage(address, await fetch(address));
  await Promise.allSettled(files.filter((name) => name.startsWith("/assets/")).map(file));
}

/** A file of a page. Its address has a hash of its content: what is kept is right.
    @param {string} address
    @returns {Promise<Response>} */
async function file(address) {
  const files = await caches.open(FILES);
  const found = await files.match(address);
  if (found) return found;
  const answer = await fetch(address);
  if (answer.ok) {
    await files.put(address, answer.clone());
    const all = await files.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - MOST_FILES)).map((one) => files.delete(one)));
  }
  return answer;
}

/** A page as the table sends it; as it was kept if the table does not answer; else the score.
    @param {FetchEvent} event
    @returns {Promise<Response>} */
async function page(event) {
  const { request } = event;
  const known = (await kept(request.url)) ?? null;
  const asked = fetch(request);
  event.waitUntil(asked.then((answer) => keepPage(request.url, answer.clone())).catch(() => {}));
  const answer = await (known ? Promise.race([asked, noAnswer()]) : asked).catch(() => Response.error());
  if (answer.type !== "error" && !OF_PROXY.has(answer.status)) return answer;
  if (known) return withTime(known);
  return (await kept("/")) ? Response.redirect("/") : answer;
}

/** @returns {Promise<never>} */
function noAnswer() {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error("no answer")), ANSWER_MS));
}

/** The name under which a page is kept: the rules are another page for each game.
    @param {string} address */
function keptName(address) {
  const { pathname, search } = new URL(address, location.origin);
  return pathname === "/rules" ? pathname + search : pathname;
}

/** @param {string} address
    @returns {Promise<Response | undefined>} */
async function kept(address) {
  return (await caches.open(PAGES)).match(keptName(address));
}

/** @param {string} address
    @param {Response} answer */
async function keepPage(address, answer) {
  const { pathname } = new URL(address, location.origin);
  if (!KEPT.has(pathname) || !answer.ok || answer.redirected || answer.type !== "basic") return;
  const headers = new Headers(answer.headers);
  headers.set(KEPT_AT, String(Date.now()));
  await (await caches.open(PAGES)).put(keptName(address), new Response(await answer.blob(), { headers }));
}

/** A kept page that says when it was kept.
    @param {Response} known */
async function withTime(known) {
  const text = await known.text();
  const headers = new Headers(known.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  return new Response(text.replace("<html ", `<html data-kept="${known.headers.get(KEPT_AT)}" `), { headers });
}
