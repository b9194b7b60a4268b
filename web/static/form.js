/* Entering any event by tapping: one question after the other, made from the offers. A field with one possible
   value is not asked for; a field without a list of values is typed. */

import { h } from "./dom.js";
import { _ } from "./words.js";
import { sheet } from "./sheet.js";
import { allows, offersOf, same } from "./offers.js";
import { card, monster, sign } from "./glyphs.js";
import { deed, question, valueName } from "./events.js";

/** Asks for the fields of an event and hands it to `send`. `fixed`: fields that are known. */
export function fill(snapshot, kind, fixed, send) {
  ask(snapshot, { event: kind, ...fixed }, offersOf(snapshot, kind).filter((offer) => fits(offer, fixed)), send);
}

function fits(offer, event) {
  return Object.entries(event).every(([name, value]) => name === "event" || allows(offer.fields[name], value));
}

function ask(snapshot, event, offers, send) {
  const rest = offers.filter((offer) => fits(offer, event));
  const names = [...new Set(rest.flatMap((offer) => Object.keys(offer.fields)))].filter((name) => !(name in event));
  const name = names.find((one) => one === "player") ?? names.find((one) => needed(rest, one)) ?? null;
  if (name === null) {
    send(event);
    return;
  }
  const choices = rest.map((offer) => offer.fields[name]).filter(Boolean);
  const values = [];
  for (const choice of choices) for (const value of choice.values ?? []) if (!values.some((one) => same(one, value))) values.push(value);
  const next = (value) => ask(snapshot, { ...event, [name]: value }, rest, send);
  if (choices.every((choice) => choice.kind === "oneof")) {
    if (values.length === 1) next(values[0]);
    else chooseValue(snapshot, event, name, values, next);
  } else if (choices.some((choice) => choice.kind === "integer")) {
    chooseNumber(event, name, choices.find((choice) => choice.kind === "integer"), next);
  } else {
    typeValue(event, name, choices[0], next);
  }
}

function needed(offers, name) {
  return offers.some((offer) => offer.fields[name] && !(offer.optional ?? []).includes(name));
}

function title(event, name) {
  const who = event.player ? `${event.player} ${deed(event.event)}` : deed(event.event);
  return `${who} – ${question(name)}`;
}

function chooseValue(snapshot, event, name, values, next) {
  sheet(title(event, name), (close) =>
    h(
      "ul",
      { class: values.length > 12 ? "choices many" : "choices" },
      values.map((value) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "choice",
              onclick: () => {
                close();
                next(value);
              },
            },
            glyph(snapshot, name, value),
            h("span", {}, valueName(value)),
          ),
        ),
      ),
    ),
  );
}

function glyph(snapshot, name, value) {
  if (snapshot.game?.players.some((seat) => seat.name === value)) return sign(snapshot.game.players, value);
  if (value && typeof value === "object" && value.monster !== undefined && value.part === undefined) return card(value);
  if (name === "column" && typeof value === "string" && value !== "aside") return monster(value);
  return null;
}

function chooseNumber(event, name, choice, next) {
  const low = choice.low ?? 0;
  let value = low;
  const drawn = sheet(title(event, name), (close) => [
    stepper(question(name), value, low, choice.high ?? 999, (to) => {
      value = to;
      drawn.redraw();
    }),
    h("button", { type: "button", class: "primary", onclick: () => (close(), next(value)) }, _("Enter")),
  ]);
}

/** − value + with a label for each half. */
export function stepper(label, value, low, high, change) {
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": label },
    h("button", { type: "button", "aria-label": _("%(what)s: one less", { what: label }), disabled: value <= low, onclick: () => change(value - 1) }, "−"),
    h("output", {}, value),
    h("button", { type: "button", "aria-label": _("%(what)s: one more", { what: label }), disabled: value >= high, onclick: () => change(value + 1) }, "+"),
  );
}

function typeValue(event, name, choice, next) {
  const right = choice?.kind === "words" ? (choice.right ?? []) : [];
  sheet(title(event, name), (close) => [
    right.length > 0 &&
      h("ul", { class: "choices" }, right.map((words) =>
        h("li", {}, h("button", { type: "button", class: "choice", onclick: () => (close(), next(words)) }, words.join(" "))))),
    h(
      "form",
      {
        onsubmit: (submitted) => {
          submitted.preventDefault();
          const text = new FormData(submitted.target).get("value").trim();
          const value = choice?.kind === "words" ? text.split(/\s+/).filter(Boolean) : parsed(text);
          if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
          close();
          next(value);
        },
      },
      h("label", { class: "field" }, h("span", {}, question(name)), h("input", { name: "value", autocomplete: "off", required: true })),
      choice?.kind !== "words" && h("p", { class: "quiet" }, _("Separate several values with commas.")),
      h("button", { class: "primary" }, _("Enter")),
    ),
  ]);
}

/** "3, 4, 4" -> [3, 4, 4]; "[0, 1]" and other JSON as it stands; words stay words. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    const parts = text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => (/^-?\d+$/.test(part) ? Number(part) : part));
    return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : parts;
  }
}
