/* Trio Monsters: the lattice of triangles; a card is entered by colour and place. */

import { h, typedText } from "../../lib/dom.js";
import { offersOf, valuesOf } from "../../lib/offers.js";
import { _, ngettext } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";
import { sheet } from "../../ui/sheet.js";
import { freePlaces, COLOURS, lattice } from "./lattice.js";
import { photographTable } from "./lattice_photo.js";
import { position } from "./position_form.js";

/** @param {TrioSnapshot} s */
function status(s) {
  return ngettext("%(n)s card to draw", "%(n)s cards to draw", s.state.draw_pile ?? 0);
}

/** @param {TrioSnapshot} s */
function task(s) {
  if (s.state.phase === "setup") return _("Turn over the first card.");
  return _("%(name)s lays cards.", { name: s.state.turn });
}

/** @param {TrioSnapshot} s */
function centre(s) {
  return h("section", { class: "lattice-table", "aria-label": _("The table") }, lattice(s.state.table ?? []));
}

/** @param {TrioSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  return h(
    "small",
    { class: "quiet" },
    ngettext("%(n)s card in hand", "%(n)s cards in hand", s.state.hand?.[player] ?? 0),
  );
}

/** @param {TrioSnapshot} s
    @param {string} player */
function playerScore(s, player) {
  const won = s.scores[player] ?? 0;
  return { value: won, unit: ngettext("card won", "cards won", won) };
}

/** @param {TrioSnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function actions(s, ctx) {
  if (!ctx.referee) return [];
  const first = offersOf(s, "card_revealed").length > 0;
  const lay = offersOf(s, first ? "card_revealed" : "card_played");
  return [
    lay.length > 0 && {
      label: first ? _("Enter the first card") : _("Enter %(name)s's card", { name: s.state.turn }),
      run: () => chooseColour(s, ctx, lay, first),
    },
    lay.length > 0 && { label: _("Photograph the table"), quiet: true, run: () => photographTable(s) },
    offersOf(s, "turn_ended").length > 0 && {
      label: _("%(name)s ends the turn", { name: s.state.turn }),
      quiet: true,
      run: () => ctx.send({ event: "turn_ended", player: s.state.turn }),
    },
  ].filter(Boolean);
}

/** @param {TrioSnapshot} s
    @param {PageContext} ctx
    @param {EventOffer[]} offers
    @param {boolean} first */
function chooseColour(s, ctx, offers, first) {
  /** @type {string[]} */
  const colours = s.game.settings.colours ?? [
    ...new Set([...COLOURS, ...s.state.table.map((laid) => laid.card)]),
  ];
  sheet(_("Which colour?"), (close) => [
    h(
      "div",
      { class: "colours" },
      colours.map((colour) =>
        h(
          "button",
          {
            type: "button",
            class: "card-button",
            "aria-label": _(colour),
            onclick: () => (close(), choosePlace(s, ctx, offers, colour, first)),
          },
          COLOURS.includes(colour)
            ? h("img", { src: artAddress(`trio_monsters/${colour}`), alt: "", width: "64", height: "55" })
            : h("span", { class: "chip" }, colour),
        ),
      ),
    ),
    s.game.settings.colours === null &&
      h(
        "form",
        {
          class: "add",
          onsubmit: (event) => {
            event.preventDefault();
            const colour = typedText(event.target, "colour").toLowerCase();
            close();
            choosePlace(s, ctx, offers, colour, first);
          },
        },
        h("input", {
          type: "text",
          name: "colour",
          required: true,
          autocomplete: "off",
          placeholder: _("Another colour"),
          "aria-label": _("Another colour"),
        }),
        h("button", { class: "secondary" }, _("Next")),
      ),
  ]);
}

/** @param {TrioSnapshot} s
    @param {PageContext} ctx
    @param {EventOffer[]} offers
    @param {string} colour
    @param {boolean} first */
function choosePlace(s, ctx, offers, colour, first) {
  const possible = offers.filter((offer) => fits(offer.fields.card, colour));
  /** @param {Place} at */
  const send = (at) =>
    ctx.send(
      first
        ? { event: "card_revealed", card: colour, at }
        : { event: "card_played", player: s.state.turn, card: colour, at },
    );
  const places = possible.some((offer) => offer.fields.at?.kind === "anyplace")
    ? freePlaces(s.state.table)
    : valuesOf(possible, "at");
  if (places.length === 1) {
    send(places[0]);
    return;
  }
  sheet(_("Where does it lie?"), (close) =>
    lattice(s.state.table, places.length > 0 ? places : freePlaces(s.state.table), (at) => {
      close();
      send(at);
    }),
  );
}

/** @param {FieldChoice | undefined} choice
    @param {string} colour */
function fits(choice, colour) {
  if (choice?.kind === "text") return !(choice.but ?? []).includes(colour);
  return choice?.values === undefined || choice.values.includes(colour);
}

/** @param {TrioSnapshot} s
    @param {Place[] | null} places
    @param {(at: Place) => void} onPick */
function places(s, places, onPick) {
  const table = s.state.table ?? [];
  return lattice(table, places ?? freePlaces(table), onPick);
}

export default { status, task, centre, tableView: centre, middleBeside: true, playerDetails, playerScore, actions, places, position };
