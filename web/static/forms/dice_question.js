/* Dice that were thrown: numbers are tapped one after the other, or read from a photograph. */

import { byId, h } from "../lib/dom.js";
import { PICTURES, send } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { die } from "../ui/card_pictures.js";
import { sheet } from "../ui/sheet.js";

const ALL_DICE = 5;
const PHOTO = "dice-photo";

/** Asks for `count` dice. Tapping a number adds a die, tapping a die removes it.
    @param {string} title
    @param {number | undefined} count
    @param {OnAnswer} next */
export function askDice(title, count = ALL_DICE, next) {
  /** @type {DiceView} */
  const view = { dice: [], doubts: [], busy: false };
  /** @param {Partial<DiceView>} change */
  const update = (change) => {
    Object.assign(view, change);
    opened.redraw();
  };
  const opened = sheet(title, (close) => [
    numberKeys(view.dice.length >= count, (value) => update({ dice: [...view.dice, value] })),
    chosenDice(view.dice, (at) => update({ dice: view.dice.filter((_die, n) => n !== at) })),
    view.doubts.map((text) => h("p", { class: "note" }, text)),
    photoButton(view.busy, (file) => readPhoto(file, count, update)),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        disabled: view.dice.length !== count,
        onclick: () => (close(), next(view.dice)),
      },
      _("Enter"),
    ),
  ]);
}

/** @param {boolean} disabled
    @param {(value: number) => void} onPick */
function numberKeys(disabled, onPick) {
  return h(
    "div",
    { class: "keys six" },
    [1, 2, 3, 4, 5, 6].map((value) =>
      h(
        "button",
        { type: "button", class: "key die-key", "aria-label": String(value), disabled, onclick: () => onPick(value) },
        die(value),
      ),
    ),
  );
}

/** @param {number[]} dice
    @param {(at: number) => void} onRemove */
function chosenDice(dice, onRemove) {
  return h(
    "div",
    { class: "thrown", role: "group", "aria-label": _("Thrown") },
    dice.map((value, at) =>
      h(
        "button",
        {
          type: "button",
          class: "die",
          "aria-label": _("%(n)s: take it away", { n: value }),
          onclick: () => onRemove(at),
        },
        die(value),
      ),
    ),
  );
}

/** @param {boolean} busy
    @param {(file: File | undefined) => void} onPhoto */
function photoButton(busy, onPhoto) {
  return [
    h(
      "button",
      { type: "button", class: "plain", disabled: busy, onclick: () => byId(PHOTO).click() },
      busy ? _("I am looking at it.") : _("Photograph the dice"),
    ),
    h("input", {
      id: PHOTO,
      type: "file",
      accept: PICTURES,
      capture: "environment",
      class: "unseen",
      tabindex: "-1",
      "aria-label": _("Photo of the dice"),
      onchange: (event) => onPhoto(event.target.files[0]),
    }),
  ];
}

/** Lets the server read a photograph of the dice.
    @param {File | undefined} file
    @param {number} count
    @param {(change: Partial<DiceView>) => void} update */
async function readPhoto(file, count, update) {
  if (!file) return;
  update({ busy: true });
  /** @type {Reply<DicePhoto>} */
  const reply = await send("/api/dice", { picture: file, count }, () => {});
  if (reply.ok) update({ busy: false, dice: reply.dice.slice(0, count), doubts: reply.unsure });
  else update({ busy: false, doubts: [reply.text || _("I could not read that picture.")] });
}
