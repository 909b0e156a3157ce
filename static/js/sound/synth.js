// @ts-check
// Synthesised sounds of the table: plucked wood, knocks, and cards that brush over felt. All use one scale, so that
// sounds at the same time or in sequence harmonise.

/**
 * One stroke of a sound. `ends` is its end, in seconds after the start of the sound.
 * @typedef {{ ends: number, strike: (context: BaseAudioContext, into: AudioNode, from: number) => void }} Stroke
 */

/** The frequency of degree 0, in Hz. The scale has five tones in an octave, given in semitones. */
const BASE_FREQUENCY = 293.66;
const SCALE = [0, 2, 4, 7, 9];

/** A gain that is practically silent: an exponential ramp can't end at 0. */
const SILENCE = 0.0001;
/** Time from silence to full gain, in s. */
const ATTACK = 0.004;

/** @param {number} degree of the scale, from 0; negative degrees are lower */
function scaleFrequency(degree) {
  const octave = Math.floor(degree / SCALE.length);
  const semitones = SCALE[degree - octave * SCALE.length] ?? 0;
  return BASE_FREQUENCY * 2 ** (octave + semitones / 12);
}

/**
 * Create a gain that rises within `attack` seconds and then fades out until `seconds`. All sounds use it.
 * @param {BaseAudioContext} context @param {AudioNode} into @param {number} from @param {number} gain @param {number} seconds @param {number} [attack]
 */
function createEnvelope(context, into, from, gain, seconds, attack = ATTACK) {
  const node = context.createGain();
  node.gain.setValueAtTime(SILENCE, from);
  node.gain.exponentialRampToValueAtTime(gain, from + attack);
  node.gain.exponentialRampToValueAtTime(SILENCE, from + seconds);
  node.connect(into);
  return node;
}

/** @param {BaseAudioContext} context @param {OscillatorType} shape @param {AudioNode} into @param {number} from @param {number} seconds */
function startTone(context, shape, into, from, seconds) {
  const node = context.createOscillator();
  node.type = shape;
  node.connect(into);
  node.start(from);
  node.stop(from + seconds);
  return node;
}

/** @type {WeakMap<BaseAudioContext, AudioBuffer>} */
const noises = new WeakMap();

/** Return 1.2 s of noise, always the same and made only once for each context. @param {BaseAudioContext} context */
function noiseBuffer(context) {
  let buffer = noises.get(context);
  if (buffer === undefined) {
    buffer = context.createBuffer(1, Math.ceil(context.sampleRate * 1.2), context.sampleRate);
    const samples = buffer.getChannelData(0);
    let state = 1;
    for (let i = 0; i < samples.length; i += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      samples[i] = state / 2 ** 31 - 1;
    }
    noises.set(context, buffer);
  }
  return buffer;
}

/** Make a stroke like a struck bar of wood: a tone, and a short overtone. @param {number} at @param {number} degree @param {number} gain @param {number} seconds @returns {Stroke} */
function pluck(at, degree, gain, seconds) {
  return {
    ends: at + seconds,
    strike(context, into, from) {
      const start = from + at;
      const body = createEnvelope(context, into, start, gain * 0.75, seconds);
      startTone(context, "triangle", body, start, seconds).frequency.value = scaleFrequency(degree);
      const bright = seconds / 4;
      const edge = createEnvelope(context, into, start, gain * 0.25, bright);
      startTone(context, "sine", edge, start, bright).frequency.value = scaleFrequency(degree) * 3.93;
    },
  };
}

/** Make a knock: a low, falling tone. @param {number} at @param {number} degree @param {number} gain @param {number} seconds @returns {Stroke} */
function knock(at, degree, gain, seconds) {
  return {
    ends: at + seconds,
    strike(context, into, from) {
      const start = from + at;
      const { frequency } = startTone(
        context,
        "sine",
        createEnvelope(context, into, start, gain, seconds),
        start,
        seconds,
      );
      frequency.setValueAtTime(scaleFrequency(degree) * 2, start);
      frequency.exponentialRampToValueAtTime(scaleFrequency(degree), start + Math.min(0.06, seconds));
    },
  };
}

/** Make the noise of cards on felt; its pitch glides from `low` to `high`, in Hz. @param {number} at @param {number} low @param {number} high @param {number} gain @param {number} seconds @param {number} [attack] @returns {Stroke} */
function brush(at, low, high, gain, seconds, attack = seconds / 4) {
  return {
    ends: at + seconds,
    strike(context, into, from) {
      const start = from + at;
      const source = context.createBufferSource();
      source.buffer = noiseBuffer(context);
      const band = context.createBiquadFilter();
      band.type = "bandpass";
      band.Q.value = 0.9;
      band.frequency.setValueAtTime(low, start);
      band.frequency.exponentialRampToValueAtTime(high, start + seconds);
      source.connect(band).connect(createEnvelope(context, into, start, gain, seconds, attack));
      source.start(start, 0, seconds);
    },
  };
}

/** Make the strokes of a riffle: cards that fall in sequence. @param {number} count @param {number} every s */
function riffle(count, every) {
  return Array.from({ length: count }, (_, i) => brush(i * every, 2600 + i * 90, 1500, 0.5, 0.07, ATTACK));
}

