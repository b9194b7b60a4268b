/* The menu: every other page, and what only the referee may do. */

import { offered } from "../lib/offers.js";
import { canSpeak, switchSpeech, speechIsOn } from "../lib/phone_voice.js";
import { post } from "../lib/requests.js";
import { byId } from "../lib/dom.js";
import { _ } from "../lib/translation.js";
import { runCommand } from "./commands.js";
import { notice } from "./notice.js";
import { choose } from "./sheet.js";

/** @type {{ chosen: string, known: string[] }} */
const languages = JSON.parse(byId("languages").textContent ?? "{}");

/** @param {Snapshot} s
    @param {PageContext} ctx */
export function menu(s, ctx) {
  /** @param {string} path */
  const openPage = (path) => () => location.assign(path);
  /** @param {string} event */
  const isOffered = (event) => offered(s).some((offer) => offer.event === event);
  choose(
    s.game?.title ?? _("Menu"),
    [
      s.game && { label: _("What may I do now?"), run: openPage("/help") },
      { label: _("Rules"), note: _("every rule in short, and a sample turn"), run: openPage("/rules") },
      s.game && {
        label: _("History"),
        note: _("every verdict with its reason; put something right"),
        run: openPage("/history"),
      },
      ctx.referee &&
        s.game &&
        s.winner.length === 0 && {
          label: _("How things stand"),
          note: _("put scores, stacks or turns right"),
          run: openPage("/position"),
        },
      isOffered("display_scanned") && { label: _("Score from a photo"), run: openPage("/photo") },
      isOffered("tiles_scored") && { label: _("Count tiles from a photo"), run: openPage("/photo") },
      { label: _("Past games"), note: _("results, records, files of them"), run: openPage("/past") },
      { label: _("Players"), note: _("who wins what, head to head, how fast calls come"), run: openPage("/players") },
      {
        label: _("Join"),
        note: ctx.referee
          ? _("the code for other phones")
          : _("the code for other phones, and becoming the referee"),
        run: openPage("/join"),
      },
      ctx.referee && { label: _("Stored data"), note: _("what is kept, and deleting it"), run: openPage("/stored") },
      ctx.referee && { label: _("Phones"), note: _("who is the referee; a code for one more"), run: openPage("/phones") },
      { label: _("Table view"), note: _("large, for a television everybody can see"), run: openPage("/table") },
      canSpeak && {
        label: speechIsOn() ? _("Let this phone be silent") : _("This phone speaks"),
        note: _("for a table without a loudspeaker"),
        run: () => switchSpeech(!speechIsOn()),
      },
      ctx.referee && { label: _("Learn cards"), note: _("show the camera a deck"), run: openPage("/enrol") },
      languages.known.length > 1 && {
        label: _("Language"),
        note: languageName(document.documentElement.lang),
        run: () => chooseLanguage(),
      },
      ...devicePages(s, ctx, openPage),
      ctx.referee && { label: _("New game"), run: openPage("/new") },
      ctx.referee &&
        s.game &&
        s.winner.length === 0 && { label: _("End this game"), run: () => confirmEnd() },
    ].filter(Boolean),
  );
}

/** The entries about what the companion is connected to.
    @param {Snapshot} s
    @param {PageContext} ctx
    @param {(path: string) => () => void} openPage */
function devicePages(s, ctx, openPage) {
  return [
    { label: _("Set-up"), note: _("camera, microphone, buttons"), run: openPage("/setup") },
    ctx.referee && {
      label: _("Devices"),
      note: _("press each button, try buzzer and microphone"),
      run: openPage("/devices"),
    },
    ctx.referee && {
      label: _("Settings"),
      note: _("choose devices, sounds and language, and try them"),
      run: openPage("/settings"),
    },
    ctx.referee && {
      label: _("This machine"),
      note: _("how it is, backup and restoring, a report"),
      run: openPage("/machine"),
    },
    ctx.referee && { label: _("Voices"), note: _("teach the ears a player's voice"), run: openPage("/voices") },
    ctx.referee && {
      label: _("Recorded evenings"),
      note: s.recording ? _("this one is being recorded") : _("record this one, delete old ones"),
      run: openPage("/recordings"),
    },
  ];
}

/** @param {string} language */
function languageName(language) {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

function chooseLanguage() {
  choose(_("Language"), [
    { label: _("As this phone is set"), run: () => setLanguage(null) },
    ...languages.known.map((language) => ({ label: languageName(language), run: () => setLanguage(language) })),
  ]);
}

/** @param {string | null} language */
async function setLanguage(language) {
  const reply = await post("/api/language", { language });
  if (reply.ok) location.reload();
  else notice(reply.text || reply.code);
}

function confirmEnd() {
  choose(_("End this game without a winner?"), [
    { label: _("End it"), note: _("it stays in the night's history"), run: () => runCommand("end_game") },
    { label: _("Play on"), run: () => {} },
  ]);
}
