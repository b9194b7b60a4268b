/* The parts that several pages share: verdict, scores, questions, deadline, connection, the bar at the thumb. */

import { h } from "../lib/dom.js";
import { heardTime } from "../lib/last_known.js";
import { secondsSinceSnapshot } from "../lib/live.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { icon, sign } from "./icons.js";
import { sheet } from "./sheet.js";

const PRIORITY_NOTE = 1;
const PRIORITY_QUESTION = 3;
const PRIORITY_FINDING = 4;
const GOOD = new Set(["correct", "caught", "set_found", "attack_won", "elemental_master"]);
const NEUTRAL = new Set(["detached", "attack_lost"]);

/** right, wrong, late or note: how a verdict looks.
    @param {string} verdict */
export function verdictLook(verdict) {
  if (GOOD.has(verdict)) return "right";
  if (NEUTRAL.has(verdict)) return "note";
  return verdict === "too_late" ? "late" : "wrong";
}

/** How an announcement looks: by its priority (3 a question, 4 a finding) and its rhythm.
    @param {Announced} options */
function announcementLook({ priority, rhythm }) {
  if (rhythm === "too_late") return "late";
  if (rhythm === "right") return "right";
  if (rhythm === "wrong") return priority >= PRIORITY_FINDING ? "wrong" : "unsure";
  return priority === PRIORITY_QUESTION ? "unsure" : "note";
}

/** Whether what was announced is still news: a note until something happens, a finding for two events more, and
    nothing of a game that has left the table.
    @param {Snapshot} s */
function isNews(s) {
  if (!s.announcement) return false;
  const { n = 0, priority } = s.announcement;
  const entries = s.log?.at(-1)?.n ?? 0;
  if (n > 0 && entries === 0) return false;
  return s.announcement.n === undefined || entries <= n + (priority > PRIORITY_NOTE ? 2 : 0);
}

/** The latest news: what the table announced, else what the last entry brought about, else the entry itself.
    @param {Snapshot} s
    @returns {{ text: string, look: string } | null} */
export function latestNews(s) {
  const last = [...(s.log ?? [])].reverse().find((entry) => !entry.undone);
  const verdict = last?.verdicts?.at(-1);
  if (s.announcement?.text && isNews(s)) return { text: s.announcement.text, look: announcementLook(s.announcement) };
  if (verdict)
    return {
      text: verdict.text ?? `${verdict.player}: ${verdict.verdict.replaceAll("_", " ")}`,
      look: verdictLook(verdict.verdict),
    };
  if (last?.rejected) return { text: last.why ?? last.text ?? last.rejected, look: "unsure" };
  return last?.text ? { text: last.text.replaceAll("\n", " "), look: "note past" } : null;
}

/** Opens how the points came about, e.g. what each column of a display is worth.
    @param {GameSnapshot} s */
export function sumsButton(s) {
  if (!s.sums?.length) return null;
  const body = () =>
    s.sums.map((one) =>
      h(
        "ul",
        { key: one.n, class: "sums" },
        one.lines.map((line) => h("li", {}, line)),
      ),
    );
  return h(
    "button",
    { type: "button", class: "secondary wide", onclick: () => sheet(_("How the points came about"), body) },
    _("How the points came about"),
  );
}

/** Whether the latest news is a question that is open.
    @param {Snapshot} s */
function asksNow(s) {
  const text = latestNews(s)?.text;
  return (s.questions ?? []).some((question) => question.text === text);
}

/** The latest news. A question that the page lists below is said there, and here to screen readers alone.
    @param {Snapshot} s
    @param {boolean} listsQuestions */
export function verdictLine(s, listsQuestions = false) {
  if (s.announcement?.code === "counted") return null;
  const news = s.winner.length > 0 && s.announcement?.code?.startsWith("winner") ? null : latestNews(s);
  const look = listsQuestions && asksNow(s) ? "unseen" : (news?.look ?? "");
  return h(
    "p",
    { class: `verdict ${look}`, role: "status", "aria-live": "polite", id: "verdict" },
    news && !news.look.startsWith("note") && icon(news.look),
    news && h("span", { key: news.text, arrive: true }, news.text),
  );
}

