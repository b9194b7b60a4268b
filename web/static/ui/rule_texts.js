/* Rules on the pages: an id never stands without its text, or a link to it. */

import { boot } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { ruleText } from "../lib/event_texts.js";

/** Id -> its rule, of the game whose rules came with the page.
    @type {Map<string, RuleText>} */
const known = new Map(
  (boot.rules?.chapters ?? []).flatMap((chapter) => chapter.rules.map((rule) => [rule.id, rule])),
);

/** A link to the text of a rule.
    @param {string} id */
function ruleLink(id) {
  const game = boot.rules ? `?game=${encodeURIComponent(boot.rules.game)}` : "";
  return h("a", { class: "rule", href: `/rules${game}#${id}` }, id);
}

/** The rules with their texts, each once.
    @param {string[]} ids */
export function ruleTexts(ids) {
  const all = [...new Set(ids.filter(Boolean))];
  if (all.length === 0) return null;
  return h(
    "ul",
    { class: "rule-texts" },
    all.map((id) => h("li", { key: id }, ruleLink(id), " ", ruleText(known.get(id)?.text ?? ""))),
  );
}
