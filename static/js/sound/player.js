// @ts-check
// Lets the table be heard, as loud as this browser's owner likes it. Browsers let pages sound from the first gesture on.
// A page that is hidden is silent, but for one's turn.

import { isSoundOn, setSoundOn } from "./mute_setting.js";
import { soundsFor, TURN_SOUND } from "./event_sounds.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { soundDuration, createMasterGain, SOUNDS, scheduleSound } from "./synth.js";

/** @typedef {import("./synth.js").SoundName} SoundName */

/** What one has chosen, in percent. */
const VOLUME_PREFERENCE = "volume";
const DEFAULT_VOLUME = 50;

/** What comes next waits no longer for the end of a sound, s. */
const MAX_OVERLAP_S = 0.5;
/** A sound that could not begin by then is dropped, ms. */
const MAX_DELAY_MS = 300;
/** After so long without a sound the device rests: one that goes on for nothing costs a phone its battery. ms */
const SUSPEND_AFTER_MS = 4000;

/** @type {{ context: AudioContext, out: GainNode } | null} */
let device = null;
let gestured = false;
let suspendTimer = 0;

/** @returns {number} percent */
export function volume() {
  const kept = Number(getPreference(VOLUME_PREFERENCE, String(DEFAULT_VOLUME)));
  return kept >= 0 && kept <= 100 ? kept : DEFAULT_VOLUME;
}

/** @param {boolean} on */
function setAudible(on) {
  setSoundOn(on);
  applyVolume();
}

/** Mute it, or let it be heard again, which is heard. */
export function toggleMute() {
  setAudible(!isSoundOn());
  playSound(TURN_SOUND);
}

/** @param {number} percent */
export function setVolume(percent) {
  setPreference(VOLUME_PREFERENCE, String(percent));
  setSoundOn(true);
  applyVolume();
}

/** Squared, since ears hear half the percentage as half as loud then. */
const gain = () => (isSoundOn() ? (volume() / 100) ** 2 : 0);

/** What sounds already goes by it, too. */
function applyVolume() {
  device?.out.gain.setTargetAtTime(gain(), device.context.currentTime, 0.01);
}

/** From the first gesture on there is sound. @param {EventTarget} page @param {boolean} [alreadyGestured] whether there was one before this script was here */
export function enableOnFirstGesture(page, alreadyGestured = false) {
  gestured ||= alreadyGestured;
  for (const kind of ["pointerup", "keydown"])
    page.addEventListener(
      kind,
      () => {
        gestured = true;
        // A telephone call stops it: then the next gesture lets it go on.
        const ready = isSoundOn() ? openAudioDevice() : null;
        if (ready !== null) void resumeAudio(ready.context).catch(() => undefined);
      },
      { capture: true },
    );
}

/** Where a browser lets pages sound at once, as a television's may, they do. */
export function tryAutoplay() {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  const allowed = context.resume().then(() => {
    gestured = true;
    return context.close();
  });
  void allowed.catch(() => undefined);
}

/** @returns {typeof device} null where there is no sound, or not yet */
function openAudioDevice() {
  if (device !== null || !gestured) return device;
  try {
    const context = new AudioContext();
    device = { context, out: createMasterGain(context, gain()) };
  } catch {
    // No sound here: nothing depends on it.
  }
  return device;
}

/** Let it run for as long as something is to be heard. @param {AudioContext} context */
function resumeAudio(context) {
  window.clearTimeout(suspendTimer);
  suspendTimer = window.setTimeout(() => void context.suspend().catch(() => undefined), SUSPEND_AFTER_MS);
  return context.resume();
}

/** Something has happened. @param {import("../events/presentation.js").Moment[]} moments @param {string} prompt what one is asked now */
export function playFor(moments, prompt) {
  const names = soundsFor(moments, prompt);
  playSequence(document.hidden ? names.filter((name) => name === TURN_SOUND) : names);
}

/** @param {string} name */
export function playSound(name) {
  if (!document.hidden && Object.hasOwn(SOUNDS, name)) playSequence([/** @type {SoundName} */ (name)]);
}

/** One after the other. @param {SoundName[]} names */
function playSequence(names) {
  if (names.length === 0 || !isSoundOn()) return;
  const ready = openAudioDevice();
  if (ready === null) return;
  const { context, out } = ready;
  const asked = performance.now();
  const begin = () => {
    if (performance.now() - asked > MAX_DELAY_MS) return;
    let at = context.currentTime;
    for (const name of names) {
      scheduleSound(context, out, name, at);
      at += Math.min(soundDuration(name), MAX_OVERLAP_S);
    }
  };
  const running = context.state === "running";
  const woken = resumeAudio(context);
  if (running) begin();
  else woken.then(begin, () => undefined);
}
