/* The controls of the page *Settings*: one for each kind of key. `change(value)` gets the new value; null is the
   default. What cannot be read as a number is handed on as it is: the server says what is wrong with it. */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { icon } from "../../ui/icons.js";
import { settingTitle, valueTitle } from "./setting_texts.js";

/** GPIO -> pin of the header, 1 to 40.
    @type {Record<number, number>} */
const HEADER = {
  2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36,
  17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}; // prettier-ignore

/** @typedef {(value: JsonValue) => void} Change */

/** @param {string} text
    @returns {JsonValue} */
function asNumber(text) {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  const number = Number(trimmed);
  return Number.isNaN(number) ? text : number;
}

/** "0, 1, 2" as numbers.
    @param {string} text
    @returns {JsonValue} */
function asNumbers(text) {
  return text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(asNumber);
}

/** One key: its name, its control, its meaning, and what is wrong with its value.
    @param {SettingField} field
    @param {JsonValue} value the value on the page
    @param {string} problem
    @param {Change} change */
export function settingField(field, value, problem, change) {
  const id = `setting-${field.key}`;
  const title = settingTitle(field.key);
  const help = h("small", { class: "quiet", id: `${id}-help` }, meaning(field.help));
  const wrong = problem && h("p", { class: "wrong-here", role: "alert" }, problem);
  const attributes = {
    id,
    name: field.key,
    "aria-describedby": `${id}-help`,
    "aria-invalid": problem ? "true" : null,
  };
  if (field.kind === "flag")
    return h(
      "div",
      { class: "field switch", key: id },
      h("label", { for: id }, h("span", {}, title), help),
      h("input", { ...attributes, type: "checkbox", role: "switch", checked: value === true, onchange: (event) => change(event.target.checked) }),
      wrong,
    );
  if (["pins", "colours", "trophies"].includes(field.kind))
    return h("fieldset", { class: "field pins", key: id }, h("legend", {}, title), pins(field, value, change), help, wrong);
  return h("div", { class: "field", key: id }, h("label", { for: id }, h("span", {}, title)), control(field, attributes, value, change), help, wrong);
}

/** A meaning with the names of the configuration in it set apart.
    @param {string} help */
function meaning(help) {
  return help.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

/** @param {SettingField} field
    @param {Props} attributes
    @param {JsonValue} value
    @param {Change} change */
function control(field, attributes, value, change) {
  if (field.kind === "pin") return pinSelect(attributes, value, change);
  const { choices } = field;
  if (choices)
    return h(
      "select",
      { ...attributes, onchange: (event) => change(choices[Number(event.target.value)].value) },
      choices.map((choice, at) => h("option", { value: String(at), selected: choice.value === value }, valueTitle(field.key, choice))),
    );
  if (field.kind === "secret")
    return h("input", {
      ...attributes,
      type: "password",
      autocomplete: "new-password",
      value: shownText(attributes, typeof value === "string" ? value : ""),
      placeholder: field.value ? _("unchanged") : "",
      oninput: (event) => change(event.target.value),
    });
  const read = field.kind === "channels" ? asNumbers : field.kind === "text" ? String : asNumber;
  return h("input", {
    ...attributes,
    type: "text",
    inputmode: field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : null,
    autocomplete: "off",
    value: shownText(attributes, Array.isArray(value) ? value.join(", ") : String(value ?? "")),
    placeholder: String(field.default ?? ""),
    oninput: (event) => change(read(event.target.value)),
  });
}

/** The text of a field; undefined leaves a field as it is while somebody types in it.
    @param {Props} attributes
    @param {string} text */
function shownText(attributes, text) {
  return document.activeElement?.id === attributes.id ? undefined : text;
}

/** @param {Props} attributes
    @param {JsonValue} value
    @param {Change} change */
function pinSelect(attributes, value, change) {
  return h(
    "select",
    { ...attributes, onchange: (event) => change(event.target.value === "" ? null : Number(event.target.value)) },
    h("option", { value: "", selected: value === null }, _("not connected")),
    Object.entries(HEADER).map(([gpio, pin]) =>
      h("option", { value: gpio, selected: value === Number(gpio) }, _("GPIO %(gpio)s, pin %(pin)s", { gpio, pin })),
    ),
  );
}

/** Several pins: of the players, of the trophies, of a lamp's three colours.
    @param {SettingField} field
    @param {JsonValue} value
    @param {Change} change */
function pins(field, value, change) {
  if (field.kind === "colours") {
    const now = value ?? [null, null, null];
    return [_("Red"), _("Green"), _("Blue")].map((colour, at) =>
      h(
        "label",
        { key: at },
        h("span", {}, colour),
        pinSelect({}, now[at], (pin) => {
          const next = replaced(now, at, [pin]);
          change(next.every((/** @type {JsonValue} */ one) => one === null) ? null : next);
        }),
      ),
    );
  }
  /** @type {[string, JsonValue][]} */
  const rows = field.kind === "trophies" ? Object.entries(value) : value.map((/** @type {JsonValue} */ pin, /** @type {number} */ at) => [String(at + 1), pin]);
  /** @param {[string, JsonValue][]} next */
  const give = (next) => change(field.kind === "trophies" ? Object.fromEntries(next) : next.map(([, pin]) => pin));
  return [
    rows.map(([name, pin], at) => pinRow(field.kind === "trophies", name, pin, (next) => give(replaced(rows, at, next ? [next] : [])))),
    h("button", { type: "button", class: "secondary", onclick: () => give([...rows, [String(rows.length + 1), null]]) }, _("One more button")),
  ];
}

/** The list with other values in one place.
    @template T
    @param {T[]} list
    @param {number} at
    @param {T[]} values */
const replaced = (list, at, values) => [...list.slice(0, at), ...values, ...list.slice(at + 1)];

/** @param {boolean} named whether the row's name can be changed
    @param {string} name
    @param {JsonValue} pin
    @param {(next: [string, JsonValue] | null) => void} change null: without this row */
function pinRow(named, name, pin, change) {
  const text = named ? _("Trophy %(n)s", { n: name }) : _("Seat %(n)s", { n: name });
  return h(
    "div",
    { class: "pin-row", key: name },
    named
      ? h("input", { type: "text", inputmode: "numeric", value: name, "aria-label": _("Value of the trophy"), onchange: (event) => change([event.target.value.trim(), pin]) })
      : h("span", {}, text),
    pinSelect({ "aria-label": text }, pin, (next) => change([name, next])),
    h("button", { type: "button", class: "icon-button", "aria-label": _("Remove %(what)s", { what: text }), onclick: () => change(null) }, icon("wrong")),
  );
}
