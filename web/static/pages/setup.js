/* Set-up: what sees and hears, and whose phone this is. */

import { h } from "../dom.js";
import { _ } from "../words.js";
import { icon } from "../glyphs.js";
import { sourceName } from "../parts.js";
import { referee, shell } from "../shell.js";

function view(s) {
  const sources = Object.entries(s.sources ?? {});
  return [
    h(
      "ul",
      { class: "sources" },
      sources.map(([name, source]) =>
        h(
          "li",
          { key: name, class: source.up ? "right" : "wrong" },
          icon(source.up ? "right" : "wrong"),
          h(
            "div",
            {},
            h("strong", {}, sourceName(name)),
            h("p", { class: "quiet" }, source.why || (source.up ? _("is there") : _("is not there"))),
          ),
        ),
      ),
      sources.length === 0 &&
        h(
          "li",
          {},
          h(
            "p",
            { class: "quiet" },
            _("No camera, no microphone, no buttons: everything is entered by tapping."),
          ),
        ),
    ),
    h(
      "p",
      { class: "quiet" },
      _(
        "Whatever is missing can be entered by tapping. On the machine itself, companion doctor says what to do about it.",
      ),
    ),
    h(
      "p",
      {},
      referee ? _("This phone is the referee's.") : _("This phone watches."),
      " ",
      h("a", { href: "/join" }, _("Change that")),
    ),
  ];
}

shell(_("Set-up"), view);
