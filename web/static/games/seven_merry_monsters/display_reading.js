/* A reading of a display on the page: the photograph with its cards to be tapped, the columns they make, and
   corrections. See display_columns.js for what a reading holds. */

import { cardName } from "../../lib/cards.js";
import { h } from "../../lib/dom.js";
import { _, ngettext } from "../../lib/translation.js";
import { pickCard } from "../../ui/card_picker.js";
import { card, monster } from "../../ui/card_pictures.js";
import { icon } from "../../ui/icons.js";
import { choose } from "../../ui/sheet.js";
import { stepper } from "../../ui/stepper.js";
import { closePlaces, columnOf, emptyPlaces, isAsked, knownCard, openPlaces } from "./display_columns.js";

let added = 0;

/** The annotated photograph; every card is a button on it, and every place where one may lie.
    @param {DisplayReading} reading
    @param {() => void} changed */
export function annotatedPhoto(reading, changed) {
  return h(
    "figure",
    { class: "reading" },
    h("img", {
      src: reading.picture,
      alt: _("The photograph with the recognised cards"),
    }),
    h(
      "svg",
      { class: "overlay", viewBox: `0 0 ${reading.size.join(" ")}`, preserveAspectRatio: "none" },
      reading.cards
        .filter((one) => one.corners)
        .map((one) =>
          quadButton(`quad-${one.id}`, one.corners ?? [], cardName(knownCard(one)), {
            state: isAsked(reading, one) ? "doubtful" : one.changed ? "changed" : "",
            run: () => correct(reading, one, changed),
          }),
        ),
      emptyPlaces(reading).map((place) =>
        quadButton(`quad-${place.id}`, place.corners, _("Is there a card?"), {
          state: "doubtful asked",
          run: () => ask(reading, place, changed),
        }),
      ),
      openPlaces(reading).map((place) => questionMark(place.corners, reading.size[0] / 32)),
    ),
  );
}

/** A quadrilateral of the photograph that can be tapped.
    @param {string} key
    @param {Point[]} corners
    @param {string} label
    @param {{ state: string, run: () => void }} options */
function quadButton(key, corners, label, { state, run }) {
  return h(
    "g",
    {
      key,
      class: `quad ${state}`,
      role: "button",
      tabindex: "0",
      "aria-label": label,
      onclick: run,
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        run();
      },
    },
    h("polygon", { points: corners.map(([x, y]) => `${x},${y}`).join(" ") }),
  );
}

/** @param {Point[]} corners
    @param {number} radius */
function questionMark(corners, radius) {
  const [x, y] = [0, 1].map((i) => corners.reduce((sum, corner) => sum + corner[i], 0) / corners.length);
  return h(
    "g",
    { class: "question-mark", "aria-hidden": "true" },
    h("circle", { cx: x, cy: y, r: radius }),
    h("text", { x, y, "font-size": radius * 1.5 }, "?"),
  );
}

/** The columns as lists of cards with their points, and the way to add a card.
    @param {DisplayReading} reading
    @param {DisplayPoints | number | null} points
    @param {() => void} changed */
export function columnEditor(reading, points, changed) {
  /** @type {Map<string, ShownCard[]>} */
  const columns = new Map();
  for (const one of reading.cards) {
    const name = one.monster ?? "aside";
    if (!columns.has(name)) columns.set(name, []);
    columns.get(name)?.push(one);
  }
  return h(
    "section",
    { class: "editor", "aria-label": _("Columns") },
    [...columns].map(([name, cards]) =>
      h(
        "div",
        { class: "column", key: `column-${name}` },
        h("h3", {}, name === "aside" ? _("Jokers aside") : _(name)),
        h(
          "div",
          { class: "chosen" },
          cards.map((one) =>
            h(
              "button",
              {
                type: "button",
                key: `card-${one.id}`,
                class: `card-button ${isAsked(reading, one) ? "doubtful" : ""}`,
                "aria-label": _("%(card)s: correct it", { card: cardName(knownCard(one)) }),
                onclick: () => correct(reading, one, changed),
              },
              card(knownCard(one)),
            ),
          ),
        ),
        h("b", { class: "points" }, columnPoints(points, name)),
      ),
    ),
    h(
      "button",
      { type: "button", class: "secondary", onclick: () => add(reading, changed) },
      icon("plus"),
      _("Add a card"),
    ),
    total(points),
  );
}

/** @param {DisplayPoints | number | null} points
    @param {string} name */
function columnPoints(points, name) {
  return (typeof points === "object" && points?.columns?.[name]) ?? "";
}

/** @param {DisplayPoints | number | null} points */
function total(points) {
  const sum = typeof points === "number" ? points : points?.points;
  return (
    sum !== null &&
    sum !== undefined &&
    h("p", { class: "total", role: "status" }, h("b", {}, sum), ngettext("point", "points", sum))
  );
}

/** @param {DisplayReading} reading
    @param {ShownCard} one
    @param {() => void} changed */
function correct(reading, one, changed) {
  const own = knownCard(one);
  const suit = typeof own === "object" ? own.monster : null;
  pickCard({
    title: _("Which card is it?"),
    labels: reading.labels,
    likely: likelyCards(reading, one),
    gone: reading.cards
      .filter((other) => other !== one && other.label !== "joker")
      .map((other) => other.label),
    extras: [
      one.label === "joker" &&
        suit && { label: _("Other column"), run: () => jokerColumn(reading, one, changed) },
      { label: _("This is no card"), run: () => remove(reading, one, changed) },
    ].filter(Boolean),
    onPick: (label) => relabel(reading, one, label, changed),
  });
}

