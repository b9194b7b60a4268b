/* From following every card to photographs of the displays, and back, also in mid-game. */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { runCommand } from "../../ui/commands.js";

/** The line that offers the other way where the camera has come or gone; otherwise null.
    @param {SevenSnapshot} s
    @param {PageContext} ctx */
export function trackingOffer(s, ctx) {
  const camera = s.sources?.camera?.up === true;
  const photographs = s.state.phase === "scan";
  if (!ctx.referee || camera !== photographs || (photographs && !mayFollow(s))) return null;
  return h(
    "p",
    { class: "quiet", key: "tracking" },
    camera ? _("The camera is here: it can follow every card.") : _("Too much to tap?"),
    " ",
    h(
      "button",
      { type: "button", class: "plain", onclick: () => (camera ? followCards(s) : takePhotographs(s)) },
      camera ? _("Follow every card") : _("Score from photos"),
    ),
  );
}

/** Whether the round has not been counted yet: its cards can be followed from the start.
    @param {SevenSnapshot} s */
export function mayFollow(s) {
  return s.state.phase === "scan" && Object.values(s.state.display ?? {}).every((one) => Object.keys(one).length === 0);
}

/** @template T
    @param {SevenSnapshot} s
    @param {() => T} value */
function each(s, value) {
  return Object.fromEntries(s.game.players.map((seat) => [seat.name, value()]));
}

/** This round is followed card by card.
    @param {SevenSnapshot} s */
export function followCards(s) {
  const start =
    s.game.settings.variant === "standard"
      ? { phase: "trick", trick: 1, turn: s.state.leader }
      : { phase: "setup", trick: 0, to_place: each(s, () => 2) };
  return runCommand("position", { state: start, latest: s.log.at(-1)?.n ?? 0 });
}

/** This round is scored from its displays: what was entered of it is left aside.
    @param {SevenSnapshot} s */
function takePhotographs(s) {
  const state = {
    phase: "scan",
    trick: 0,
    turn: null,
    table: [],
    to_place: {},
    display: each(s, () => ({})),
    aside: each(s, () => 0),
    face_down: each(s, () => [0, 0]),
    revealed: each(s, () => []),
    numbers_seen: [],
    scanned: each(s, () => false),
  };
  return runCommand("position", { state, latest: s.log.at(-1)?.n ?? 0 });
}
