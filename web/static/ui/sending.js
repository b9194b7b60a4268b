/* What has been sent and is not answered yet: the key that was pressed is dimmed at once; after a second a line says
   what is on its way, after four that the table does not answer, with the way to give up. */

import { byId, h, mount } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

const SHOWN_MS = 1000;
const SLOW_MS = 4000;

/** @typedef {{ what: string, since: number, giveUp: () => void }} Sending */

/** @type {Set<Sending>} */
const all = new Set();
/** The button that was pressed last. Safari gives no focus to a button that is tapped.
    @type {Element | null} */
let pressed = null;
document.addEventListener(
  "click",
  ({ target }) => (pressed = target instanceof Element ? target.closest("button") : null),
  true,
);

/** Shows that something is on its way until the promise is settled.
    @template T
    @param {string} what
    @param {(signal: AbortSignal) => Promise<T>} send
    @returns {Promise<T>} */
export async function whileSending(what, send) {
  const stop = new AbortController();
  const one = { what, since: performance.now(), giveUp: () => stop.abort() };
  const button = pressed;
  all.add(one);
  button?.setAttribute("data-sending", "");
  const timers = [SHOWN_MS, SLOW_MS].map((after) => setTimeout(draw, after));
  try {
    return await send(stop.signal);
  } finally {
    all.delete(one);
    timers.forEach(clearTimeout);
    button?.removeAttribute("data-sending");
    draw();
  }
}

function draw() {
  const now = performance.now();
  const shown = [...all].filter((one) => now - one.since >= SHOWN_MS - 1);
  const slow = shown.some((one) => now - one.since >= SLOW_MS - 1);
  mount(
    byId("sending"),
    shown.length > 0 &&
      h(
        "span",
        {},
        slow
          ? _("The table does not answer. Trying again: %(what)s", { what: shown[0].what })
          : _("Sending: %(what)s", { what: shown[0].what }),
      ),
    slow &&
      h("button", { type: "button", class: "plain", onclick: () => shown.forEach((one) => one.giveUp()) }, _("Give up")),
  );
}
