/* − value + with a name for each half. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/words.js";

export function stepper(label, value, low, high, change) {
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
