/* Changing one field of an event that has been judged: what could have been instead is offered to be picked. */

import { cardOfLabel, labelOfCard } from "../lib/cards.js";
import { h, typedText } from "../lib/dom.js";
import { fieldQuestion } from "../lib/event_texts.js";
import { allows } from "../lib/offers.js";
import { _ } from "../lib/translation.js";
import { pickCard } from "../ui/card_picker.js";
import { sign } from "../ui/icons.js";
import { choose, sheet } from "../ui/sheet.js";
import { gameOf } from "../games/index.js";
import { askFor } from "./field_question.js";

const FIXED = new Set(["event", "display", "tiles", "aside"]);
const TIMES = new Set(["t", "start", "end"]);

/** The fields of an event that can be changed one by one.
    @param {GameEvent} event */
export function editable(event) {
  return Object.keys(event ?? {}).filter((name) => !FIXED.has(name));
}

/** Asks for another value of a field of entry `n` and hands the changed event on.
    @param {GameSnapshot} s
    @param {number} n
    @param {GameEvent} event
    @param {string} name
    @param {(event: GameEvent) => void} onChanged */
export async function editField(s, n, event, name, onChanged) {
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
  } else if (typeof value === "boolean") {
    change(!value);
  } else if (TIMES.has(name)) {
    typeNumber(name, value, change);
  } else {
    const choices = await choicesAt(n, event, name);
    askFor(s, event, name, choices.length > 0 ? choices : [{ kind: "text" }], change);
  }
}

/** What a field of an entry could have been: of the offers that fit the other fields, else of all.
    @param {number} n
    @param {GameEvent} event
    @param {string} name
    @returns {Promise<FieldChoice[]>} */
async function choicesAt(n, event, name) {
  const reply = await fetch(`/api/log/${n}/offers`).then((response) => response.json(), () => null);
  /** @type {EventOffer[]} */
  const offers = (reply?.offers ?? []).filter(
    (/** @type {EventOffer} */ offer) => offer.event === event.event && offer.fields[name],
  );
  const fitting = offers.filter((offer) =>
    Object.entries(event).every(([other, value]) => other === "event" || other === name || allows(offer.fields[other], value)),
  );
  return (fitting.length > 0 ? fitting : offers).map((offer) => offer.fields[name]);
}

/** @param {string} name
    @param {number} value
    @param {(value: number) => void} change */
function typeNumber(name, value, change) {
  let errorText = "";
  const drawn = sheet(fieldQuestion(name), (close) =>
    h(
      "form",
      {
        onsubmit: (submitted) => {
          submitted.preventDefault();
          const other = Number(typedText(submitted.target, "value").replace(",", "."));
          if (!Number.isFinite(other)) {
            errorText = _("A number, please.");
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
        h("input", { name: "value", type: "text", inputmode: "decimal", autocomplete: "off", required: true, value }),
      ),
      h("p", { class: "wrong-here", role: "alert" }, errorText),
      h("button", { class: "primary" }, _("Preview")),
    ),
  );
}
