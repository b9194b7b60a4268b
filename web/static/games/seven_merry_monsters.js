/* Seven Merry Monsters: the trick in the middle, displays by column, rounds as a grid. */

import { h } from "../dom.js";
import { _, list } from "../words.js";
import { card, cardOfLabel, monster, sign } from "../glyphs.js";
import { choose } from "../sheet.js";
import { offersOf, valuesOf } from "../offers.js";
import { pickCard } from "../picker.js";

const TRICKS = 8;

function status(s) {
  const round = _("Round %(n)s", { n: s.state.round });
  if (s.state.phase === "setup") return `${round} · ${_("original cards")}`;
  if (s.state.phase === "scan") return `${round} · ${_("read from photos")}`;
  if (s.state.phase === "last_cards") return `${round} · ${_("last cards")}`;
  return `${round} · ${_("trick %(n)s of %(all)s", { n: s.state.trick, all: TRICKS })}`;
}

function task(s) {
  const { phase, turn, to_place: owed } = s.state;
  if (phase === "award") return _("%(name)s gives the trick to one of the two.", { name: turn });
  if (phase === "trick") return _("%(name)s plays a card.", { name: turn });
  const names = Object.keys(owed ?? {});
  if (names.length > 0) return _("%(names)s: a card into the own display.", { names: list(names) });
  if (phase === "scan") return _("Play the round, then photograph each display.");
  return "";
}

function middle(s) {
  const { phase, table } = s.state;
  if (!["trick", "award"].includes(phase)) return null;
  return h(
    "section",
    { class: "trick", "aria-label": _("The trick") },
    h(
      "ol",
      { class: "cards" },
      table.map((laid, n) =>
        h(
          "li",
          { key: `${s.state.round}-${s.state.trick}-${n}`, arrive: true },
          card(laid.card),
          h("span", { class: "by" }, sign(s.game.players, laid.player), laid.player),
        ),
      ),
      Array.from({ length: s.game.players.length - table.length }, (_unused, n) =>
        h("li", { key: `empty-${n}` }, h("span", { class: "card empty", "aria-hidden": "true" })),
      ),
    ),
  );
}

/** A player's columns: monster, cards, and the jokers among them. */
export function columns(display, aside = 0) {
  const found = Object.entries(display ?? {});
  if (found.length === 0 && !aside) return null;
  return h(
    "ul",
    { class: "columns" },
    found.map(([name, column]) =>
      h(
        "li",
        { key: name, "aria-label": columnName(name, column) },
        monster(name),
        h("b", { key: column.cards, arrive: true }, column.cards),
        column.jokers > 0 && h("small", {}, monster("joker"), column.jokers > 1 && column.jokers),
      ),
    ),
    aside > 0 && h("li", { class: "aside", "aria-label": _("%(n)s jokers put aside", { n: aside }) }, monster("joker"), h("b", {}, aside)),
  );
}

function columnName(name, column) {
  const text = _("%(monster)s: %(n)s cards", { monster: _(name), n: column.cards });
  return column.jokers > 0 ? `${text}, ${_("%(n)s of them jokers", { n: column.jokers })}` : text;
}

function under(s, player) {
  const hidden = (s.state.face_down?.[player] ?? []).reduce((sum, n) => sum + n, 0);
  return [
    columns(s.state.display?.[player], s.state.aside?.[player]),
    hidden > 0 && h("small", { class: "quiet" }, _("%(n)s face down", { n: hidden })),
  ];
}

function after(s) {
  const rounds = s.state.round_scores ?? [];
  if (rounds.length === 0) return null;
  return h(
    "section",
    { class: "grid" },
    h("h2", {}, _("Rounds")),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, _("Round"))),
        s.game.players.map((seat) =>
          h("th", { scope: "col", "aria-label": seat.name }, sign(s.game.players, seat.name), h("span", {}, seat.name))))),
      h("tbody", {}, rounds.map((round, n) =>
        h("tr", {}, h("th", { scope: "row" }, n + 1), s.game.players.map((seat) => h("td", {}, round[seat.name] ?? "–"))))),
    ),
  );
}

