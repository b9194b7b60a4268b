/* Changing one field of an event that has been judged. */

import { cardOfLabel, labelOfCard } from "../lib/cards.js";
import { h, typedText } from "../lib/dom.js";
import { fieldQuestion, valueText } from "../lib/event_texts.js";
import { _ } from "../lib/translation.js";
import { pickCard } from "../ui/card_picker.js";
import { monster } from "../ui/card_pictures.js";
import { sign } from "../ui/icons.js";
import { choose, sheet } from "../ui/sheet.js";
import { gameOf } from "../games/index.js";

const FIXED = new Set(["event", "display", "tiles", "aside"]);

/** The fields of an event that can be changed one by one.
    @param {GameEvent} event */
export function editable(event) {
  return Object.keys(event ?? {}).filter((name) => !FIXED.has(name));
}

/** Asks for another value of a field and hands the changed event on.
    @param {GameSnapshot} s
    @param {GameEvent} event
    @param {string} name
    @param {(event: GameEvent) => void} onChanged */
export function editField(s, event, name, onChanged) {
  const value = event[name];
  /** @param {JsonValue} other */
  const change = (other) => onChanged({ ...event, [name]: other });
  if (typeof value === "string" && s.game.players.some((seat) => seat.name === value)) {
    choose(
      fieldQuestion(name),
      s.game.players.map((seat) => ({
        label: seat.name,
        glyph: sign(s.game.players, seat.name),
        run: () => change(seat.name),
      })),
    );
  } else if (name === "card" && gameOf(s).cards(s).length > 0) {
    pickCard({
      title: fieldQuestion(name),
      labels: gameOf(s).cards(s),
      likely: [labelOfCard(value)],
      onPick: (label) => change(typeof value === "string" ? label : cardOfLabel(label)),
    });
  } else if (name === "column" && typeof value === "string" && s.state.display) {
    const names = [...Object.keys(s.state.display[event.player ?? ""] ?? {}), "aside"];
    choose(
      fieldQuestion(name),
      names.map((column) => ({
        label: valueText(column),
        glyph: column === "aside" ? null : monster(column),
        run: () => change(column),
      })),
    );
  } else if (typeof value === "boolean") {
    change(!value);
  } else {
    typeValue(name, value, change);
  }
}

/** @param {string} name
    @param {JsonValue} value
    @param {(value: JsonValue) => void} change */
function typeValue(name, value, change) {
  const words = Array.isArray(value) && value.every((one) => typeof one === "string");
  const text = words ? value.join(" ") : typeof value === "string" ? value : JSON.stringify(value);
  let errorText = "";
  const drawn = sheet(fieldQuestion(name), (close) =>
    h(
      "form",
      {
        onsubmit: (submitted) => {
          submitted.preventDefault();
          const typed = typedText(submitted.target, "value");
          const other = words
            ? typed.split(/\s+/).filter(Boolean)
            : typeof value === "string"
              ? typed
              : parsed(typed);
          if (other === undefined) {
            errorText = _("I cannot read that.");
            drawn.redraw();
            return;
          }
          close();
          change(other);
        },
      },
      h(
        "label",
        { class: "field" },
        h("span", {}, fieldQuestion(name)),
        h("input", { name: "value", type: "text", autocomplete: "off", required: true, value: text }),
      ),
      h("p", { class: "wrong-here", role: "alert" }, errorText),
      h("button", { class: "primary" }, _("Preview")),
    ),
  );
}

/** @param {string} text
    @returns {JsonValue} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
