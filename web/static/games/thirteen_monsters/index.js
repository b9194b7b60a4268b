/* 13 Monsters: the nine by nine grid, loose sets and monsters; deeds are entered one question after the other. */

import { h } from "../../lib/dom.js";
import { valueText } from "../../lib/event_texts.js";
import { offered, offersOf } from "../../lib/offers.js";
import { _, ngettext } from "../../lib/translation.js";
import generic from "../generic.js";
import { gridOfGame, grid } from "./grid.js";
import { position } from "./position_form.js";

/** @type {Record<string, () => string>} */
const PHASES = {
  before_search: () => _("before the search"),
  search: () => _("the search"),
  after_search: () => _("after the search"),
  attack: () => _("an attack"),
  spoils: () => _("the spoils"),
  final_round: () => _("the final round"),
  death_battle: () => _("the death battle"),
};

/** @param {ThirteenSnapshot} s */
function status(s) {
  const left = ngettext("%(n)s card left", "%(n)s cards left", s.state.cards_left);
  return `${PHASES[s.state.phase]?.() ?? ""} · ${left}`;
}

/** @param {ThirteenSnapshot} s */
function task(s) {
  const [builder] = s.state.must_build ?? [];
  if (builder) return _("%(name)s builds a monster.", { name: builder });
  const name = s.state.turn;
  if (!name) return "";
  switch (s.state.phase) {
    case "attack":
    case "death_battle":
      return _("%(name)s throws the dice.", { name });
    case "spoils":
      return _("%(name)s takes a set.", { name });
    case "after_search":
    case "final_round":
      return _("%(name)s may do more or ends the turn.", { name });
    default:
      return _("%(name)s turns a card over.", { name });
  }
}

/** @param {ThirteenSnapshot} s
    @param {PageContext} ctx */
function centre(s, ctx) {
  const search = ctx.referee ? offersOf(s, "card_revealed", s.state.turn) : [];
  /** @param {Place} at */
  const turnOver = (at) => ctx.askFields("card_revealed", { player: s.state.turn, at });
  return [battle(s), s.state.cards_left > 0 && gridOfGame(s, search.length > 0 ? turnOver : null)];
}

/** @param {ThirteenSnapshot} s */
function battle(s) {
  const fight = s.state.battle;
  if (!fight) return null;
  const players = fight.players ?? [fight.attacker, fight.defender];
  return h(
    "dl",
    { class: "facts" },
    players.map((name) =>
      h(
        "div",
        {},
        h("dt", {}, name),
        h(
          "dd",
          {},
          fight.points?.[name] === undefined
            ? ngettext("%(n)s throw", "%(n)s throws", fight.throws?.[name] ?? 0)
            : ngettext("%(n)s point", "%(n)s points", fight.points[name]),
        ),
      ),
    ),
  );
}

/** @param {ThirteenSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  const monsters = s.state.monsters?.[player] ?? [];
  const sets = s.state.sets?.[player] ?? [];
  return [
    monsters.map((one) =>
      h(
        "small",
        { class: one.spent ? "quiet" : "" },
        `${species(one.species)} ${one.parts.join("-")} · ${_("%(n)s HP", { n: one.hp })} `,
      ),
    ),
    sets.length > 0 && h("small", { class: "quiet" }, sets.map(valueText).join(", ")),
  ];
}

/** An OG is written as on its card.
    @param {string} name */
function species(name) {
  return name === "og" ? "OG" : _(name);
}

/** @param {ThirteenSnapshot} s
    @param {string} player */
function playerScore(s, player) {
  return { value: s.scores[player] ?? 0, unit: _("health points") };
}

/** In a fight the main keys are to throw and to stop; everything else is below them.
    @param {ThirteenSnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function actions(s, ctx) {
  /** @type {Record<string, string>} */
  const labels = { dice_thrown: _("Enter the throw"), throwing_ended: _("Stop throwing") };
  const keys = Object.keys(labels).filter((kind) => offersOf(s, kind).length > 0);
  const others = generic.actions(s, ctx);
  if (!ctx.referee || keys.length === 0) return others;
  const only = new Set(offered(s).map((offer) => offer.event)).size === keys.length;
  return [
    ...keys.map((kind) => ({ label: labels[kind], run: () => ctx.askFields(kind, {}) })),
    ...(only ? [] : others.map((action) => ({ ...action, quiet: true }))),
  ];
}

/** @param {ThirteenSnapshot} s
    @param {Place[] | null} places
    @param {(at: Place) => void} onPick */
function places(s, places, onPick) {
  return grid({ gap: s.game.settings.gap ?? [], frozen: s.state.frozen ?? [], places, onPick });
}

export default { status, task, centre, tableView: battle, playerDetails, playerScore, actions, places, position };
