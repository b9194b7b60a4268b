/* The words of the page *Settings*: groups, names of the keys, names of their values. */

import { _ } from "../../lib/translation.js";

/** @typedef {{ name: string, title: string, keys: string[] }} SettingGroup */

/** What owners set first, in groups; each group has its own tests of devices.
    @type {SettingGroup[]} */
export const GROUPS = [
  { name: "table", title: _("Table"), keys: ["table.language", "pages.url", "pages.open_to_all"] },
  {
    name: "camera",
    title: _("Camera"),
    keys: ["camera.backend", "camera.device", "camera.above_cm", "camera.mains_hz", "camera.fps", "camera.width", "camera.height"],
  },
  {
    name: "microphone",
    title: _("Microphone"),
    keys: ["microphone.backend", "microphone.device", "microphone.channel", "microphone.muted_s"],
  },
  {
    name: "buttons",
    title: _("Buttons"),
    keys: ["buttons.seats", "buttons.referee", "buttons.trophies", "buttons.active_high"],
  },
  {
    name: "outputs",
    title: _("Sounds and lamps"),
    keys: [
      "buzzer.pin",
      "buzzer.kind",
      "buzzer.tone_hz",
      "voice.backend",
      "voice.device",
      "voice.words_per_minute",
      "lamps.pin",
      "lamps.rgb",
      "lamps.listening",
    ],
  },
  {
    name: "stored",
    title: _("What is kept"),
    keys: ["stored.keep_days", "recording.limit_gb", "recording.keep_free_mb"],
  },
  {
    name: "mqtt",
    title: _("Smart home and hub"),
    keys: [
      "mqtt.host",
      "mqtt.port",
      "mqtt.tls",
      "mqtt.user",
      "mqtt.password_file",
      "mqtt.table",
      "mqtt.home_assistant",
      "mqtt.commands",
    ],
  },
];

/** Names of keys; one that is not here is shown as it stands in the file.
    @type {Record<string, string>} */
const NAMES = {
  "table.language": _("Language of the table"),
  "pages.url": _("Address in the QR code"),
  "pages.open_to_all": _("Everybody decides"),
  "camera.backend": _("Camera"),
  "camera.device": _("Which USB camera"),
  "camera.above_cm": _("Height above the table in cm"),
  "camera.mains_hz": _("Mains frequency"),
  "camera.fps": _("Pictures a second"),
  "camera.width": _("Picture width"),
  "camera.height": _("Picture height"),
  "microphone.backend": _("Microphone"),
  "microphone.device": _("Which microphone"),
  "microphone.channel": _("Channel"),
  "microphone.muted_s": _("Silent for so many seconds: switched off"),
  "buttons.seats": _("Players' buttons"),
  "buttons.referee": _("Referee's button"),
  "buttons.trophies": _("Buttons of the trophies"),
  "buttons.active_high": _("Buttons connect to 3.3 V"),
  "buzzer.pin": _("Buzzer"),
  "buzzer.kind": _("Kind of buzzer"),
  "buzzer.tone_hz": _("Pitch in Hz"),
  "voice.backend": _("Voice"),
  "voice.device": _("Loudspeaker"),
  "voice.words_per_minute": _("Words a minute"),
  "lamps.pin": _("Lamp"),
  "lamps.rgb": _("Coloured lamp"),
  "lamps.listening": _("Lamp while sound is analysed"),
  "stored.keep_days": _("Days for which games are kept"),
  "recording.limit_gb": _("Most room for recorded evenings in GB"),
  "recording.keep_free_mb": _("Room that stays free in MB"),
  "mqtt.host": _("Broker"),
  "mqtt.port": _("Port"),
  "mqtt.tls": _("Encrypted"),
  "mqtt.user": _("User"),
  "mqtt.password_file": _("Password"),
  "mqtt.table": _("Name of this table"),
  "mqtt.home_assistant": _("Home Assistant finds the table"),
  "mqtt.commands": _("Accept commands"),
};

/** Names of values, by key.
    @type {Record<string, Record<string, string>>} */
const VALUES = {
  "camera.backend": {
    auto: _("automatic"),
    picamera2: _("camera on the ribbon"),
    webcam: _("USB camera"),
    recording: _("recorded pictures"),
    drawn: _("drawn table, to try everything out"),
    none: _("none"),
  },
  "camera.mains_hz": { 0: _("the camera's own setting"), 50: "50 Hz", 60: "60 Hz" },
  "microphone.backend": {
    auto: _("automatic"),
    sounddevice: _("microphone"),
    recording: _("recorded sound"),
    none: _("none"),
  },
  "microphone.device": { "": _("automatic") },
  "voice.device": { "": _("automatic") },
  "speech.model": { "": _("automatic") },
  "buzzer.kind": { active: _("sounds by itself"), passive: _("needs a tone") },
  "voice.backend": { auto: _("on"), none: _("off") },
};

/** @param {string} key */
export const settingTitle = (key) => NAMES[key] ?? key;

/** @param {string} key
    @param {SettingChoice} choice */
export function valueTitle(key, { value, text }) {
  if (key === "table.language")
    return new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(value) ?? value;
  return VALUES[key]?.[value] ?? (text || String(value));
}
