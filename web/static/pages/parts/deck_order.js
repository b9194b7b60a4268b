/* Choosing the deck that is learned, and naming its cards in the order of their list. */

import { h, typedText } from "../../lib/dom.js";
import { _, listText, ngettext } from "../../lib/translation.js";
import { sheet } from "../../ui/sheet.js";

/** Cards that fit into one picture. */
const IN_A_PICTURE = 8;

/** The decks that may be learned, and a form for another one.
    @param {DeckChoice[]} decks
    @param {(name: string) => void} open */
export function deckChoice(decks, open) {
  return [
    h("p", { class: "lead" }, _("Which game's cards? What was begun before is gone on with.")),
    h(
      "ul",
      { class: "choices" },
      decks.map((deck) =>
        h(
          "li",
          { key: deck.name },
          h(
            "button",
            { type: "button", class: "choice", onclick: () => open(deck.name) },
            h("span", {}, deck.title, deck.cards > 0 && h("small", {}, learned(deck))),
          ),
        ),
      ),
    ),
    h(
      "form",
      {
        class: "word",
        onsubmit: (/** @type {FormEvent} */ event) => {
          event.preventDefault();
          const name = typedText(event.target, "deck");
          if (name) open(name);
        },
      },
      h("label", { for: "other" }, _("Another deck")),
      h("input", { id: "other", name: "deck", maxlength: "64", autocomplete: "off" }),
      h("button", { type: "submit", class: "secondary" }, _("Begin")),
    ),
  ];
}

/** @param {DeckChoice} deck */
function learned(deck) {
  return deck.of === null
    ? ngettext("%(n)s card", "%(n)s cards", deck.cards)
    : _("%(n)s of %(of)s cards", { n: deck.cards, of: deck.of });
}

/** The next names of the list: cards that lie in this order are named by one tap.
    @param {DeckLabel[]} labels */
export function nextInList(labels) {
  const names = labels.filter((one) => one.looks === 0).map((one) => one.label);
  if (names.length < 2) return null;
  const text = _("In this order, row by row, one tap names them all: %(names)s.", {
    names: listText(names.slice(0, IN_A_PICTURE)),
  });
  return h("p", { class: "quiet" }, text);
}

/** Asks whether new cards lie in the order of the list.
    @param {FoundCard[]} open
    @param {string[]} names one for each of them
    @param {{ all: () => Promise<boolean>, each: () => void }} answers */
export function offerOrder(open, names, { all, each }) {
  sheet(_("Do they lie in this order?"), (close) =>
    h(
      "div",
      { class: "naming" },
      h(
        "ul",
        { class: "thumbs" },
        open.map((card, index) =>
          h(
            "li",
            { key: card.thumb },
            h("div", { class: "thumb" }, h("img", { src: card.thumb, alt: "" }), h("span", {}, names[index])),
          ),
        ),
      ),
      h(
        "p",
        { class: "side-by-side" },
        h("button", { type: "button", class: "primary", onclick: () => all().then(close) }, _("Yes, learn them")),
        h(
          "button",
          {
            type: "button",
            class: "secondary",
            onclick: () => {
              close();
              each();
            },
          },
          _("No, name each"),
        ),
      ),
    ),
  );
}
