/* One question about one field of an event, in the form that fits what is on offer: a list, several of a list,
   a number, dice, places, monsters put together, words. */

import { cardOfLabel } from "../lib/cards.js";
import { h, typedText } from "../lib/dom.js";
import { eventHeading, fieldQuestion, valueText } from "../lib/event_texts.js";
import { same } from "../lib/offers.js";
import { _ } from "../lib/translation.js";
import { pickCard } from "../ui/card_picker.js";
import { card, monster } from "../ui/card_pictures.js";
import { sign } from "../ui/icons.js";
import { sheet } from "../ui/sheet.js";
import { stepper } from "../ui/stepper.js";
import { gameOf } from "../games/index.js";
import { askDice } from "./dice_question.js";

/** Asks and calls `next` with the answer. `choices`: what each offer allows for the field.
    @param {GameSnapshot} snapshot
    @param {GameEvent} event
    @param {string} name
    @param {FieldChoice[]} choices
    @param {OnAnswer} next */
export function askFor(snapshot, event, name, choices, next) {
  const listed = valuesOf(choices);
  const kinds = new Set(choices.map((choice) => choice.kind));
  /** @param {...string} names */
  const only = (...names) => [...kinds].every((kind) => names.includes(kind));
  /** @param {string} kind */
  const find = (kind) => choices.find((choice) => choice.kind === kind);
  const title = `${eventHeading(event)} – ${fieldQuestion(name)}`;
  if (only("oneof", "objects") && listed.length === 1) next(listed[0]);
  else if (name === "at") askPlace(snapshot, title, find("anyplace") ? null : listed, next);
  else if (only("oneof", "objects")) askOne(snapshot, title, name, listed, next);
  else if (kinds.has("several") || kinds.has("collection")) askSeveral(snapshot, title, name, choices, next);
  else if (kinds.has("integer") || kinds.has("number"))
    askNumber(title, name, find("integer") ?? find("number") ?? { kind: "number" }, next);
  else if (kinds.has("dice")) askDice(title, find("dice")?.count, next);
  else if (kinds.has("monsters")) askMonsters(snapshot, title, /** @type {PartsChoice} */ (find("monsters")), next);
  else if (kinds.has("parts")) askMonsters(snapshot, title, /** @type {PartsChoice} */ (find("parts")), ([parts]) => next(parts), 1);
  else if (kinds.has("card"))
    pickCard({ title, labels: gameOf(snapshot).cards(snapshot), onPick: (label) => next(cardOfLabel(label)) });
  else askWritten(title, name, choices[0], next);
}

/** @param {FieldChoice[]} choices
    @returns {JsonValue[]} */
function valuesOf(choices) {
  /** @type {JsonValue[]} */
  const found = [];
  for (const choice of choices)
    for (const value of choice.values ?? []) if (!found.some((one) => same(one, value))) found.push(value);
  return found;
}

/** @param {GameSnapshot} snapshot
    @param {string} name
    @param {JsonValue} value */
function glyph(snapshot, name, value) {
  if (snapshot.game?.players.some((seat) => seat.name === value)) return sign(snapshot.game.players, value);
  if (value && typeof value === "object" && value.monster !== undefined && value.part === undefined)
    return card(value);
  if (name === "column" && typeof value === "string" && value !== "aside") return monster(value);
  return null;
}

/** @param {GameSnapshot} snapshot
    @param {string} title
    @param {string} name
    @param {JsonValue[]} values
    @param {OnAnswer} next */
function askOne(snapshot, title, name, values, next) {
  sheet(title, (close) => {
    const pick = (/** @type {JsonValue} */ value) => (close(), next(value));
    const some = values.filter((value) => value !== null);
    const pictures = gameOf(snapshot).pictures?.(some, name, null, pick);
    if (!pictures) return wordList(snapshot, name, values, pick);
    return [pictures, some.length < values.length && wordList(snapshot, name, [null], pick)];
  });
}

/** @param {GameSnapshot} snapshot
    @param {string} name
    @param {JsonValue[]} values
    @param {OnAnswer} pick */
function wordList(snapshot, name, values, pick) {
  return h(
    "ul",
    { class: values.length > 12 ? "choices many" : "choices" },
    values.map((value) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "choice", onclick: () => pick(value) },
          glyph(snapshot, name, value),
          h("span", {}, name === "parts" ? value.join("-") : value === null ? _("None of these") : valueText(value)),
        ),
      ),
    ),
  );
}