/** The way to the reason of what the line above says: the rule's text; none for a question.
    @param {GameSnapshot} s */
export function whyLink(s) {
  if (asksNow(s)) return null;
  const last = [...s.log].reverse().find((entry) => !entry.undone);
  if (!last || !(last.rule || last.rules?.length || last.verdicts?.some((one) => one.rule))) return null;
  return h("a", { class: "plain why", href: `/history?why=${last.n}` }, _("Why?"));
}

/** @param {Connection} link */
export function connectionLine(link) {
  return h(
    "p",
    { class: "link", role: "status" },
    link === "lost" &&
      _("The connection is lost. This is how things stood at %(time)s. I keep trying; the game goes on at the table.", {
        time: heardTime(),
      }),
    typeof link === "number" &&
      _("Too many phones are listening at once. This page asks every %(n)s seconds.", { n: link }),
  );
}

/** The badge that shows on every page that the evening is being recorded.
    @param {Snapshot} snapshot */
export function recordingBadge(snapshot) {
  return h(
    "p",
    { class: "recording", role: "status" },
    snapshot.recording && [h("span", { class: "recording-dot", "aria-hidden": "true" }), _("This evening is being recorded")],
  );
}

/** @type {Record<string, () => string>} */
const SOURCE_NAMES = {
  camera: () => _("The camera"),
  microphone: () => _("The microphone"),
  buttons: () => _("The buttons"),
  storage: () => _("The storage"),
};

/** @type {Record<string, () => string>} */
const SOURCES_IN_SENTENCES = {
  camera: () => _("the camera"),
  microphone: () => _("the microphone"),
  buttons: () => _("the buttons"),
};

/** @param {string} name */
export function sourceName(name) {
  return SOURCE_NAMES[name]?.() ?? name;
}

/** One quiet line for those of the game's senses that are down.
    @param {GameSnapshot} s
    @param {string[]} senses */
export function sourcesDown(s, senses) {
  const down = Object.entries(s.sources ?? {}).filter(
    ([name, source]) => !source.up && senses.includes(name),
  );
  if (down.length === 0) return null;
  const names = listText(down.map(([name]) => SOURCES_IN_SENTENCES[name]?.() ?? name));
  const text = ngettext("%(names)s is not there.", "%(names)s are not there.", down.length, {
    names: names.charAt(0).toUpperCase() + names.slice(1),
  });
  return h("p", { class: "down quiet" }, h("a", { href: "/setup" }, text), " ", _("Enter by tapping."));
}

/** Why the table stores nothing, as long as that is so.
    @param {GameSnapshot} s */
export function notStored(s) {
  const storage = s.sources?.storage;
  if (!storage || storage.up) return null;
  return h("p", { class: "down quiet" }, storage.why);
}

/** @type {Record<string, () => string>} */
const PAUSES = {
  resumed: () => _("The clock waits for the next move."),
  microphone: () => _("Without a microphone nobody is timed: the table says who was too slow."),
};

/** Why the clock stands still, and the way to let it run; what the news has just said is not said again.
    @param {GameSnapshot} s
    @param {PageContext} ctx */
export function pauseLine(s, ctx) {
  if (!s.paused || s.winner.length > 0) return null;
  const resumed = s.paused === "resumed";
  const announced = resumed && s.announcement?.code === "game_resumed" && isNews(s);
  const camera = s.paused === "microphone" && s.sources?.camera?.up === true;
  const runs = ctx.referee && (resumed || camera);
  if (announced && !runs) return null;
  return h(
    "p",
    { class: "paused quiet" },
    !announced && [PAUSES[s.paused]?.() ?? _("The clock waits."), " "],
    runs && h("button", { type: "button", class: "plain", onclick: ctx.resume }, camera ? _("Time the players") : _("Let it run")),
  );
}

/** @param {GameSnapshot} s
    @param {PageContext} ctx */
export function questionList(s, ctx) {
  return (s.questions ?? []).map((question) =>
    h(
      "section",
      {
        class: "question",
        key: `question-${question.id}`,
        arrive: true,
        role: "group",
        "aria-label": question.text,
      },
      h("h2", {}, question.text),
      question.picture && h("img", { src: question.picture, alt: _("What the camera saw") }),
      ctx.referee || (question.player && question.player === ctx.me)
        ? h(
            "div",
            { class: "answers" },
            question.options.map((option) =>
              h(
                "button",
                { type: "button", class: "secondary", onclick: () => ctx.answer(question.id, option.id) },
                option.label,
              ),
            ),
          )
        : h("p", { class: "quiet" }, _("The referee answers.")),
    ),
  );
}

