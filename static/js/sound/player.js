// @ts-check
// Plays sounds at the player's volume. Browsers allow sound only after the first gesture. A hidden page plays only the
// sound of the player's turn.

import { isSoundOn, setSoundOn } from "./mute_setting.js";
import { soundsFor, TURN_SOUND } from "./event_sounds.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { soundDuration, createMasterGain, SOUNDS, scheduleSound } from "./synth.js";

/** @import { SoundName } from "./synth.js" */

/** Preference of the player, in percent. */
const VOLUME_PREFERENCE = "volume";
const DEFAULT_VOLUME = 50;

/** In a sequence, the next sound starts at the latest this time after the one before, in s. */
const MAX_OVERLAP_S = 0.5;
/** A sound that could not start within this time is dropped, in ms. */
const MAX_DELAY_MS = 300;
/** Suspend the audio context after this silence, in ms: a running context drains a phone's battery. */
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

/** Toggle the sound, and play a sound when it is on again. */
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

/** The gain, from 0 to 1. Squaring makes half the percentage sound half as loud. */
const gain = () => (isSoundOn() ? (volume() / 100) ** 2 : 0);

/** Apply the volume to sounds that are already playing. */
function applyVolume() {
  device?.out.gain.setTargetAtTime(gain(), device.context.currentTime, 0.01);
}

/** Enable sound at the first gesture. @param {EventTarget} page @param {boolean} [alreadyGestured] whether a gesture preceded this script */
export function enableOnFirstGesture(page, alreadyGestured = false) {
  gestured ||= alreadyGestured;
  for (const kind of ["pointerup", "keydown"])
    page.addEventListener(
      kind,
      () => {
        gestured = true;
        // A phone call suspends the audio context; the next gesture resumes it.
        const ready = isSoundOn() ? openAudioDevice() : null;
        if (ready !== null) void resumeAudio(ready.context).catch(() => undefined);
      },
      { capture: true },
    );
}

/** Enable sound without a gesture if the browser allows that, as a television's browser may. */
export function tryAutoplay() {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  const allowed = context.resume().then(() => {
    gestured = true;
    return context.close();
  });
  void allowed.catch(() => undefined);
}

/** @returns {typeof device} null if sound is unavailable, or before the first gesture */
function openAudioDevice() {
  if (device !== null || !gestured) return device;
  try {
    const context = new AudioContext();
    device = { context, out: createMasterGain(context, gain()) };
  } catch {
    // Go on without sound: the game does not depend on it.
  }
  return device;
}

/** Resume the audio context, and suspend it after `SUSPEND_AFTER_MS`. @param {AudioContext} context */
function resumeAudio(context) {
  window.clearTimeout(suspendTimer);
  suspendTimer = window.setTimeout(() => void context.suspend().catch(() => undefined), SUSPEND_AFTER_MS);
  return context.resume();
}

/** Play the sounds of new events. @param {import("../events/presentation.js").Moment[]} moments @param {string} prompt prompt, or "" */
export function playFor(moments, prompt) {
  const names = soundsFor(moments, prompt);
  playSequence(document.hidden ? names.filter((name) => name === TURN_SOUND) : names);
}

/** @param {string} name */
export function playSound(name) {
  if (!document.hidden && Object.hasOwn(SOUNDS, name)) playSequence([/** @type {SoundName} */ (name)]);
}

/** Play sounds in sequence. @param {SoundName[]} names */
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
