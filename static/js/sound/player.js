// @ts-check
// Lets the table be heard, as loud as this browser's owner likes it. Browsers let pages sound from the first gesture on.
// A page that is hidden is silent, but for one's turn.

import { audible, wantSound } from "./mute_setting.js";
import { heard, TURN } from "./event_sounds.js";
import { like, liked } from "../lib/preferences.js";
import { lasts, master, SOUNDS, strike } from "./synth.js";

/** @typedef {import("./synth.js").SoundName} SoundName */

/** What one has chosen, in percent. */
const VOLUME = "volume";
const USUAL_VOLUME = 50;

/** What comes next waits no longer for the end of a sound, s. */
const NEXT = 0.5;
/** A sound that could not begin by then is dropped, ms. */
const LATE = 300;
/** After so long without a sound the device rests: one that goes on for nothing costs a phone its battery. ms */
const RESTS_AFTER = 4000;

/** @type {{ context: AudioContext, out: GainNode } | null} */
let device = null;
let gestured = false;
let resting = 0;

/** @returns {number} percent */
export function volume() {
  const kept = Number(liked(VOLUME, String(USUAL_VOLUME)));
  return kept >= 0 && kept <= 100 ? kept : USUAL_VOLUME;
}

/** @param {boolean} on */
function setAudible(on) {
  wantSound(on);
  turnUp();
}

/** Mute it, or let it be heard again, which is heard. */
export function toggle() {
  setAudible(!audible());
  sound(TURN);
}

/** @param {number} percent */
export function setVolume(percent) {
  like(VOLUME, String(percent));
  wantSound(true);
  turnUp();
}

/** Squared, since ears hear half the percentage as half as loud then. */
const gain = () => (audible() ? (volume() / 100) ** 2 : 0);

/** What sounds already goes by it, too. */
function turnUp() {
  device?.out.gain.setTargetAtTime(gain(), device.context.currentTime, 0.01);
}

/** From the first gesture on there is sound. @param {EventTarget} page @param {boolean} [already] whether there was one before this script was here */
export function onFirstGesture(page, already = false) {
  gestured ||= already;
  for (const kind of ["pointerup", "keydown"])
    page.addEventListener(
      kind,
      () => {
        gestured = true;
        // A telephone call stops it: then the next gesture lets it go on.
        const ready = audible() ? opened() : null;
        if (ready !== null) void wake(ready.context).catch(() => undefined);
      },
      { capture: true },
    );
}

/** Where a browser lets pages sound at once, as a television's may, they do. */
export function soundAtOnce() {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  const allowed = context.resume().then(() => {
    gestured = true;
    return context.close();
  });
  void allowed.catch(() => undefined);
}

/** @returns {typeof device} null where there is no sound, or not yet */
function opened() {
  if (device !== null || !gestured) return device;
  try {
    const context = new AudioContext();
    device = { context, out: master(context, gain()) };
  } catch {
    // No sound here: nothing depends on it.
  }
  return device;
}

/** Let it run for as long as something is to be heard. @param {AudioContext} context */
function wake(context) {
  window.clearTimeout(resting);
  resting = window.setTimeout(() => void context.suspend().catch(() => undefined), RESTS_AFTER);
  return context.resume();
}

/** Something has happened. @param {import("../events/presentation.js").Moment[]} moments @param {string} asked what one is asked now */
export function sounding(moments, asked) {
  const names = heard(moments, asked);
  play(document.hidden ? names.filter((name) => name === TURN) : names);
}

/** @param {string} name */
export function sound(name) {
  if (!document.hidden && Object.hasOwn(SOUNDS, name)) play([/** @type {SoundName} */ (name)]);
}

/** One after the other. @param {SoundName[]} names */
function play(names) {
  if (names.length === 0 || !audible()) return;
  const ready = opened();
  if (ready === null) return;
  const { context, out } = ready;
  const asked = performance.now();
  const begin = () => {
    if (performance.now() - asked > LATE) return;
    let at = context.currentTime;
    for (const name of names) {
      strike(context, out, name, at);
      at += Math.min(lasts(name), NEXT);
    }
  };
  const running = context.state === "running";
  const woken = wake(context);
  if (running) begin();
  else woken.then(begin, () => undefined);
}
