// Two quiet sounds, made here: a piece that is set down, and a notice.

import { remembered } from './dom.js';

let context = null;

function ready() {
  if (remembered('sound', 'on') !== 'on' || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  return context;
}

function tone(frequency, start, length, volume, type = 'sine') {
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  const at = context.currentTime + start;
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(frequency, at);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.6, at + length);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

export function knock() {
  if (!ready()) return;
  tone(320, 0, 0.07, 0.16, 'triangle');
  tone(900, 0, 0.025, 0.05, 'square');
}

export function chime() {
  if (!ready()) return;
  tone(660, 0, 0.25, 0.06);
  tone(880, 0.13, 0.35, 0.06);
}
