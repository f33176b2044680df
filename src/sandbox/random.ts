/**
 * Random numbers that are looked up by seed and position instead of drawn in turn, so that no
 * value depends on what was generated before it.
 */

const GOLDEN = 0x9e3779b9;
const TWO_TO_32 = 4_294_967_296;
/** Standard deviation of a sum of four uniforms, √(4/12), in 16-bit steps. */
const FOUR_UNIFORMS = 65_536 * Math.sqrt(4 / 12);

export const SANDBOX_SEED = 0x7a9e;

/** Scrambles 32 bits; the constants are those of Wellons' search for low bias. */
function scramble(bits: number): number {
  let x = bits;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Returns 32 bits that follow from two integers. They can serve as a seed themselves. */
export function seedAt(seed: number, position: number): number {
  return scramble(scramble(seed ^ GOLDEN) + Math.imul(position, GOLDEN));
}

/** Takes a uniform in [0, 1) from the lower half of a seed's bits. */
export function lowUniform(bits: number): number {
  return (bits & 0xffff) / 65_536;
}

/** Takes a second one from the upper half. */
export function highUniform(bits: number): number {
  return (bits >>> 16) / 65_536;
}

export function uniformAt(seed: number, position: number): number {
  return seedAt(seed, position) / TWO_TO_32;
}

export function integerAt(seed: number, position: number, count: number): number {
  return Math.floor(uniformAt(seed, position) * count);
}

/**
 * Returns a value of mean 0 and standard deviation 1, within ±3.5: a sum of four uniforms, which
 * needs no logarithm and has the same bits on every platform.
 */
export function normalAt(seed: number, position: number): number {
  const a = seedAt(seed, position);
  const b = scramble(a + GOLDEN);
  const sum = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16);
  return (sum - 131_070) / FOUR_UNIFORMS;
}
