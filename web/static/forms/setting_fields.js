/* Settings as fields: each setting of Host.games() becomes the control that fits its type.

   {name, type, default, choices, keys, help}; `type` is in words: "integer", "true or false", "list of text".
   `keys` are what a table counts, each with a field of its own. An untouched setting is not sent, so that its
   default holds. */

import { h } from "../lib/dom.js";
import { settingName, valueText } from "../lib/event_texts.js";
import { _ } from "../lib/translation.js";

/** @param {GameSetting} setting */
const isSwitch = (setting) => typeof setting.default === "boolean";
/** @param {GameSetting} setting */
const isNumber = (setting) => /^(integer|number)\b/.test(setting.type);
/** @param {GameSetting} setting */
const isList = (setting) => Array.isArray(setting.default) || /^(list|\[)/.test(setting.type);
/** @param {GameSetting} setting */
const isPlayer = (setting) => setting.name === "first_player";

/** The help without the ids of rules in parentheses: here stands no rule that they could name.
    @param {string} help */
function withoutRules(help) {
  return help.replace(/ \([A-Z0-9]+-[A-Z0-9, -]+\)/g, "");
}

/** One labelled control. `value` undefined: the default. `change(undefined)` goes back to it.
    @param {GameSetting} setting
    @param {FieldOptions} options */
export function field(setting, { value, error, players, change }) {
  const id = `setting-${setting.name}`;
  const help = setting.help && h("small", { class: "quiet", id: `${id}-help` }, withoutRules(_(setting.help)));
  const wrong = error && h("p", { class: "wrong-here", role: "alert" }, error);
  const attributes = {
    id,
    name: setting.name,
    "aria-describedby": setting.help ? `${id}-help` : null,
    "aria-invalid": error ? "true" : null,
  };
  const now = value === undefined ? setting.default : value;
  if (isSwitch(setting)) {
    return h(
      "div",
      { class: "field switch", key: id },
      h("label", { for: id }, h("span", {}, settingName(setting.name)), help),
      h("input", {
        ...attributes,
        type: "checkbox",
        role: "switch",
        checked: now === true,
        onchange: (event) =>
          change(event.target.checked === setting.default ? undefined : event.target.checked),
      }),
      wrong,
    );
  }
  if (setting.keys) return counts(setting, { id, help, wrong, value, change });
  return h(
    "div",
    { class: "field", key: id },
    h("label", { for: id }, h("span", {}, settingName(setting.name))),
    control(setting, attributes, value, players, change),
    help,
    wrong,
  );
}

/** A table of known things: how many there are of each, all empty for the usual ones.
    @param {GameSetting} setting
    @param {{ id: string, help: Child, wrong: Child, value: JsonValue, change: OnChange }} options */
function counts(setting, { id, help, wrong, value, change }) {
  return h(
    "fieldset",
    { class: "field counts", key: id },
    h("legend", {}, settingName(setting.name)),
    help,
    (setting.keys ?? []).map((key) =>
      h(
        "label",
        { key },
        h("span", {}, valueText(key)),
        h("input", {
          type: "text",
          inputmode: "numeric",
          autocomplete: "off",
          name: `${setting.name} ${key}`,
          value: value?.[key] ?? "",
          onchange: (event) => {
            const now = { ...value, [key]: event.target.value.trim() };
            if (now[key] === "") delete now[key];
            change(Object.keys(now).length > 0 ? now : undefined);
          },
        }),
      ),
    ),
    wrong,
  );
}

/** @param {GameSetting} setting
    @param {Props} attributes
    @param {JsonValue} value
    @param {string[]} players
    @param {OnChange} change */
function control(setting, attributes, value, players, change) {
  const choices = setting.choices ?? (isPlayer(setting) ? players : null);
  if (choices) {
    const optional = setting.default === null || setting.default === undefined;
    return h(
      "select",
      {
        ...attributes,
        onchange: (event) => {
          const at = Number(event.target.value);
          change(at < 0 || choices[at] === setting.default ? undefined : choices[at]);
        },
      },
      optional &&
        h(
          "option",
          { value: "-1", selected: value === undefined },
          isPlayer(setting) ? _("whoever sits first") : _("as usual"),
        ),
      choices.map((choice, n) =>
        h(
          "option",
          { value: String(n), selected: choice === (value === undefined ? setting.default : value) },
          choiceName(setting, choice),
        ),
      ),
    );
  }
  return h("input", {
    ...attributes,
    type: "text",
    inputmode: isNumber(setting) ? "decimal" : "text",
    autocomplete: "off",
    value: value === undefined ? "" : typeof value === "string" ? value : asTyped(value),
    placeholder:
      setting.default === null || setting.default === undefined ? _("as usual") : asTyped(setting.default),
    onchange: (event) => change(event.target.value.trim() === "" ? undefined : event.target.value.trim()),
  });
}

/** @param {GameSetting} setting
    @param {JsonValue} choice */
function choiceName(setting, choice) {
  if (setting.name === "language") return new Intl.DisplayNames([choice], { type: "language" }).of(choice);
  const words = valueText(choice);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as it is typed: "hmmrrr, pfft", "[4, 3], [4, 4]".
    @param {JsonValue} value
    @returns {string} */
function asTyped(value) {
  if (Array.isArray(value))
    return value.map((one) => (Array.isArray(one) ? JSON.stringify(one) : asTyped(one))).join(", ");
  return String(value);
}

/** {settings: typed values to send, errors: {name: text}} from what was typed.
    @param {GameSetting[]} settings
    @param {Record<string, JsonValue>} typed */
export function readSettings(settings, typed) {
  /** @type {{ settings: Record<string, JsonValue>, errors: Record<string, string> }} */
  const found = { settings: {}, errors: {} };
  for (const setting of settings) {
    if (!(setting.name in typed)) continue;
    const value = parse(setting, typed[setting.name]);
    if (value === undefined)
      found.errors[setting.name] = isNumber(setting) || setting.keys ? _("A number, please.") : _("I cannot read that.");
    else found.settings[setting.name] = value;
  }
  return found;
}

/** @param {GameSetting} setting
    @param {JsonValue} text
    @returns {JsonValue} */
function parse(setting, text) {
  if (setting.keys) {
    const rows = Object.entries(text).map(([key, n]) => [key, Number(n)]);
    return rows.every(([, n]) => Number.isInteger(n)) ? Object.fromEntries(rows) : undefined;
  }
  if (typeof text !== "string" || setting.choices || isPlayer(setting)) return text;
  if (isNumber(setting)) {
    if (/ or nothing$/.test(setting.type) && [_("none"), "none"].includes(text.toLowerCase())) return null;
    const number = Number(text.replace(",", "."));
    return Number.isFinite(number) ? number : undefined;
  }
  if (!isList(setting)) return text;
  if (/^\[/.test(text)) return json(`[${text}]`);
  return text
    .split(/[,;]\s*/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => (/^-?\d+$/.test(part) ? Number(part) : part));
}

/** @param {string} text
    @returns {JsonValue} */
function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
