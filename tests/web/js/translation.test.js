import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage({
  lang: "fr",
  words: { "%(name)s wins.": "%(name)s gagne.", "%(n)s card": ["%(n)s carte", "%(n)s cartes"] },
});
const { _, listText, ngettext } = await import("../../../web/static/lib/translation.js");

test("a sentence is translated and its values are filled in", () => {
  assert.equal(_("%(name)s wins.", { name: "Ida" }), "Ida gagne.");
});

test("a sentence without a translation stays English, a value without a name stays as it is", () => {
  assert.equal(_("Round %(n)s of %(all)s", { n: 0 }), "Round 0 of %(all)s");
});

test("the plural follows the language of the page: French counts none as one", () => {
  assert.equal(ngettext("%(n)s card", "%(n)s cards", 0), "0 carte");
  assert.equal(ngettext("%(n)s card", "%(n)s cards", 2), "2 cartes");
  assert.equal(ngettext("%(n)s tile", "%(n)s tiles", 2), "2 tiles");
});

test("names are listed as the language does", () => {
  assert.equal(listText(["Ida", "Jo", "Kai"]), "Ida, Jo et Kai");
});
