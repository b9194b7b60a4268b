/* 13 Monsters: the nine by nine grid, parts and monsters as pictures, dice; deeds are entered one question after the
   other. */

import { h } from "../../lib/dom.js";
import { offered, offersOf } from "../../lib/offers.js";
import { _, ngettext } from "../../lib/translation.js";
import { die } from "../../ui/card_pictures.js";
import generic from "../generic.js";
import { gridOfGame, grid } from "./grid.js";
import { isPart, monsterPicture, partGrid, partRow } from "./pictures.js";
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

/** The fight, or the grid while cards lie on it.
    @param {ThirteenSnapshot} s */
function tableView(s) {
  return battle(s) ?? (s.state.cards_left > 0 && gridOfGame(s, null));
}

/** Who fights with what, the points so far, and the dice that lie there.
    @param {ThirteenSnapshot} s */
function battle(s) {
  const fight = s.state.battle;
  if (!fight) return null;
  const players = fight.players ?? [fight.attacker, fight.defender];
  const lying = fight.lying ?? [];
  return h(
    "section",
    { class: "fight", "aria-label": _("The fight") },
    fight.set && h("p", { class: "quiet" }, _("For this set:"), " ", partRow([fight.set])),
    h(
      "ul",
      {},
      players.map((name) => h("li", { key: name, class: name === s.state.turn ? "turn" : null }, fighter(fight, name))),
    ),
    lying.length > 0 &&
      h(
        "p",
        { class: "dice", role: "group", "aria-label": _("Thrown"), key: `dice-${fight.thrown}`, arrive: true },
        lying.map((value) => die(value)),
      ),
  );
}

/** @param {Fight} fight
    @param {string} name */
function fighter(fight, name) {
  const parts = fight.chosen?.[name] ?? (name === fight.attacker ? fight.parts : null);
  const points = fight.points?.[name];
  return [
    parts && monsterPicture({ parts }),
    h("strong", {}, name),
    h(
      "span",
      {},
      points === undefined
        ? ngettext("%(n)s throw", "%(n)s throws", fight.throws?.[name] ?? 0)
        : ngettext("%(n)s point", "%(n)s points", points),
    ),
  ];
}

/** @param {ThirteenSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  const monsters = s.state.monsters?.[player] ?? [];
  const sets = (s.state.sets?.[player] ?? []).filter(isPart);
  return [
    monsters.length > 0 &&
      h(
        "ul",
        { class: "monsters", "aria-label": _("Monsters") },
        monsters.map((one) => h("li", { key: one.parts.join("-") }, monsterPicture(one))),
      ),
    sets.length > 0 && partRow(sets),
  ];
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
  const labels = { dice_thrown: _("Throw"), throwing_ended: _("Stop") };
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

/** Parts and monsters are picked as pictures; other values have none.
    @param {JsonValue[]} values
    @param {string} field
    @param {JsonValue[] | null} chosen
    @param {(value: JsonValue) => void} onPick
    @returns {Child} */
function pictures(values, field, chosen, onPick) {
  if (values.every(isPart)) return partGrid(values, chosen, onPick);
  if (["top", "eyes", "bottom"].includes(field)) {
    const parts = values.map((monster) => ({ monster: Number(monster), part: field }));
    return partGrid(parts, null, (part) => onPick(part.monster));
  }
  if (field === "parts") return pictureKeys(values, (parts) => monsterPicture({ parts }), onPick);
  if (field === "kept") return pictureKeys(values, (kept) => h("span", { class: "dice" }, kept.map(die)), onPick);
  return null;
}

/** Lists of numbers as keys with pictures.
    @param {JsonValue[]} values
    @param {(value: JsonValue) => Child} picture
    @param {(value: JsonValue) => void} onPick */
function pictureKeys(values, picture, onPick) {
  return h(
    "ul",
    { class: "monsters" },
    values.map((value) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "part-key", "aria-label": value.join("-") || _("None"), onclick: () => onPick(value) },
          value.length > 0 ? picture(value) : _("None"),
        ),
      ),
    ),
  );
}

export default {
  status,
  task,
  centre,
  tableView,
  middleBeside: true,
  playerDetails,
  playerScore,
  actions,
  places,
  pictures,
  position,
};