/** Seconds left for whoever has to hurry; counted down by `drawCountdown` between two snapshots.
    @param {GameSnapshot} s */
export function deadline(s) {
  if (!s.deadline) return null;
  return h(
    "p",
    {
      class: "deadline",
      role: "timer",
      "aria-label": _("Seconds left"),
      "data-in": s.deadline.in,
      "data-all": Math.max(s.deadline.in, s.game?.settings.hesitation_s ?? 0),
    },
    h("span", { class: "bar", "aria-hidden": "true" }, h("i", {})),
    h("b", {}),
    h("span", { class: "unseen" }, s.deadline.player ?? ""),
  );
}

/** Draws the countdown; to be called often. */
export function drawCountdown() {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll(".deadline");
  for (const place of places) {
    const all = Number(place.dataset.all);
    const left = Math.max(0, Number(place.dataset.in) - secondsSinceSnapshot());
    /** @type {HTMLElement | null} */
    const bar = place.querySelector("i");
    const seconds = place.querySelector("b");
    if (!bar || !seconds) continue;
    seconds.textContent = left.toFixed(1);
    bar.style.transform = `scaleX(${all > 0 ? left / all : 0})`;
    place.classList.toggle("urgent", left < 1);
  }
}

/** @param {GameSnapshot} s
    @param {GamePage} game
    @param {PageContext} ctx */
export function scoreList(s, game, ctx) {
  const over = s.winner.length > 0;
  const turn = over ? null : game.activePlayer(s);
  const seats = over ? ranking(s, game) : s.game.players;
  return h(
    "ol",
    { class: "scores", "aria-label": _("Scores") },
    seats.map((seat) => {
      const { value, unit } = game.playerScore(s, seat.name);
      const active = seat.name === turn;
      return h(
        "li",
        { key: seat.name, class: active ? "turn" : null, "aria-current": active ? "true" : null },
        sign(s.game.players, seat.name),
        h(
          "div",
          { class: "who" },
          h("strong", {}, seat.name, seat.name === ctx.me && h("small", {}, _("you"))),
          game.playerDetails(s, seat.name, ctx),
        ),
        h(
          "b",
          { class: "score", key: `score-${value}`, arrive: true, "aria-label": `${value} ${unit}` },
          numberText(value),
        ),
      );
    }),
  );
}

/** A number with a minus sign of its own.
    @param {number | string} value */
export function numberText(value) {
  return typeof value === "number" && value < 0 ? `\u2212${-value}` : value;
}

/** Winners first, the others as the game counts: best first.
    @param {GameSnapshot} s
    @param {GamePage} game */
export function ranking(s, game) {
  /** @param {string} name */
  const value = (name) =>
    s.winner.includes(name) ? Infinity : (game.fewestWins ? -1 : 1) * (s.scores[name] ?? -Infinity);
  return [...s.game.players].sort((one, other) => {
    const [a, b] = [value(one.name), value(other.name)];
    return a === b ? 0 : b - a;
  });
}

/** @param {string[]} names */
export function winnerLine(names) {
  return names.length === 1
    ? _("%(name)s wins.", { name: names[0] })
    : _("%(names)s win together.", { names: listText(names) });
}

/** @param {Snapshot} s */
export function standings(s) {
  const rows = s.night?.standings ?? [];
  const games = (s.night?.games ?? []).filter((game) => game.ended || game.winner.length > 0);
  if (rows.length === 0 || games.length === 0) return null;
  return h(
    "section",
    { class: "standings" },
    h("h2", {}, ngettext("Tonight, after %(n)s game", "Tonight, after %(n)s games", games.length)),
    h(
      "ol",
      {},
      rows.map((row) => h("li", {}, h("span", {}, row.player), h("b", {}, row.points))),
    ),
    h("small", { class: "quiet" }, _("one point for each player that one finished above")),
  );
}
