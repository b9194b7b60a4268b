/* Words: English stands in the scripts; a file of its own brings the phone's language along (web/assets.py). */

/** @type {Record<string, string | string[]>} */
const catalogue = /** @type {any} */ (globalThis).companionWords ?? {};
const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

/** The text in the phone's language with its %(name)s filled in.
    @param {string} text
    @param {Record<string, unknown>} [values]
    @returns {string} */
export function _(text, values) {
  const found = catalogue[text];
  return fill(typeof found === "string" ? found : text, values);
}

/** One or many; `n` is filled in as %(n)s.
    @param {string} one
    @param {string} many
    @param {number} n
    @param {Record<string, unknown>} [values]
    @returns {string} */
export function ngettext(one, many, n, values) {
  const forms = Array.isArray(catalogue[one]) ? catalogue[one] : [one, many];
  const form = plurals.select(n) === "one" ? forms[0] : forms[forms.length - 1];
  return fill(form, { n, ...values });
}

/** "Ida, Jo and Kai"
    @param {string[]} names
    @returns {string} */
export function listText(names) {
  const language = document.documentElement.lang;
  // British English writes "Ida, Jo and Kai", as the table says it.
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" }).format(names);
}

/** @param {string} text
    @param {Record<string, unknown>} [values]
    @returns {string} */
function fill(text, values) {
  return values
    ? text.replace(/%\((\w+)\)s/g, (whole, name) => String(name in values ? values[name] : whole))
    : text;
}
