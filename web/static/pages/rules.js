/* The rules of a game in the rulebook's chapters, with a search box and a sample turn. */

import { boot } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { ruleText } from "../lib/event_texts.js";
import { _ } from "../lib/translation.js";
import { card, MONSTERS, monster } from "../ui/card_pictures.js";
import { shell } from "./parts/page_frame.js";
import { ruleTexts } from "../ui/rule_texts.js";

const SAMPLE = "sample";
let wanted = "";

function view() {
  const { rules } = boot;
  if (!rules) return choice();
  const chapters = rules.chapters
    .map((chapter) => ({ ...chapter, rules: chapter.rules.filter(matches) }))
    .filter((chapter) => chapter.rules.length > 0);
  return [
    h("input", {
      type: "search",
      class: "search",
      placeholder: _("Search the rules"),
      "aria-label": _("Search the rules"),
      oninput: search,
    }),
    wanted === "" && contents(chapters),
    chapters.length === 0 && h("p", { class: "lead" }, _("No rule says that; try another word.")),
    chapters.map((chapter) =>
      h(
        "section",
        { key: chapter.title, id: anchor(chapter.title) },
        h("h2", {}, chapter.title),
        h("ul", { class: "rule-list" }, chapter.rules.map(line)),
      ),
    ),
    wanted === "" && rules.sample.length > 0 && sample(rules.sample),
  ];
}

/** Between two games: which game's rules? */
function choice() {
  return [
    h("p", { class: "lead" }, _("Which game?")),
    h(
      "ul",
      { class: "choices" },
      boot.games.map((game) =>
        h(
          "li",
          {},
          h("a", { class: "choice", href: `/rules?game=${encodeURIComponent(game.name)}` }, game.title),
        ),
      ),
    ),
  ];
}

/** @param {Event} event */
function search(event) {
  wanted = /** @type {HTMLInputElement} */ (event.target).value.trim().toLocaleLowerCase();
  redraw();
}

/** @param {RuleText} rule */
function matches(rule) {
  return `${rule.id} ${rule.text}`.toLocaleLowerCase().includes(wanted);
}

/** @param {string} title */
function anchor(title) {
  return `chapter-${encodeURIComponent(title)}`;
}

/** @param {RuleChapter[]} chapters */
function contents(chapters) {
  return h(
    "nav",
    { class: "contents", "aria-label": _("Chapters") },
    chapters.map((chapter) => h("a", { href: `#${anchor(chapter.title)}` }, chapter.title)),
    h("a", { href: `#${SAMPLE}` }, _("A sample turn")),
  );
}

/** @param {RuleText} rule */
function line(rule) {
  return h(
    "li",
    { key: rule.id, id: rule.id, class: decodeURIComponent(location.hash) === `#${rule.id}` ? "found" : null },
    h("span", {}, ruleText(rule.text)),
    " ",
    h("small", { class: "quiet" }, [rule.id, rule.note].filter(Boolean).join(", ")),
  );
}

/** @param {SampleStep[]} steps */
function sample(steps) {
  return h(
    "section",
    { id: SAMPLE },
    h("h2", {}, _("A sample turn")),
    h(
      "ol",
      { class: "sample" },
      steps.map((step) =>
        h(
          "li",
          {},
          h("span", { class: "pictures" }, picture(step.event)),
          h(
            "div",
            {},
            step.lines.map((text) => h("p", {}, text)),
            step.rules.length > 0 && h("details", {}, h("summary", {}, _("Why?")), ruleTexts(step.rules)),
          ),
        ),
      ),
    ),
  );
}

/** The card of an event; nothing where none was played.
    @param {Record<string, JsonValue>} event */
function picture(event) {
  const shown = event.card;
  if (shown === undefined || shown === null) return null;
  return MONSTERS.includes(shown) ? monster(shown) : card(shown);
}

/** Shows the rule that the address names. */
function toRule() {
  redraw();
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ block: "center" });
}

const redraw = shell(boot.rules?.title ?? _("Rules"), view);
addEventListener("hashchange", toRule);
if (location.hash) toRule();
