/* The menu: every other page, and what only the referee may do. */

import { offered } from "../lib/offers.js";
import { canSpeak, setSpeaks, speaks } from "../lib/phone_voice.js";
import { post } from "../lib/requests.js";
import { byId } from "../lib/dom.js";
import { _ } from "../lib/words.js";
import { ask } from "./commands.js";
import { notice } from "./notice.js";
import { choose } from "./sheet.js";

/** @type {{ chosen: string, known: string[] }} */
const languages = JSON.parse(byId("languages").textContent ?? "{}");

/** @param {Snapshot} s
    @param {PageContext} ctx */
export function menu(s, ctx) {
  /** @param {string} path */
  const go = (path) => () => location.assign(path);
  /** @param {string} event */
  const may = (event) => offered(s).some((offer) => offer.event === event);
  choose(
    s.game?.title ?? _("Menu"),
    [
      s.game && { label: _("What may I do now?"), run: go("/help") },
      s.game && {
        label: _("History"),
        note: _("every verdict with its reason; put something right"),
        run: go("/history"),
      },
      may("display_scanned") && { label: _("Score from a photo"), run: go("/photo") },
      may("tiles_scored") && { label: _("Count tiles from a photo"), run: go("/photo") },
      { label: _("Past games"), note: _("results, records, files of them"), run: go("/past") },
      {
        label: _("Join"),
        note: ctx.referee
          ? _("the code for other phones")
          : _("the code for other phones, and the referee's PIN"),
        run: go("/join"),
      },
      { label: _("Table view"), note: _("large, for a tablet everybody can see"), run: go("/table") },
      canSpeak && {
        label: speaks() ? _("Let this phone be silent") : _("This phone speaks"),
        note: _("for a table without a loudspeaker"),
        run: () => setSpeaks(!speaks()),
      },
      ctx.referee && { label: _("Learn cards"), note: _("show the camera a deck"), run: go("/enrol") },
      languages.known.length > 1 && {
        label: _("Language"),
        note: languageName(document.documentElement.lang),
        run: () => chooseLanguage(),
      },
      { label: _("Set-up"), note: _("camera, microphone, buttons"), run: go("/setup") },
      ctx.referee && {
        label: _("Devices"),
        note: _("press each button, try buzzer and microphone"),
        run: go("/devices"),
      },
      ctx.referee && { label: _("Voices"), note: _("teach the ears a player's voice"), run: go("/voices") },
      ctx.referee && { label: _("New game"), run: go("/new") },
      ctx.referee &&
        s.game &&
        s.winner.length === 0 && { label: _("End this game"), run: () => confirmEnd() },
    ].filter(Boolean),
  );
}

/** @param {string} language */
function languageName(language) {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

function chooseLanguage() {
  choose(_("Language"), [
    { label: _("As this phone is set"), run: () => speak(null) },
    ...languages.known.map((language) => ({ label: languageName(language), run: () => speak(language) })),
  ]);
}

/** @param {string | null} language */
async function speak(language) {
  const reply = await post("/api/language", { language });
  if (reply.ok) location.reload();
  else notice(reply.text || reply.code);
}

function confirmEnd() {
  choose(_("End this game without a winner?"), [
    { label: _("End it"), note: _("it stays in the night's history"), run: () => ask("end_game") },
    { label: _("Play on"), run: () => {} },
  ]);
}
