/* How things stand in 13 Monsters: whose turn, and the sets and monsters of everybody. */

import { h } from "../../lib/dom.js";
import { keyName, stateValue } from "../../lib/state_texts.js";
import { _ } from "../../lib/translation.js";
import { sign } from "../../ui/icons.js";
import { choiceField, seatField } from "../../ui/position_parts.js";
import { choose, sheet } from "../../ui/sheet.js";

const PARTS = ["top", "eyes", "bottom"];
const CARDS = 78;
const NUMBERS = Array.from({ length: 13 }, (_unused, n) => n + 1);

/** @typedef {{ monster: number, part: string }} MonsterSet */
/** @typedef {{ parts: number[], spent: boolean }} BuiltMonster */

/** @param {PositionForm} form
    @returns {PositionFields} */
export function position(form) {
  return {
    fields: [
      seatField(form, "turn"),
      form.s.game.players.map(({ name }) =>
        h(
          "fieldset",
          { class: "position-field", key: name },
          h("legend", {}, sign(form.s.game.players, name), name),
          chips(form, "sets", name, () => addSet(form, name)),
          chips(form, "monsters", name, () => addMonster(form, name)),
        ),
      ),
    ],
    sums: [{ text: _("%(n)s cards are left on the field", { n: cardsLeft(form.state) }), right: true }],
  };
}

/** A player's sets or monsters, each a button that takes it away.
    @param {PositionForm} form
    @param {"sets" | "monsters"} key
    @param {string} player
    @param {() => void} add */
function chips(form, key, player, add) {
  /** @type {JsonValue[]} */
  const all = form.state[key][player];
  return h(
    "div",
    { class: "row chips" },
    h("span", { class: "quiet" }, keyName(key)),
    all.map((one) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-label": _("%(what)s: take away", { what: stateValue(one) }),
          onclick: () =>
            put(
              form,
              key,
              player,
              all.filter((other) => other !== one),
            ),
        },
        stateValue(one),
        " ✕",
      ),
    ),
    h(
      "button",
      { type: "button", class: "chip", "aria-label": `${player}: ${_("Add")} (${keyName(key)})`, onclick: add },
      "+",
    ),
  );
}

/** @param {PositionForm} form
    @param {"sets" | "monsters"} key
    @param {string} player
    @param {JsonValue[]} values */
function put(form, key, player, values) {
  const state = { ...form.state, [key]: { ...form.state[key], [player]: values.sort(inOrder) } };
  form.set({ [key]: state[key], cards_left: cardsLeft(state), dealing: false });
}

/** The order of the game's state: by numbers, then by parts from the top.
    @param {JsonValue} one
    @param {JsonValue} other */
function inOrder(one, other) {
  /** @param {JsonValue} what
      @returns {number[]} */
  const ranks = (what) => what.parts ?? [what.monster, PARTS.indexOf(what.part)];
  const different = ranks(one).map((rank, n) => rank - ranks(other)[n]).find((by) => by !== 0);
  return different ?? 0;
}

/** Two cards of each set lie on the field as long as nobody has it.
    @param {JsonValue} state */
function cardsLeft(state) {
  return CARDS - 2 * owned(state).length;
}

/** All sets that somebody has, also in monsters.
    @param {JsonValue} state
    @returns {MonsterSet[]} */
function owned(state) {
  /** @type {MonsterSet[]} */
  const loose = Object.values(state.sets).flat();
  /** @type {BuiltMonster[]} */
  const built = Object.values(state.monsters).flat();
  const inside = built.flatMap(({ parts }) => parts.map((monster, n) => ({ monster, part: PARTS[n] })));
  return [...loose, ...inside];
}

/** The numbers of a part that nobody has.
    @param {PositionForm} form
    @param {string} part */
function free(form, part) {
  const taken = owned(form.state).filter((one) => one.part === part);
  return NUMBERS.filter((number) => !taken.some((one) => one.monster === number));
}

/** @param {PositionForm} form
    @param {string} player */
function addSet(form, player) {
  choose(
    _("Which set?"),
    PARTS.flatMap((part) =>
      free(form, part).map((monster) => ({
        label: stateValue({ monster, part }),
        run: () => put(form, "sets", player, [...form.state.sets[player], { monster, part }]),
      })),
    ),
  );
}

/** @param {PositionForm} form
    @param {string} player */
function addMonster(form, player) {
  const parts = PARTS.map((part) => free(form, part)[0]);
  const drawn = sheet(_("Which monster?"), (close) => [
    PARTS.map((part, n) =>
      choiceField(
        _(part),
        parts[n],
        free(form, part).map((number) => [number, String(number)]),
        (number) => {
          parts[n] = number;
          drawn.redraw();
        },
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          close();
          put(form, "monsters", player, [...form.state.monsters[player], { parts: [...parts], spent: false }]);
        },
      },
      _("Add"),
    ),
  ]);
}
