/* Changing one field of an event that has been judged. */

import { cardOfLabel, labelOfCard } from "../lib/cards.js";
import { h, typedText } from "../lib/dom.js";
import { question, valueName } from "../lib/event_texts.js";
import { _ } from "../lib/words.js";
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
    @param {(event: GameEvent) => void} done */
export function editField(s, event, name, done) {
  const value = event[name];
  /** @param {JsonValue} other */
  const give = (other) => done({ ...event, [name]: other });
  if (typeof value === "string" && s.game.players.some((seat) => seat.name === value)) {
    choose(
      question(name),
      s.game.players.map((seat) => ({
        label: seat.name,
        glyph: sign(s.game.players, seat.name),
        run: () => give(seat.name),
      })),
    );
  } else if (name === "card" && gameOf(s).cards(s).length > 0) {
    pickCard({
      title: question(name),
      labels: gameOf(s).cards(s),
      likely: [labelOfCard(value)],
      onPick: (label) => give(typeof value === "string" ? label : cardOfLabel(label)),
    });
  } else if (name === "column" && typeof value === "string" && s.state.display) {
    const names = [...Object.keys(s.state.display[event.player ?? ""] ?? {}), "aside"];
    choose(
      question(name),
      names.map((column) => ({
        label: valueName(column),
        glyph: column === "aside" ? null : monster(column),
        run: () => give(column),
      })),
    );
  } else if (typeof value === "boolean") {
    give(!value);
  } else {
    write(name, value, give);
  }
}

/** @param {string} name
    @param {JsonValue} value
    @param {(value: JsonValue) => void} give */
function write(name, value, give) {
  const words = Array.isArray(value) && value.every((one) => typeof one === "string");
  const text = words ? value.join(" ") : typeof value === "string" ? value : JSON.stringify(value);
  let wrong = "";
  const drawn = sheet(question(name), (close) =>
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
              : number(typed);
          if (other === undefined) {
            wrong = _("I cannot read that.");
            drawn.redraw();
            return;
          }
          close();
          give(other);
        },
      },
      h(
        "label",
        { class: "field" },
        h("span", {}, question(name)),
        h("input", { name: "value", type: "text", autocomplete: "off", required: true, value: text }),
      ),
      h("p", { class: "wrong-here", role: "alert" }, wrong),
      h("button", { class: "primary" }, _("Preview")),
    ),
  );
}

/** @param {string} text
    @returns {JsonValue} */
function number(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
