/* Seven Merry Monsters: the trick in the middle, displays by column, rounds as a grid. */

import { cardOfLabel } from "../../lib/cards.js";
import { h } from "../../lib/dom.js";
import { offersOf, valuesOf } from "../../lib/offers.js";
import { _, listText, ngettext } from "../../lib/translation.js";
import { pickCard } from "../../ui/card_picker.js";
import { card, monster } from "../../ui/card_pictures.js";
import { sign } from "../../ui/icons.js";
import { choose, sheet } from "../../ui/sheet.js";
import { stepper } from "../../ui/stepper.js";
import { columns } from "./column_list.js";
import { position } from "./position_form.js";
import { tableDisplay } from "./table_display.js";
import { followCards, mayFollow, trackingOffer } from "./tracking.js";
import { worthNow } from "./worth.js";

const TRICKS = 8;

/** @param {SevenSnapshot} s */
function status(s) {
  const round = _("Round %(n)s", { n: s.state.round });
  if (s.state.phase === "setup") return `${round} · ${_("original cards")}`;
  if (s.state.phase === "scan") return `${round} · ${_("read from photos")}`;
  if (s.state.phase === "last_cards") return `${round} · ${_("last cards")}`;
  return `${round} · ${_("trick %(n)s of %(all)s", { n: s.state.trick, all: TRICKS })}`;
}

/** @param {SevenSnapshot} s */
function task(s) {
  const { phase, turn, to_place: owed } = s.state;
  if (phase === "award") return _("%(name)s gives the trick to one of the two.", { name: turn });
  if (phase === "trick") return _("%(name)s plays a card.", { name: turn });
  const names = Object.keys(owed ?? {});
  if (names.length === 1 && owesJoker(s, names[0])) return _("%(name)s places a joker.", { name: names[0] });
  if (names.length > 0)
    return ngettext(
      "%(names)s lays a card into the own display.",
      "%(names)s lay a card into their displays.",
      names.length,
      { names: listText(names) },
    );
  if (phase === "scan") return scanTask(s);
  return "";
}

/** Which displays are still to be photographed.
    @param {SevenSnapshot} s */
function scanTask(s) {
  const left = s.game.players.map((seat) => seat.name).filter((name) => !s.state.scanned?.[name]);
  return left.length === s.game.players.length
    ? _("Play the round, then photograph each display.")
    : _("Waiting for the display of %(names)s.", { names: listText(left) });
}

/** Who plays, or the only one who still owes a card.
    @param {SevenSnapshot} s */
function activePlayer(s) {
  const owingPlayers = Object.keys(s.state.to_place ?? {});
  return s.state.turn ?? (owingPlayers.length === 1 ? owingPlayers[0] : null);
}

/** @param {SevenSnapshot} s
    @param {string} player */
function owesJoker(s, player) {
  const offers = offersOf(s, "card_placed", player);
  return offers.length > 0 && offers.every((offer) => onlyJokers(offer.fields.card));
}

/** @param {SevenSnapshot} s
    @param {PageContext} ctx */
function centre(s, ctx) {
  return [trick(s), trackingOffer(s, ctx)];
}

/** @param {SevenSnapshot} s */
function trick(s) {
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

/** @param {SevenSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  const hidden = (s.state.face_down?.[player] ?? []).reduce((sum, n) => sum + n, 0);
  const worth = worthNow(s, player);
  return [
    columns(s.state.display?.[player], s.state.aside?.[player]),
    worth !== null &&
      h("small", { class: "quiet" }, ngettext("%(n)s point this round", "%(n)s points this round", worth)),
    hidden > 0 && h("small", { class: "quiet" }, _("%(n)s face down", { n: hidden })),
  ];
}

/** @param {SevenSnapshot} s */
function belowScores(s) {
  const rounds = s.state.round_scores ?? [];
  if (rounds.length === 0) return null;
  return h(
    "section",
    { class: "grid" },
    h("h2", {}, _("Rounds")),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("span", { class: "unseen" }, _("Round"))),
          s.game.players.map((seat) =>
            h(
              "th",
              { scope: "col", "aria-label": seat.name },
              sign(s.game.players, seat.name),
              h("span", {}, seat.name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        rounds.map((round, n) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, n + 1),
            s.game.players.map((seat) => h("td", {}, round[seat.name] ?? "–")),
          ),
        ),
      ),
    ),
  );
}

