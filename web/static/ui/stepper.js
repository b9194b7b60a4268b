/* − value + with a name for each half. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

/** @param {string} label
    @param {number} value
    @param {number} low
    @param {number} high
    @param {(to: number) => void} change */
export function stepper(label, value, low, high, change) {
  /** @param {string} sign
      @param {string} text
      @param {boolean} disabled
      @param {number} to */
  const button = (sign, text, disabled, to) =>
    h("button", { type: "button", "aria-label": text, disabled, onclick: () => change(to) }, sign);
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": label },
    button("−", _("%(what)s: one less", { what: label }), value <= low, value - 1),
    h("output", {}, value),
    button("+", _("%(what)s: one more", { what: label }), value >= high, value + 1),
  );
}