/**
 * All sounds by name. The names of reaction sounds follow the server's declaration (rooms/people/reactions.py).
 * @satisfies {Record<string, Stroke[]>}
 */
export const SOUNDS = {
  // The player's turn.
  bell: [pluck(0, 5, 0.5, 0.4), pluck(0.13, 8, 0.55, 0.7)],
  // Frequent sounds are short and low.
  slap: [brush(0.2, 2400, 800, 0.45, 0.1), knock(0.24, -5, 0.4, 0.14)],
  tap: [knock(0, -7, 0.5, 0.1)],
  sweep: [brush(0, 700, 2600, 0.6, 0.38)],
  slide: [brush(0, 1900, 900, 0.5, 0.22), pluck(0.12, 2, 0.25, 0.25)],
  riffle: riffle(9, 0.055),
  nudge: [pluck(0, 3, 0.4, 0.18), pluck(0.09, 1, 0.4, 0.28)],
  done: [pluck(0, 3, 0.4, 0.25), pluck(0.1, 5, 0.45, 0.45)],
  latch: [knock(0, -2, 0.5, 0.06), knock(0.11, -5, 0.6, 0.14), pluck(0.11, -2, 0.3, 0.3)],
  // Sounds of great events, which all players should notice.
  rise: [0, 2, 3, 5].map((degree, i) => pluck(i * 0.11, degree + 5, 0.4, i === 3 ? 0.8 : 0.3)),
  sink: [5, 3, 2, 0].map((degree, i) => pluck(i * 0.14, degree - 5, 0.45, i === 3 ? 0.7 : 0.35)),
  flare: [brush(0, 900, 4200, 0.25, 0.35), pluck(0.12, 5, 0.4, 0.4), pluck(0.2, 7, 0.4, 0.7)],
  tumble: [
    brush(0, 500, 3000, 0.35, 0.5, 0.3),
    ...[8, 7, 5, 3, 5, 7, 8].map((degree, i) => pluck(i * 0.075, degree, 0.3, i === 6 ? 0.65 : 0.22)),
  ],
  boom: [knock(0, -10, 0.75, 0.9), brush(0, 1800, 120, 0.55, 0.7, ATTACK), knock(0.12, -13, 0.3, 0.8)],
  // Cards brush to one side, a low knock is the bow, and a light toss answers.
  handover: [
    brush(0.1, 1700, 800, 0.35, 0.3),
    knock(0.35, -6, 0.25, 0.2),
    brush(0.65, 900, 2400, 0.3, 0.25),
    pluck(0.9, 4, 0.2, 0.3),
  ],
  fanfare: [
    ...[0, 0, 0, 3].map((degree, i) => pluck(i * 0.1, degree + 2, 0.3, i === 3 ? 0.4 : 0.15)),
    ...[5, 7, 10].map((degree) => pluck(0.43, degree, 0.28, 0.75)),
  ],
  // Reactions and chat.
  "reaction.cluck": [pluck(0, 5, 0.35, 0.06), pluck(0.08, 7, 0.35, 0.06), pluck(0.16, 5, 0.35, 0.12)],
  "reaction.crow": [pluck(0, 5, 0.4, 0.12), pluck(0.1, 7, 0.4, 0.12), pluck(0.2, 9, 0.45, 0.4)],
  "reaction.clap": [brush(0, 1700, 1300, 0.6, 0.06, ATTACK), brush(0.11, 1600, 1200, 0.6, 0.07, ATTACK)],
  "reaction.thumb": [pluck(0, 4, 0.45, 0.3)],
  "reaction.heart": [pluck(0, 2, 0.4, 0.25), pluck(0.14, 6, 0.4, 0.45)],
  "reaction.egg": [knock(0, 2, 0.4, 0.05), brush(0.04, 3000, 500, 0.4, 0.18, ATTACK)],
  "reaction.tear": [pluck(0, 6, 0.35, 0.3), pluck(0.18, 4, 0.35, 0.5)],
  "reaction.snail": [knock(0, -5, 0.4, 0.3), knock(0.22, -6, 0.4, 0.35)],
  chat: [pluck(0, 8, 0.3, 0.12)],
};

/** @typedef {keyof typeof SOUNDS} SoundName */

/** Return the length of a sound, in s. @param {SoundName} name */
export function soundDuration(name) {
  return Math.max(...SOUNDS[name].map(({ ends }) => ends));
}

/**
 * Create the output for all sounds: a gain for the volume, and a compressor against clipping.
 * @param {BaseAudioContext} context
 * @param {number} volume from 0 to 1
 */
export function createMasterGain(context, volume) {
  const node = context.createGain();
  node.gain.value = volume;
  const most = context.createDynamicsCompressor();
  most.threshold.value = -6;
  most.knee.value = 0;
  node.connect(most).connect(context.destination);
  return node;
}

/**
 * Schedule a sound at full volume.
 * @param {BaseAudioContext} context
 * @param {AudioNode} into the node that receives the sound
 * @param {SoundName} name
 * @param {number} from start, in s of the context's clock
 */
export function scheduleSound(context, into, name, from) {
  for (const stroke of SOUNDS[name]) stroke.strike(context, into, from);
}
