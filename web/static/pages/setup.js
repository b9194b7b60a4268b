/* Set-up: what sees and hears, what the camera sees and how well, and where things lie on the table. */

import { boot, referee } from "../lib/boot.js";
import { cardName, cardOfLabel } from "../lib/cards.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { hasGame } from "../lib/snapshot.js";
import { _, ngettext } from "../lib/translation.js";
import { icon } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { sourceName } from "../ui/page_parts.js";
import { refreshPicture, cameraPicture } from "../photo/live_picture.js";
import { zoneHandles, newZone } from "../photo/zone_handles.js";

/** @type {{ setup: TableSetupState, drawing: string | null, zones: Zones | null, seen: SeenCards | null, until: number,
           busy: boolean }} */
const view = { setup: boot.setup, drawing: null, zones: null, seen: null, until: 0, busy: false };
const EVERY_MS = 2500;
const SHOWN_MS = 8000;

/** @type {Record<string, () => [string, string]>} */
const FAULTS = {
  camera_bumped: () => [
    _("The camera was bumped."),
    _("Put it back, or draw the zones anew. If it stands right now, say so."),
  ],
  too_dark: () => [
    _("It is too dark."),
    _("Put a lamp on the table, and see that nothing covers the lens."),
  ],
  too_bright: () => [_("It is too bright."), _("Turn the lamp down, or let the camera settle anew.")],
  too_shiny: () => [
    _("It is too shiny here."),
    _("Move the lamp to the side, or put paper before it: a card there cannot be read."),
  ],
  out_of_focus: () => [
    _("The picture is out of focus."),
    _("Let the camera settle anew, or turn its lens; wipe it."),
  ],
  lens_covered: () => [_("Something covers the lens."), _("Take it away.")],
};

/** @type {Record<string, () => string>} */
const SOURCES = {
  mat: () => _("The zones come from the mat."),
  drawn: () => _("You drew these zones."),
  configured: () => _("These zones come from the configuration."),
  guessed: () => _("Nobody has drawn zones yet: these are guessed."),
};

/** The zones of the game whose table is set up. */
const gameZones = () => boot.games.find((game) => game.name === view.setup.game)?.zones ?? [];

/** @param {string} zone
    @param {Snapshot} s */
function zoneName(zone, s) {
  const [kind, seat] = zone.split(":");
  const known = gameZones().find((one) => one.name === kind);
  if (!known?.each_player) return known ? _(known.text) : zone;
  const name = hasGame(s) && s.game.name === view.setup.game ? s.game.players[Number(seat) - 1]?.name : null;
  return name ? _("%(name)s's display", { name }) : _("display %(n)s", { n: seat });
}

/** @param {Snapshot} s */
function page(s) {
  return [
    referee && view.setup && (view.setup.camera || Object.keys(view.setup.zones).length > 0) && cameraView(s),
    sourceList(s),
    h(
      "p",
      {},
      referee ? _("This phone is the referee's.") : _("This phone watches."),
      " ",
      h("a", { href: "/join" }, _("Change that")),
    ),
  ];
}

/** @param {Snapshot} s */
function cameraView(s) {
  const { camera, findings, source, remembered } = view.setup;
  return [
    gameChoice(),
    picture(s),
    view.drawing === null ? h("p", { class: "quiet" }, SOURCES[source]()) : dragHint(s, view.drawing),
    view.drawing === null && zoneChoices(s),
    findingList(findings),
    camera && findings.length === 0 && h("p", { class: "good" }, icon("right"), _("The camera sees well.")),
    camera && tools(remembered),
  ];
}

function gameChoice() {
  return h(
    "label",
    { class: "which" },
    h("span", { class: "quiet" }, _("Game")),
    h(
      "select",
      { value: view.setup.game, onchange: (event) => chooseGame(event.target.value) },
      view.setup.games.map((one) =>
        h("option", { value: one.name, selected: one.name === view.setup.game }, one.title),
      ),
    ),
  );
}

/** @param {string} name */
function chooseGame(name) {
  Object.assign(view, { drawing: null, zones: null, seen: null });
  request("state", { game: name });
}

/** @param {Snapshot} s */
function picture(s) {
  const zones = view.zones ?? view.setup.zones;
  /** @type {PictureShape[]} */
  const shapes = [
    ...Object.entries(zones)
      .filter(([name]) => view.drawing === null || name === view.drawing)
      .map(([name, corners]) => ({ corners, kind: "zone", text: zoneName(name, s) })),
    ...(view.drawing ? [] : (view.setup.mat?.markers ?? [])).map(({ corners }) => ({ corners, kind: "marker" })),
    ...(view.seen?.cards ?? []).map((card) => ({
      corners: card.corners,
      kind: card.confidence < 0.6 ? "unsure" : "right",
      text: cardName(cardOfLabel(card.label)),
    })),
    ...view.setup.findings
      .filter((one) => one.code !== "camera_bumped")
      .flatMap((one) => (one.where ? [{ corners: one.where, kind: "fault", text: "!" }] : [])),
  ];
  return h(
    "div",
    { class: "stage" },
    view.setup.camera ? cameraPicture(null, shapes) : cameraPicture("/static/empty-table.svg", shapes),
    view.drawing !== null &&
      view.zones &&
      h("div", { class: "handles" }, zoneHandles(view.zones, view.drawing, redrawNow)),
  );
}

function redrawNow() {
  redraw();
}

/** @param {Snapshot} s
    @param {string} zone */
function dragHint(s, zone) {
  return h("p", { class: "lead" }, _("Drag the corners of %(zone)s.", { zone: zoneName(zone, s) }));
}

