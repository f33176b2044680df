/** Ordinary and hostile price series, the same on every run: for tests, vectors and benchmarks. */

/** Uniform in [0, 1), from a seed: a 32-bit mixing generator with a Weyl sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Prices in cents, with daily moves of up to two per cent. */
export function randomWalk(length: number, seed = 1): Float64Array {
  const random = seededRandom(seed);
  let price = 100;
  return Float64Array.from({ length }, () => {
    price = Math.max(1, price * (1 + (random() - 0.5) * 0.04));
    return Math.round(price * 100) / 100;
  });
}

type Series = (length: number) => Float64Array;

const mapWalk =
  (change: (price: number, i: number) => number): Series =>
  (length) =>
    randomWalk(length).map(change);

/** Each breaks some way of computing that is fine on ordinary prices. */
export const hostileSeries: Record<string, Series> = {
  'random walk': mapWalk((price) => price),
  'offset 1e9': mapWalk((price) => price + 1e9),
  'tiny moves at 1e9': mapWalk((price) => 1e9 + Math.round(price * 10) * 2 ** -23),
  'spikes of 1e12': mapWalk((price, i) => (i % 97 === 41 ? 1e12 : price)),
  'first close 1e12': mapWalk((price, i) => (i === 0 ? 1e12 : price)),
  'decay from 1e9': mapWalk((price, i) => price * (1 + 1e7 * 0.97 ** i)),
  'long flat runs': mapWalk((price, i) => (i % 400 < 40 ? price : 123.45)),
  alternating: (length) => Float64Array.from({ length }, (_, i) => (i % 2 === 0 ? 0.1 : 1000.3)),
  'zeros between': mapWalk((price, i) => (i % 3 === 0 ? price : 0)),
  'small prices': mapWalk((price) => price * 1e-9),
};
