/* Choosing a card: the likeliest first, then the whole deck; any card can always be chosen. */

import { cardName, cardOfLabel } from "../lib/cards.js";
import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";
import { card, monster } from "./card_pictures.js";
import { sheet } from "./sheet.js";

/** Opens the picker. `labels`: the whole deck; `likely`: labels shown first and large; `gone`: labels that have
    been seen already (dimmed, still possible); `extras`: [{label, run}] beside the likeliest, or below; `below`:
    what stands at the end.
    @param {{ title: string, labels: string[], likely?: string[], gone?: string[], extras?: Action[], below?: Child,
              onPick: (label: string) => void }} options */
export function pickCard({ title, labels, likely = [], gone = [], extras = [], below = null, onPick }) {
  const out = new Set(gone);
  return sheet(title, (close) => {
    /** @param {string} label */
    const pick = (label) => () => {
      close();
      onPick(label);
    };
    return [
      likely.length > 0 &&
        h(
          "div",
          { class: "likely", role: "group", "aria-label": _("Likeliest") },
          likely.map((label) => cardButton(label, pick(label), "large")),
          extras.map((extra) => extraButton(extra, close)),
        ),
      suits(labels).map(([suit, members]) =>
        h(
          "div",
          { class: "suit", role: "group", "aria-label": cardName({ monster: suit }) },
          members.length > 1 && monster(suit),
          members.map((label) => numberButton(label, members.length > 1, out.has(label), pick(label))),
        ),
      ),
      likely.length === 0 && extras.map((extra) => extraButton(extra, close)),
      below,
    ];
  });
}

/** @param {Action} extra
    @param {() => void} close */
function extraButton(extra, close) {
  const run = () => {
    close();
    extra.run();
  };
  return h("button", { type: "button", class: "secondary", onclick: run }, extra.label);
}

/** [[suit, [labels]]] in the deck's order; cards without a number stand alone.
    @param {string[]} labels
    @returns {[string, string[]][]} */
function suits(labels) {
  const found = new Map();
  for (const label of labels) {
    const parsed = cardOfLabel(label);
    const suit = typeof parsed === "object" && parsed.number !== undefined ? parsed.monster : label;
    if (!found.has(suit)) found.set(suit, []);
    found.get(suit).push(label);
  }
  return [...found];
}

/** @param {string} label
    @param {() => void} run
    @param {string} [size] */
function cardButton(label, run, size = "") {
  return h(
    "button",
    {
      type: "button",
      class: `card-button ${size}`,
      onclick: run,
      "aria-label": cardName(cardOfLabel(label)),
    },
    card(cardOfLabel(label)),
  );
}

/** @param {string} label
    @param {boolean} inSuit
    @param {boolean} gone
    @param {() => void} run */
function numberButton(label, inSuit, gone, run) {
  if (!inSuit) return cardButton(label, run);
  const parsed = cardOfLabel(label);
  const name = cardName(parsed);
  return h(
    "button",
    {
      type: "button",
      class: `number ${gone ? "gone" : ""}`,
      onclick: run,
      "aria-label": gone ? _("%(card)s, seen already", { card: name }) : name,
    },
    typeof parsed === "object" ? parsed.number : label,
  );
}