/** @param {Snapshot} s */
function zoneChoices(s) {
  const { zones, seats, mat, source } = view.setup;
  const names = gameZones().flatMap(({ name, each_player: eachPlayer }) =>
    eachPlayer ? Array.from({ length: seats }, (_none, i) => `${name}:${i + 1}`) : [name],
  );
  return h(
    "div",
    { class: "labels wide" },
    names.map((zone) =>
      h(
        "button",
        { key: zone, type: "button", class: zones[zone] ? "label" : "label absent", onclick: () => editZone(zone) },
        zoneName(zone, s),
      ),
    ),
    mat &&
      names.length > 0 &&
      h(
        "button",
        { key: "mat", type: "button", class: "label", onclick: () => request("mat") },
        _("Take them from the mat"),
      ),
    (source === "drawn" || source === "mat") &&
      h(
        "button",
        { key: "reset", type: "button", class: "label absent", onclick: () => request("reset") },
        _("Forget them"),
      ),
  );
}

/** @param {string} zone */
function editZone(zone) {
  const zones = structuredClone(view.setup.zones);
  zones[zone] ??= newZone();
  Object.assign(view, { drawing: zone, zones, seen: null });
  redraw();
}

async function saveZone() {
  if (view.drawing === null || view.zones === null) return;
  const zones = { [view.drawing]: view.zones[view.drawing] };
  if (await request("draw", { game: view.setup.game, zones })) {
    Object.assign(view, { drawing: null, zones: null });
    redraw();
  }
}

/** @param {PictureFault[]} findings */
function findingList(findings) {
  return findings.map((one) => {
    const [what, remedy] = FAULTS[one.code]?.() ?? [one.code, ""];
    return h(
      "div",
      { key: `${one.code}${one.where}`, class: "verdict unsure", role: "status" },
      icon("unsure"),
      h("div", {}, h("p", {}, what), h("p", { class: "note" }, remedy)),
    );
  });
}

/** @param {boolean} remembered */
function tools(remembered) {
  const { lens, mat, mats } = view.setup;
  return h(
    "details",
    { class: "all-cards" },
    h("summary", {}, _("More")),
    h(
      "div",
      { class: "tools" },
      tool(
        remembered ? _("The camera stands right as it is") : _("Remember how the camera stands"),
        _("so that I notice when it is bumped"),
        () => request("remember"),
      ),
      tool(_("Let the camera settle anew"), _("exposure, white and focus; then they are locked"), () => request("relock")),
      lens
        ? tool(_("Forget the lens"), lensWords(lens), () => request("forget_lens"))
        : mat &&
            tool(
              _("Learn the lens from the mat"),
              ngettext("%(n)s picture so far; tilt the mat for each", "%(n)s pictures so far; tilt the mat for each", mats),
              () => request("lens"),
            ),
      h("a", { class: "tool", href: "/enrol" }, h("span", {}, _("Learn cards"))),
    ),
  );
}

/** @param {string} label
    @param {string} note
    @param {() => void} run */
function tool(label, note, run) {
  return h("button", { type: "button", class: "tool", onclick: run }, h("span", {}, label), h("small", {}, note));
}

/** @param {LensState} lens */
function lensWords(lens) {
  const values = { flat: lens.flat.toFixed(2), bent: lens.bent.toFixed(2) };
  return lens.helps
    ? _("its bend is taken out: %(flat)s px instead of %(bent)s", values)
    : _("it is straight enough: %(bent)s px", values);
}

/** @param {Snapshot} s */
function sourceList(s) {
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
            h("p", { class: "quiet" }, FAULTS[source.code ?? ""]?.()[0] || (source.up ? _("is there") : _("is not there"))),
            referee && source.why && forOwner(source.why),
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
    h("p", { class: "quiet" }, _("Whatever is missing can be entered by tapping.")),
    referee && forOwner(_("On the machine itself, companion doctor says what to do about it.")),
  ];
}

/** What only the owner of the machine needs to know.
    @param {string} text */
function forOwner(text) {
  return h("details", { class: "owner" }, h("summary", {}, _("For the owner")), h("p", { class: "quiet" }, text));
}

/** @param {string} step
    @param {object} [data] */
async function request(step, data = { game: view.setup.game }) {
  /** @type {Reply<{ setup: TableSetupState }>} */
  const reply = await post(`/api/setup/${step}`, data);
  if (reply.ok) view.setup = reply.setup;
  else notice(reply.text || reply.code);
  redraw();
  return reply.ok;
}

async function recognise() {
  view.busy = true;
  redraw();
  /** @type {Reply<{ seen: SeenCards }>} */
  const reply = await post("/api/setup/look", { game: view.setup.game });
  view.busy = false;
  if (reply.ok) Object.assign(view, { seen: reply.seen, until: Date.now() + SHOWN_MS });
  else notice(reply.text || reply.code);
  redraw();
}

function actions() {
  if (!referee || !view.setup) return [];
  if (view.drawing !== null)
    return [
      {
        label: _("As it was"),
        quiet: true,
        run: () => {
          Object.assign(view, { drawing: null, zones: null });
          redraw();
        },
      },
      { label: _("Keep it"), run: saveZone },
    ];
  return view.setup.camera
    ? [{ label: view.busy ? _("Looking …") : _("What do you see?"), quiet: false, disabled: view.busy, run: recognise }]
    : [];
}

const redraw = shell(_("Set-up"), page, actions);
if (referee && view.setup) {
  refreshPicture(() => view.setup.camera && !document.hidden, redraw);
  setInterval(() => {
    if (Date.now() > view.until) view.seen = null;
    if (!document.hidden && view.drawing === null) request("state");
  }, EVERY_MS);
}
