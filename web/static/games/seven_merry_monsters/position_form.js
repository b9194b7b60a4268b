/* How things stand in Seven Merry Monsters: points of the rounds, displays, jokers aside, and who leads. */

import { h } from "../../lib/dom.js";
import { valueText } from "../../lib/event_texts.js";
import { keyName } from "../../lib/state_texts.js";
import { _ } from "../../lib/translation.js";
import { sign } from "../../ui/icons.js";
import { numberField } from "../../ui/number_field.js";
import { countField, countsField, seatField } from "../../ui/position_parts.js";

const PER_MONSTER = 7;
const JOKERS = 11;
const TRICKS = 8;
const MOST_POINTS = 200;

/** The names of the monsters at this table.
    @param {PositionForm["s"]} s
    @returns {string[]} */
function monstersOf(s) {
  return s.game.settings.monsters ?? ["red", "orange", "yellow", "green", "blue", "purple", "pink"];
}

/** @param {PositionForm} form
    @returns {PositionFields} */
export function position(form) {
  const { state, s } = form;
  return {
    fields: [
      state.phase !== "scan" && seatField(form, "leader", { change: (leader) => form.set(trickOf(state, leader)) }),
      state.phase === "trick" && countField(form, "trick", TRICKS, 1),
      state.table.length > 0 && clearTrick(form),
      rounds(form),
      s.game.players.map(({ name }) => display(form, name)),
      countsField(form, "aside", JOKERS),
    ],
    sums: sums(form),
  };
}

/** A trick that nobody has played to yet, with this leader.
    @param {JsonValue} state
    @param {string | null} leader */
function trickOf(state, leader) {
  return state.phase === "trick" && state.table.length === 0 ? { leader, turn: leader } : { leader };
}

/** @param {PositionForm} form */
function clearTrick(form) {
  return h(
    "button",
    {
      type: "button",
      class: "secondary",
      onclick: () => form.set({ phase: "trick", table: [], turn: form.state.leader, to_place: {} }),
    },
    _("Nothing is played to the trick yet"),
  );
}

/** The points of every finished round; the round being played is the one after them.
    @param {PositionForm} form */
function rounds(form) {
  const { state, s } = form;
  /** @type {Record<string, number>[]} */
  const all = state.round_scores ?? [];
  /** @param {Record<string, number>[]} to */
  const put = (to) => form.set({ round_scores: to, round: to.length + 1 });
  const none = Object.fromEntries(s.game.players.map(({ name }) => [name, 0]));
  return h(
    "fieldset",
    { class: "position-field", key: "round_scores" },
    h("legend", {}, keyName("round_scores")),
    all.map((points, n) =>
      h(
        "div",
        { class: "position-round", key: n },
        h("h3", {}, _("Round %(n)s", { n: n + 1 })),
        s.game.players.map(({ name }) =>
          h(
            "div",
            { class: "how-many" },
            h("span", {}, sign(s.game.players, name), name),
            numberField(`${_("Round %(n)s", { n: n + 1 })}: ${name}`, points[name], 0, MOST_POINTS, (to) =>
              put(all.map((one, at) => (at === n ? { ...one, [name]: to } : one))),
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "secondary", onclick: () => put([...all, none]) }, _("One more round")),
      all.length > 0 &&
        h(
          "button",
          { type: "button", class: "secondary", onclick: () => put(all.slice(0, -1)) },
          _("One round less"),
        ),
    ),
  );
}

/** A player's columns, unfolded when tapped: cards of each monster, and how many of them are jokers.
    @param {PositionForm} form
    @param {string} player */
function display(form, player) {
  const { state, s } = form;
  /** @type {Display} */
  const columns = state.display[player];
  /** @param {string} monster
      @param {number} cards
      @param {number} jokers */
  const put = (monster, cards, jokers) => {
    const { [monster]: _old, ...others } = columns;
    const kept = cards > 0 ? { ...columns, [monster]: { cards, jokers: Math.min(jokers, cards - 1) } } : others;
    form.set({ display: { ...state.display, [player]: kept } });
  };
  const cards = Object.values(columns).reduce((sum, column) => sum + column.cards, 0);
  return h(
    "details",
    { class: "position-field", key: `display-${player}` },
    h("summary", {}, sign(s.game.players, player), `${player}: ${keyName("display")} `, h("small", {}, cards)),
    monstersOf(s).map((/** @type {string} */ monster) => {
      const column = columns[monster] ?? { cards: 0, jokers: 0 };
      const name = valueText(monster);
      return [
        h(
          "div",
          { class: "how-many" },
          h("span", {}, name),
          numberField(`${player}: ${name}`, column.cards, 0, PER_MONSTER + JOKERS, (to) =>
            put(monster, to, column.jokers),
          ),
        ),
        column.cards > 1 &&
          h(
            "div",
            { class: "how-many quiet" },
            h("span", {}, _("%(monster)s: jokers among them", { monster: name })),
            numberField(
              `${player}: ${_("%(monster)s: jokers among them", { monster: name })}`,
              column.jokers,
              0,
              column.cards - 1,
              (to) => put(monster, column.cards, to),
            ),
          ),
      ];
    }),
  );
}

/** Seven cards of each monster and eleven jokers: what there is more of is named.
    @param {PositionForm} form */
function sums({ state, s }) {
  /** @type {Display[]} */
  const displays = Object.values(state.display);
  /** @param {string} monster */
  const plain = (monster) =>
    displays.reduce((sum, one) => sum + (one[monster] ? one[monster].cards - one[monster].jokers : 0), 0);
  const jokers = displays
    .flatMap((one) => Object.values(one))
    .reduce((sum, column) => sum + column.jokers, 0);
  const aside = Object.values(state.aside).reduce((sum, n) => sum + Number(n), 0);
  const tooMany = monstersOf(s)
    .filter((/** @type {string} */ monster) => plain(monster) > PER_MONSTER)
    .map((/** @type {string} */ monster) => ({
      text: _("%(n)s cards of %(monster)s: there are only %(all)s", {
        n: plain(monster),
        monster: valueText(monster),
        all: PER_MONSTER,
      }),
      right: false,
    }));
  return [
    ...tooMany,
    {
      text: _("%(n)s of %(all)s jokers lie in displays", { n: jokers + aside, all: JOKERS }),
      right: jokers + aside <= JOKERS,
    },
  ];
}