/** @param {SevenSnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function actions(s, ctx) {
  const { phase } = s.state;
  const turn = s.state.turn ?? "";
  if (!ctx.referee) {
    const mine = phase === "scan" && offersOf(s, "display_scanned", ctx.me).length > 0;
    return mine ? [{ label: _("Score from a photo"), run: () => photograph(ctx.me) }] : [];
  }
  if (phase === "trick") {
    const entering = [{ label: _("Enter %(name)s's card", { name: turn }), run: () => enterCard(s, ctx, turn) }];
    return [...entering, ...reveals(s, ctx)];
  }
  if (phase === "award") {
    const offers = offersOf(s, "trick_awarded");
    return valuesOf(offers, "to").map((name) => ({
      label: _("To %(name)s", { name }),
      glyph: sign(s.game.players, name),
      run: () => ctx.send({ event: "trick_awarded", player: turn, to: name }),
    }));
  }
  if (phase === "scan")
    return [
      { label: _("Score from a photo"), run: () => photograph() },
      mayFollow(s) && { label: _("Follow every card"), quiet: true, run: () => followCards(s) },
    ].filter(Boolean);
  const placing = valuesOf(offersOf(s, "card_placed"), "player");
  return [
    ...placing.map((name) => ({
      label: owesJoker(s, name) ? _("%(name)s's joker", { name }) : _("%(name)s's card", { name }),
      glyph: sign(s.game.players, name),
      run: () => placeCard(s, ctx, name),
    })),
    ...reveals(s, ctx),
  ];
}

/** The page that reads a display, a guest's own at once.
    @param {string | null} [player] */
function photograph(player) {
  location.assign(player ? `/photo?player=${encodeURIComponent(player)}` : "/photo");
}

/** @param {SevenSnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function reveals(s, ctx) {
  return valuesOf(offersOf(s, "card_revealed"), "player").map((name) => ({
    label: _("%(name)s turns cards over", { name }),
    quiet: s.state.phase === "trick",
    run: () => reveal(s, ctx, name),
  }));
}

/** The labels with the names that this table has given its monsters.
    @param {GameSnapshot<any>} s
    @returns {string[]} */
function deckLabels(s) {
  /** @type {number[]} */
  const numbers = s.game.settings.numbers ?? [1, 2, 3, 4, 5, 6, 7];
  /** @type {string[]} */
  const monsters = s.game.settings.monsters ?? ["red", "orange", "yellow", "green", "blue", "purple", "pink"];
  return [...monsters.flatMap((name) => numbers.map((n) => `${name} ${n}`)), "joker"];
}

/** @param {SevenSnapshot} s
    @param {string} title
    @param {(card: MonsterCard) => void} onPick */
function pickDeckCard(s, title, onPick) {
  const extras = s.game.settings.numbers
    ? []
    : [{ label: _("Another number"), run: () => anotherNumber(s, title, onPick) }];
  pickCard({
    title,
    labels: deckLabels(s),
    gone: seenThisRound(s),
    extras,
    onPick: (label) => onPick(/** @type {MonsterCard} */ (cardOfLabel(label))),
  });
}

/** Nobody has said which numbers a bought deck has.
    @param {SevenSnapshot} s
    @param {string} title
    @param {(card: MonsterCard) => void} onPick */
function anotherNumber(s, title, onPick) {
  /** @type {string[]} */
  const monsters = s.game.settings.monsters;
  choose(
    title,
    monsters.map((name) => ({
      label: _(name),
      glyph: monster(name),
      run: () => {
        let number = 8;
        const drawn = sheet(_(name), (close) => [
          stepper(_("Number"), number, 0, 99, (to) => {
            number = to;
            drawn.redraw();
          }),
          h(
            "button",
            { type: "button", class: "primary", onclick: () => (close(), onPick({ monster: name, number })) },
            _("Enter"),
          ),
        ]);
      },
    })),
  );
}

