/* Any game: its state in words, and every event that may come next as a button. */

import { h } from "../lib/dom.js";
import { actionText, offerSentence, valueText } from "../lib/event_texts.js";
import { offered } from "../lib/offers.js";
import { _, ngettext } from "../lib/translation.js";
import { generalFields } from "../ui/position_parts.js";
import { choose } from "../ui/sheet.js";

const SHOWN_ELSEWHERE = new Set(["phase", "turn", "round"]);

/** @param {GameSnapshot} s */
function status(s) {
  const phase = valueText(s.phase ?? "");
  return s.state?.round === undefined ? phase : `${_("Round %(n)s", { n: s.state.round })} · ${phase}`;
}

/** @param {GameSnapshot} s */
function task(s) {
  return s.turn ? _("%(name)s is on turn.", { name: s.turn }) : "";
}

/** @param {GameSnapshot} s
    @returns {string | null} */
function activePlayer(s) {
  return s.turn ?? s.state?.turn ?? null;
}

/** @param {GameSnapshot} s
    @returns {Child} */
function centre(s) {
  const rows = Object.entries(s.state ?? {}).filter(([key, value]) => !SHOWN_ELSEWHERE.has(key) && isSimple(value));
  if (rows.length === 0) return null;
  return h(
    "dl",
    { class: "facts" },
    rows.map(([key, value]) =>
      h("div", {}, h("dt", {}, _(key.replaceAll("_", " "))), h("dd", {}, valueText(value))),
    ),
  );
}

/** @param {JsonValue} value */
function isSimple(value) {
  if (value === null) return false;
  return (
    typeof value !== "object" ||
    (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== "object"))
  );
}

/** @param {GameSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  const rows = Object.entries(s.state ?? {})
    .filter(([, value]) => value && typeof value === "object" && !Array.isArray(value) && player in value)
    .filter(
      ([, value]) => value[player] !== null && !(Array.isArray(value[player]) && value[player].length === 0),
    );
  if (rows.length === 0) return null;
  return h(
    "small",
    { class: "quiet" },
    rows.map(([key, value]) => `${_(key.replaceAll("_", " "))}: ${valueText(value[player])}`).join(" · "),
  );
}

/** @param {GameSnapshot} s
    @param {string} player */
function playerScore(s, player) {
  const points = s.scores[player];
  if (points === undefined) return { value: "–", unit: "" };
  return { value: points, unit: ngettext("point", "points", points) };
}

function belowScores() {
  return null;
}

function tableView() {
  return null;
}

/** @param {GameSnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function actions(s, ctx) {
  if (!ctx.referee) return [];
  const kinds = [...new Set(offered(s).map((offer) => offer.event))].filter((kind) => kind !== "time_passed");
  if (kinds.length === 0) return [];
  if (kinds.length === 1) return [{ label: eventLabel(s, kinds[0]), run: () => ctx.askFields(kinds[0], {}) }];
  return [
    {
      label: _("What happened?"),
      run: () =>
        choose(
          _("What happened?"),
          kinds.map((kind) => ({ label: eventLabel(s, kind), run: () => ctx.askFields(kind, {}) })),
        ),
    },
  ];
}

/** @param {GameSnapshot} s
    @param {string} kind */
function eventLabel(s, kind) {
  const offers = offered(s).filter((offer) => offer.event === kind);
  const names = new Set(offers.flatMap((offer) => offer.fields.player?.values ?? []));
  if (names.size === 1) return offerSentence({ event: kind, fields: { player: { kind: "oneof", values: [...names] } } });
  const what = actionText(kind);
  return what.charAt(0).toUpperCase() + what.slice(1);
}

export default {
  status,
  task,
  activePlayer,
  centre,
  playerDetails,
  playerScore,
  belowScores,
  actions,
  tableView,
  tablePlayer: playerDetails,
  middleBeside: false,
  places: null,
  pictures: null,
  position: generalFields,
  showsDeadline: true,
};
