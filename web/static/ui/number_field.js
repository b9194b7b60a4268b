/* A number that is stepped or typed. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

/** @param {string} label
    @param {number} value
    @param {number} low
    @param {number} high
    @param {(to: number) => void} change */
export function numberField(label, value, low, high, change) {
  /** @param {string} sign
      @param {string} text
      @param {number} to */
  const button = (sign, text, to) =>
    h(
      "button",
      { type: "button", "aria-label": text, disabled: to < low || to > high, onclick: () => change(to) },
      sign,
    );
  return h(
    "div",
    { class: "stepper typed", role: "group", "aria-label": label },
    button("−", _("%(what)s: one less", { what: label }), value - 1),
    h("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      "aria-label": label,
      value: String(value),
      onchange: (event) => {
        const typed = Number(event.target.value.trim());
        const number = Number.isInteger(typed) ? Math.min(Math.max(typed, low), high) : value;
        event.target.value = String(number);
        change(number);
      },
    }),
    button("+", _("%(what)s: one more", { what: label }), value + 1),
  );
}
