/**
 * Numbers of the sandbox: looked up by (seed, position) instead of drawn in turn, so that a bar is
 * the same whatever was generated before it.
 */

const GOLDEN = 0x9e3779b9;
const TWO_TO_32 = 4_294_967_296;
/** Standard deviation of a sum of four uniforms is √(4/12). */
const FOUR_UNIFORMS = 65_536 * Math.sqrt(4 / 12);

/** Scrambles 32 bits so that neighbours share none (constants by Wellons' search for low bias). */
function scramble(bits: number): number {
  let x = bits;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** 32 bits that follow from a seed and a position, both integers; a seed in their turn. */
export function seedAt(seed: number, position: number): number {
  return scramble(scramble(seed ^ GOLDEN) + Math.imul(position, GOLDEN));
}

/** Two uniforms in [0, 1), of 16 bits each, at the price of one. */
export function lowUniform(bits: number): number {
  return (bits & 0xffff) / 65_536;
}

export function highUniform(bits: number): number {
  return (bits >>> 16) / 65_536;
}

/** Uniform in [0, 1). */
export function uniformAt(seed: number, position: number): number {
  return seedAt(seed, position) / TWO_TO_32;
}

/** Integer from 0 up to, not including, `count`. */
export function integerAt(seed: number, position: number, count: number): number {
  return Math.floor(uniformAt(seed, position) * count);
}

/**
 * Mean 0, standard deviation 1, within ±3.5: a sum of four uniforms, which needs no logarithm and
 * is the same to the bit on every platform.
 */
export function normalAt(seed: number, position: number): number {
  const a = seedAt(seed, position);
  const b = scramble(a + GOLDEN);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum - 131_070) / FOUR_UNIFORMS;
}
