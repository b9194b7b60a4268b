/* A short sentence above the thumb that goes away by itself; screen readers hear it. */

import { byId } from "../lib/dom.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} text */
export function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      place.hidden = true;
      place.textContent = "";
    },
    5000 + 40 * text.length,
  );
}