function actions(s, ctx) {
  if (!ctx.referee) return [];
  const { phase, turn } = s.state;
  if (phase === "trick") {
    const found = [{ label: _("Enter %(name)s's card", { name: turn }), run: () => enterCard(s, ctx, turn) }];
    return [...found, ...reveals(s, ctx)];
  }
  if (phase === "award") {
    const offers = offersOf(s, "trick_awarded");
    return valuesOf(offers, "to").map((name) => ({
      label: _("To %(name)s", { name }),
      glyph: sign(s.game.players, name),
      run: () => ctx.send({ event: "trick_awarded", player: turn, to: name }),
    }));
  }
  if (phase === "scan") return [{ label: _("Score from a photo"), run: () => location.assign("/photo") }];
  const placing = valuesOf(offersOf(s, "card_placed"), "player");
  return [
    ...placing.map((name) => ({
      label: _("%(name)s lays a card", { name }),
      glyph: sign(s.game.players, name),
      run: () => placeCard(s, ctx, name),
    })),
    ...reveals(s, ctx),
  ];
}

function reveals(s, ctx) {
  return valuesOf(offersOf(s, "card_revealed"), "player").map((name) => ({
    label: _("%(name)s turns cards over", { name }),
    run: () => ctx.fill("card_revealed", { player: name }),
  }));
}

export function deckLabels(s) {
  const numbers = s.game.settings.numbers ?? [1, 2, 3, 4, 5, 6, 7];
  const monsters = s.game.settings.monsters ?? ["red", "orange", "yellow", "green", "blue", "purple", "pink"];
  return [...monsters.flatMap((name) => numbers.map((n) => `${name} ${n}`)), "joker"];
}

function enterCard(s, ctx, player) {
  pickCard({
    title: _("%(name)s's card", { name: player }),
    labels: deckLabels(s),
    gone: seenThisRound(s),
    onPick: (label) => ctx.send({ event: "card_played", player, card: cardOfLabel(label) }),
  });
}

function placeCard(s, ctx, player) {
  const offers = offersOf(s, "card_placed", player);
  const faceDown = offers.filter((offer) => offer.fields.face_down);
  if (faceDown.length > 0) {
    choose(
      _("%(name)s lays a card face down", { name: player }),
      valuesOf(faceDown, "column").map((column) => ({
        label: _("Hidden column %(n)s", { n: column }),
        run: () => ctx.send({ event: "card_placed", player, face_down: true, column }),
      })),
    );
    return;
  }
  const owedJokersOnly = valuesOf(offers, "card").length > 0 && valuesOf(offers, "card").every((c) => c.monster === "joker");
  if (owedJokersOnly) {
    chooseColumn(s, ctx, player);
    return;
  }
  pickCard({
    title: _("%(name)s lays", { name: player }),
    labels: deckLabels(s),
    gone: seenThisRound(s),
    onPick: (label) => {
      if (label === "joker") chooseColumn(s, ctx, player);
      else ctx.send({ event: "card_placed", player, card: cardOfLabel(label) });
    },
  });
}

function chooseColumn(s, ctx, player) {
  const offered = valuesOf(
    offersOf(s, "card_placed", player).filter((offer) => (offer.fields.card?.values ?? []).some((c) => c.monster === "joker")),
    "column",
  );
  const names = offered.length > 0 ? offered : [...Object.keys(s.state.display[player] ?? {}), "aside"];
  choose(
    _("Where does %(name)s's joker go?", { name: player }),
    names.map((name) => ({
      label: name === "aside" ? _("Aside") : _(name),
      glyph: name === "aside" ? null : monster(name),
      run: () => ctx.send({ event: "card_placed", player, card: { monster: "joker" }, column: name }),
    })),
  );
}

/** Labels of the monsters seen since the displays were last cleared, as far as the log reaches back. */
function seenThisRound(s) {
  const shown = Object.values(s.state.display ?? {}).flatMap((display) => Object.values(display));
  let left = shown.reduce((sum, column) => sum + column.cards, 0) + s.state.table.length;
  const seen = [];
  for (const entry of [...s.log].reverse()) {
    if (left <= 0) break;
    const laid = entry.event?.card;
    if (entry.undone || entry.rejected || !laid) continue;
    left -= 1;
    if (laid.monster !== "joker" && laid.number !== undefined) seen.push(`${laid.monster} ${laid.number}`);
  }
  return seen;
}

export default { status, task, middle, under, after, actions };