/** @param {GameSnapshot} snapshot
    @param {string} title
    @param {string} name
    @param {FieldChoice[]} choices
    @param {OnAnswer} next */
function askSeveral(snapshot, title, name, choices, next) {
  const least = Math.min(...choices.map((choice) => choice.least ?? (choice.kind === "several" ? 1 : 0)));
  /** @type {JsonValue[]} */
  let chosen = [];
  /** @param {JsonValue} value */
  const toggle = (value) => {
    chosen = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    opened.redraw();
  };
  const values = valuesOf(choices);
  const opened = sheet(title, (close) => [
    gameOf(snapshot).pictures?.(values, name, chosen, toggle) ??
      h(
        "ul",
        { class: "choices" },
        values.map((value) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "choice",
                "aria-pressed": String(chosen.includes(value)),
                onclick: () => toggle(value),
              },
              glyph(snapshot, name, value),
              h("span", {}, valueText(value)),
            ),
          ),
        ),
      ),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        disabled: chosen.length < least,
        onclick: () => (close(), next(chosen)),
      },
      chosen.length > 0 ? chosen.map(valueText).join(", ") : _("None"),
    ),
  ]);
}

/** @param {string} title
    @param {string} name
    @param {FieldChoice} choice
    @param {OnAnswer} next */
function askNumber(title, name, choice, next) {
  const low = choice.low ?? 0;
  let value = low;
  const opened = sheet(title, (close) => [
    stepper(fieldQuestion(name), value, low, choice.high ?? 999, (to) => {
      value = to;
      opened.redraw();
    }),
    h("button", { type: "button", class: "primary", onclick: () => (close(), next(value)) }, _("Enter")),
  ]);
}

/** Monsters [top, eyes, bottom], one part after the other, until one layer is used up.
    @param {GameSnapshot} snapshot
    @param {string} title
    @param {PartsChoice} layers
    @param {OnAnswer} next
    @param {number} [many] */
function askMonsters(
  snapshot,
  title,
  layers,
  next,
  many = Math.min(layers.top.length, layers.eyes.length, layers.bottom.length),
) {
  /** @type {("top" | "eyes" | "bottom")[]} */
  const names = ["top", "eyes", "bottom"];
  /** @param {number[][]} built
      @param {number[]} parts */
  const step = (built, parts) => {
    if (built.length === many) {
      next(built);
      return;
    }
    if (parts.length === names.length) {
      step([...built, parts], []);
      return;
    }
    const layer = names[parts.length];
    const used = built.map((one) => one[parts.length]);
    const left = layers[layer].filter((n) => !used.includes(n));
    const stepTitle = `${title} ${built.length + 1}/${many}: ${_(layer)}`;
    if (left.length === 1) step(built, [...parts, left[0]]);
    else askOne(snapshot, stepTitle, layer, left, (n) => step(built, [...parts, n]));
  };
  step([], []);
}

/** A place: in the game's own picture of the table, or from a list.
    @param {GameSnapshot} snapshot
    @param {string} title
    @param {Place[] | null} places
    @param {OnAnswer} next */
function askPlace(snapshot, title, places, next) {
  /** @param {() => void} close */
  const pick = (close) => (/** @type {Place} */ at) => {
    close();
    next(at);
  };
  const picture = gameOf(snapshot).places;
  if (picture) sheet(title, (close) => picture(snapshot, places, pick(close)));
  else askOne(snapshot, title, "at", places ?? [], next);
}

/** @param {string} title
    @param {string} name
    @param {FieldChoice | undefined} choice
    @param {OnAnswer} next */
function askWritten(title, name, choice, next) {
  const words = choice?.kind === "words";
  const right = words ? (choice.right ?? []) : [];
  sheet(title, (close) => [
    right.length > 0 &&
      h(
        "ul",
        { class: "choices" },
        right.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "choice", onclick: () => (close(), next(one)) },
              one.join(" "),
            ),
          ),
        ),
      ),
    h(
      "form",
      {
        onsubmit: (submitted) => {
          submitted.preventDefault();
          const text = typedText(submitted.target, "value");
          close();
          next(words ? text.split(/\s+/) : choice?.kind === "text" ? text : parsed(text));
        },
      },
      h(
        "label",
        { class: "field" },
        h("span", {}, fieldQuestion(name)),
        h("input", { name: "value", type: "text", autocomplete: "off", required: true, pattern: ".*\\S.*" }),
      ),
      h("button", { class: "primary" }, _("Enter")),
    ),
  ]);
}

/** JSON as it stands; words stay words.
    @param {string} text
    @returns {JsonValue} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
