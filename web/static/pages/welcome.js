/* The first start of an appliance, once: this phone becomes the referee's, then language and wireless network. */

import { boot, referee } from "../lib/boot.js";
import { byId, h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { icon } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { sourceName } from "../ui/page_parts.js";
import { shell } from "./parts/page_frame.js";

/** @type {{ chosen: string, known: string[] }} */
const languages = JSON.parse(byId("languages").textContent ?? "{}");
const networks = boot.wireless?.networks ?? [];
let language = document.documentElement.lang.split("-")[0];
let network = "";
let password = "";
/** What was wrong with the entries. */
let problem = "";
let done = false;

/** @param {Snapshot} s */
function view(s) {
  if (done) return finished();
  if (!boot.first_start) return h("p", { class: "lead" }, _("This machine is set up. There is nothing left to do here."));
  if (!referee) return h("p", { class: "lead" }, _("This machine is new. Make this phone the referee's: it decides, and it can set everything."));
  return [languageField(), networkFields(), devices(s), problem && h("p", { class: "wrong-here", role: "alert" }, problem)];
}

function languageField() {
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language" });
  return h(
    "div",
    { class: "field" },
    h("label", { for: "language" }, h("span", {}, _("Language of the table"))),
    h(
      "select",
      { id: "language", onchange: (event) => (language = event.target.value) },
      languages.known.map((one) => h("option", { value: one, selected: one === language }, names.of(one) ?? one)),
    ),
  );
}

function networkFields() {
  return [
    h(
      "div",
      { class: "field" },
      h("label", { for: "network" }, h("span", {}, _("Your wireless network"))),
      h(
        "select",
        { id: "network", onchange: (event) => choose(event.target.value) },
        h("option", { value: "" }, _("none: the companion keeps its own")),
        networks.map((one) => h("option", { value: one }, one)),
      ),
    ),
    network &&
      h(
        "div",
        { class: "field" },
        h("label", { for: "password" }, h("span", {}, _("Its password"))),
        h("input", { id: "password", type: "password", autocomplete: "off", oninput: (event) => (password = event.target.value) }),
      ),
  ];
}

/** @param {string} name */
function choose(name) {
  network = name;
  redraw();
}

/** @param {Snapshot} s */
function devices(s) {
  const found = Object.entries(s.sources);
  return h(
    "section",
    {},
    h("h2", {}, _("Devices")),
    h(
      "ul",
      { class: "sources" },
      found.map(([name, source]) =>
        h(
          "li",
          { key: name, class: source.up ? "right" : "wrong" },
          icon(source.up ? "right" : "wrong"),
          h("div", {}, h("strong", {}, sourceName(name)), source.why && h("p", { class: "quiet" }, source.why)),
        ),
      ),
    ),
    h("p", {}, h("a", { class: "secondary", href: "/settings" }, _("Choose and try devices"))),
  );
}

function finished() {
  return [
    h("p", { class: "lead" }, _("Everything is set.")),
    network &&
      h("p", {}, _("The companion now joins %(network)s. Join it with this phone, too, and open http://companion.local/ there. If the password was wrong, its own network opens again within a minute.", { network })),
    h("p", {}, h("a", { class: "secondary", href: "/" }, _("To the table"))),
  ];
}

/** @returns {(Action | false)[]} */
function actions() {
  if (!boot.first_start || done) return [];
  return referee ? [{ label: _("Done"), run: finish }] : [{ label: _("This is the referee's phone"), run: claim }];
}

async function claim() {
  const reply = await post("/api/welcome/claim", {});
  if (reply.ok) location.reload();
  else notice(reply.text || reply.code);
}

async function finish() {
  const reply = await post("/api/welcome", { language, network, password });
  problem = reply.ok ? "" : reply.text || reply.code;
  done = reply.ok;
  redraw();
}

const redraw = shell(_("Welcome"), view, actions);
