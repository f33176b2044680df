import { limits } from '../../../src/base/limits/limits.ts';

/** Publishes until layers are folded; by default it takes sixteen. */
const EARLY = { slicesMax: 3, intradaySlicesMax: 3 };

/**
 * Folds come after few publishes as after many, and to get there is most of what their tests take.
 *
 * @returns brings the limits back: files of tests share their process.
 */
export function foldEarly(): () => void {
  const { slicesMax, intradaySlicesMax } = limits.serving;
  Object.assign(limits.serving, EARLY);
  return () => void Object.assign(limits.serving, { slicesMax, intradaySlicesMax });
}