/** @param {DisplayReading} reading
    @param {ShownCard} one */
function likelyCards(reading, one) {
  const asked = openPlaces(reading).find((place) => place.card === one.id);
  const known = one.label === one.monster ? [] : [one.label];
  return [...new Set([...known, ...(asked?.likely ?? [])])].slice(0, 4);
}

/** Asks about a place where no card was counted.
    @param {DisplayReading} reading
    @param {UnsureCard} place
    @param {() => void} changed */
function ask(reading, place, changed) {
  const answer = () => closePlaces(reading, (other) => other === place);
  pickCard({
    title: _("Which card lies there?"),
    labels: reading.labels,
    likely: place.likely.slice(0, 4),
    gone: reading.cards.filter((one) => one.label !== "joker").map((one) => one.label),
    extras: [
      {
        label: _("No card"),
        run: () => {
          answer();
          changed();
        },
      },
    ],
    onPick: (label) => {
      answer();
      addCard(reading, { label, corners: place.corners, monster: place.monster }, changed);
    },
  });
}

/** @param {DisplayReading} reading
    @param {ShownCard} one
    @param {string} label
    @param {() => void} changed */
function relabel(reading, one, label, changed) {
  closePlaces(reading, (place) => place.card === one.id);
  one.label = label;
  one.changed = true;
  if (label === "joker") jokerColumn(reading, one, changed);
  else {
    one.monster = columnOf(label);
    changed();
  }
}

/** @param {DisplayReading} reading
    @param {ShownCard} one
    @param {() => void} changed */
function jokerColumn(reading, one, changed) {
  const names = [
    ...new Set(
      reading.cards.filter((other) => other.label !== "joker").map((other) => String(other.monster)),
    ),
  ];
  if (names.length === 0) {
    one.monster = null;
    changed();
    return;
  }
  choose(
    _("Which column is the joker in?"),
    names.map((name) => ({
      label: _(name),
      glyph: monster(name),
      run: () => {
        one.monster = name;
        one.changed = true;
        changed();
      },
    })),
    changed,
  );
}

/** @param {DisplayReading} reading
    @param {ShownCard} one
    @param {() => void} changed */
function remove(reading, one, changed) {
  reading.cards = reading.cards.filter((other) => other !== one);
  closePlaces(reading, (place) => place.card === one.id);
  changed();
}

/** @param {DisplayReading} reading
    @param {() => void} changed */
function add(reading, changed) {
  pickCard({
    title: _("Add a card"),
    labels: reading.labels,
    gone: reading.cards.filter((one) => one.label !== "joker").map((one) => one.label),
    onPick: (label) => addCard(reading, { label, corners: null, monster: null }, changed),
  });
}

/** Adds a card; a joker that is not known to lie in a column is asked for one.
    @param {DisplayReading} reading
    @param {Pick<ShownCard, "label" | "corners" | "monster">} card
    @param {() => void} changed */
function addCard(reading, card, changed) {
  added += 1;
  const one = { ...card, id: `added-${added}`, confidence: null, changed: true };
  reading.cards = [...reading.cards, one];
  if (card.label === "joker" && card.monster) changed();
  else relabel(reading, one, card.label, changed);
}

/** Counting without a picture: cards and jokers of each column.
    @param {HandCount} hand
    @param {string[]} monsters
    @param {{ points: DisplayPoints | number | null, changed: () => void }} options */
export function countForm(hand, monsters, { points, changed }) {
  /** @param {string} name
      @param {number} cards
      @param {number} jokers */
  const set = (name, cards, jokers) => {
    hand.display[name] = { cards, jokers: Math.min(jokers, Math.max(0, cards - 1)) };
    changed();
  };
  return h(
    "section",
    { class: "by-hand" },
    h("p", { class: "lead" }, _("Cards in each column, and how many of them are jokers.")),
    h(
      "div",
      { class: "counts" },
      h("span", {}),
      h("small", { class: "quiet" }, _("cards")),
      h("small", { class: "quiet" }, _("jokers")),
      h("span", {}),
      monsters.map((name) => {
        const { cards, jokers } = hand.display[name] ?? { cards: 0, jokers: 0 };
        return [
          h(
            "span",
            { class: "suit-name", title: _(name) },
            monster(name),
            h("span", { class: "unseen" }, _(name)),
          ),
          stepper(_("%(monster)s cards", { monster: _(name) }), cards, 0, 18, (to) => set(name, to, jokers)),
          stepper(_("%(monster)s jokers", { monster: _(name) }), jokers, 0, Math.max(0, cards - 1), (to) =>
            set(name, cards, to),
          ),
          h("b", { class: "points" }, columnPoints(points, name)),
        ];
      }),
    ),
    h(
      "div",
      { class: "aside-count" },
      h("span", {}, _("Jokers aside (no monster at all)")),
      stepper(_("Jokers aside"), hand.aside, 0, 11, (to) => {
        hand.aside = to;
        changed();
      }),
    ),
    total(points),
  );
}