/** @param {SevenSnapshot} s
    @param {PageContext} ctx
    @param {string} player */
function enterCard(s, ctx, player) {
  pickDeckCard(s, _("%(name)s's card", { name: player }), (chosen) =>
    ctx.send({ event: "card_played", player, card: chosen }),
  );
}

/** @param {SevenSnapshot} s
    @param {PageContext} ctx
    @param {string} player */
function placeCard(s, ctx, player) {
  const offers = offersOf(s, "card_placed", player);
  const faceDown = offers.filter((offer) => offer.fields.face_down?.values?.includes(true));
  if (faceDown.length > 0) {
    choose(
      _("%(name)s lays a card face down", { name: player }),
      valuesOf(faceDown, "column").map((column) => ({
        label: _("Hidden column %(n)s", { n: column }),
        run: () => ctx.send({ event: "card_placed", player, face_down: true, column }),
      })),
    );
  } else if (owesJoker(s, player)) {
    chooseColumn(s, ctx, player);
  } else {
    pickDeckCard(s, _("%(name)s lays", { name: player }), (chosen) => {
      if (chosen.monster === "joker") chooseColumn(s, ctx, player);
      else ctx.send({ event: "card_placed", player, card: chosen });
    });
  }
}

/** A card's choice is {kind: "card", left: {monster: how many can still turn up}, numbers}.
    @param {FieldChoice | undefined} choice */
const onlyJokers = (choice) =>
  choice?.left !== undefined && Object.keys(choice.left).every((name) => name === "joker");

/** @param {SevenSnapshot} s
    @param {PageContext} ctx
    @param {string} player */
function chooseColumn(s, ctx, player) {
  const offers = offersOf(s, "card_placed", player).filter(
    (offer) => "joker" in (offer.fields.card?.left ?? {}),
  );
  /** @param {string} column */
  const send = (column) => ctx.send({ event: "card_placed", player, card: { monster: "joker" }, column });
  const names = valuesOf(offers, "column");
  if (names.length === 1) send(names[0]);
  else
    choose(
      _("Where does %(name)s's joker go?", { name: player }),
      names.map((name) => ({
        label: name === "aside" ? _("Aside") : _(name),
        glyph: name === "aside" ? null : monster(name),
        run: () => send(name),
      })),
    );
}

/** Turning over a hidden column: which one, then card by card.
    @param {SevenSnapshot} s
    @param {PageContext} ctx
    @param {string} player */
function reveal(s, ctx, player) {
  const offers = offersOf(s, "card_revealed", player);
  /** @param {EventOffer} offer */
  const turn = (offer) => {
    const [column] = offer.fields.column.values ?? [];
    const { count } = offer.fields.cards;
    /** @param {MonsterCard[]} cards */
    const next = (cards) => {
      if (cards.length === count) ctx.send({ event: "card_revealed", player, column, cards });
      else
        pickDeckCard(s, _("Hidden card %(n)s of %(all)s", { n: cards.length + 1, all: count }), (chosen) =>
          next([...cards, chosen]),
        );
    };
    next([]);
  };
  if (offers.length === 1) turn(offers[0]);
  else
    choose(
      _("Which hidden column does %(name)s turn over?", { name: player }),
      offers.map((offer) => ({
        label: _("Hidden column %(n)s", { n: offer.fields.column.values?.[0] }),
        run: () => turn(offer),
      })),
    );
}

/** Labels of the monsters seen since the displays were last cleared, as far as the log reaches back.
    @param {SevenSnapshot} s
    @returns {string[]} */
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

export default { status, task, activePlayer, centre, tableView: trick, tablePlayer: tableDisplay, playerDetails, belowScores, actions, cards: deckLabels, position };
