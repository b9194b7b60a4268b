/* Settings as fields: each setting of Host.games() becomes the control that fits its type.

   {name, type, default, choices, help}; an untouched setting is not sent, so that its default holds. */

import { h } from "./dom.js";
import { _ } from "./words.js";
import { valueName } from "./events.js";

const NUMBERS = new Set(["integer", "int", "number", "float"]);
const LISTS = new Set(["list", "words", "numbers", "strings", "integers", "places"]);

export function settingName(name) {
  const text = _(name.replace(/_s$/, "").replaceAll("_", " "));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One labelled control. `value` undefined: the default. `change(undefined)` goes back to it. */
export function field(setting, { value, error, players, change }) {
  const id = `setting-${setting.name}`;
  const help = setting.help && h("small", { class: "quiet", id: `${id}-help` }, setting.help);
  const wrong = error && h("p", { class: "wrong-here", role: "alert" }, error);
  const told = { id, name: setting.name, "aria-describedby": setting.help ? `${id}-help` : null, "aria-invalid": error ? "true" : null };
  const now = value === undefined ? setting.default : value;
  if (setting.type === "boolean" || setting.type === "bool") {
    return h(
      "div",
      { class: "field switch", key: id },
      h("label", { for: id }, h("span", {}, settingName(setting.name)), help),
      h("input", { ...told, type: "checkbox", role: "switch", checked: now === true, onchange: (event) => change(event.target.checked === setting.default ? undefined : event.target.checked) }),
      wrong,
    );
  }
  return h("div", { class: "field", key: id }, h("label", { for: id }, h("span", {}, settingName(setting.name))), control(setting, told, value, players, change), help, wrong);
}

function control(setting, told, value, players, change) {
  const choices = setting.choices ?? (setting.type === "player" || setting.name === "first_player" ? players : null);
  if (choices) {
    const optional = setting.default === null || setting.default === undefined;
    return h(
      "select",
      {
        ...told,
        onchange: (event) => {
          const at = Number(event.target.value);
          change(at < 0 || choices[at] === setting.default ? undefined : choices[at]);
        },
      },
      optional && h("option", { value: "-1", selected: value === undefined }, setting.name === "first_player" ? _("whoever sits first") : _("as usual")),
      choices.map((choice, n) =>
        h("option", { value: String(n), selected: choice === (value === undefined ? setting.default : value) }, typeof choice === "string" ? sentenceCase(choice) : valueName(choice)),
      ),
    );
  }
  return h("input", {
    ...told,
    type: "text",
    inputmode: NUMBERS.has(setting.type) ? "decimal" : "text",
    autocomplete: "off",
    value: value === undefined ? "" : typeof value === "string" ? value : written(value),
    placeholder: setting.default === null || setting.default === undefined ? _("as usual") : written(setting.default),
    onchange: (event) => change(event.target.value.trim() === "" ? undefined : event.target.value.trim()),
  });
}

function sentenceCase(text) {
  const words = valueName(text);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function written(value) {
  if (Array.isArray(value)) return value.map(written).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** {settings: typed values to send, errors: {name: text}} from what was typed. */
export function readSettings(settings, typed) {
  const found = { settings: {}, errors: {} };
  for (const setting of settings) {
    if (!(setting.name in typed)) continue;
    const value = parse(setting, typed[setting.name]);
    if (value === undefined) found.errors[setting.name] = NUMBERS.has(setting.type) ? _("A number, please.") : _("I cannot read that.");
    else found.settings[setting.name] = value;
  }
  return found;
}

function parse(setting, text) {
  if (typeof text !== "string" || setting.choices || setting.type === "player" || setting.name === "first_player") return text;
  if (NUMBERS.has(setting.type)) {
    const number = Number(text.replace(",", "."));
    return Number.isFinite(number) ? number : undefined;
  }
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (LISTS.has(setting.type) || Array.isArray(setting.default))
    return text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => (/^-?\d+$/.test(part) ? Number(part) : part));
  return text;
}
