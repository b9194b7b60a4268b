/* Devices: press each button, let each output give a sign, watch the microphone, read what the doctor found. */

import { referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";
import { shell } from "./parts/page_frame.js";
import { buttonTest, deviceFindings, microphoneTest, outputTest, watchDevices } from "./parts/device_tests.js";

function view() {
  if (!referee) return h("p", { class: "quiet" }, _("Only the referee tries the devices."));
  return [
    buttonTest(),
    outputTest(),
    microphoneTest(),
    deviceFindings(),
    h("p", {}, h("a", { href: "/settings" }, _("Settings"))),
  ];
}

const redraw = shell(_("Devices"), view);
if (referee) watchDevices(redraw, () => true);
