/** Fixed work, by whose time the times of two runs are made comparable. */

const LENGTH = 65_536;
const input = Float64Array.from({ length: LENGTH }, (_, i) => 100 + Math.sin(i));
const output = new Float64Array(LENGTH);

/** Averages a series with fading weights ten times, from and to memory: some 2 ms. */
export function yardstick(): void {
  for (let pass = 0; pass < 10; pass++) {
    let value = input[pass];
    for (let i = 0; i < LENGTH; i++) {
      value += (input[i] - value) * 0.1;
      output[i] = value;
    }
  }
}
