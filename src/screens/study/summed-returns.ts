/** Code that sums returns of a symbol by session, two rows at a time. */

import {
  type Code,
  f64x2,
  get,
  I32,
  i32,
  moduleOf,
  repeat,
  set,
  V128,
  v128,
  when,
} from '../../compute/columns/fused/encoding.ts';
import { COARSE, FINE } from './sums.ts';

const NUMBER_BYTES = 8;

// Parameters: addresses of the first entry and exit price, how many rows there are, and addresses
// of the coarse and fine sums and of the count of the first row's session.
const ENTRY = 0;
const EXIT = 1;
const ROWS = 2;
const SUMS = [3, 4, 5] as const;
const PARAMETERS = 6;

// Local variables: numbers of the loop, then vectors.
const PAIRS = PARAMETERS;
const RETURN = PARAMETERS + 1;
const KNOWN = PARAMETERS + 2;
const ROUNDED = PARAMETERS + 3;

const { add, sub, div, eq, of } = f64x2;

/**
 * Returns the module: the return of a row is the exit over the entry, less 1, and NaN is none. Its
 * sums have the bits of `Sums`.
 */
export function summedReturns(): Uint8Array {
  const pair = rowCode(
    (address) => v128.load(get(address), 0),
    (address, value) => v128.store(get(address), 0, value),
  );
  // The other lane has 0 over 0, which is no return.
  const single = rowCode(
    (address) => v128.loadFirst(get(address), 0),
    (address, value) => v128.storeLane(get(address), 0, value, 0),
  );
  const step = [ENTRY, EXIT, ...SUMS].map((address) =>
    set(address, i32.add(get(address), i32.of(2 * NUMBER_BYTES))),
  );
  const loop = repeat(
    [pair, step, set(PAIRS, i32.sub(get(PAIRS), i32.of(2)))],
    i32.isZero(i32.ltU(get(PAIRS), i32.of(2))),
  );
  const body = [
    set(PAIRS, get(ROWS)),
    when(i32.isZero(i32.ltU(get(PAIRS), i32.of(2))), loop),
    when(get(PAIRS), single),
    i32.of(0),
  ];
  return moduleOf(PARAMETERS, [I32, V128, V128, V128], body);
}

function rowCode(
  load: (address: number) => Code,
  store: (address: number, value: Code) => Code,
): Code {
  const [coarse, fine, count] = SUMS;
  const value = v128.and(get(RETURN), get(KNOWN));
  return [
    set(RETURN, sub(div(load(EXIT), load(ENTRY)), of(1))),
    set(KNOWN, eq(get(RETURN), get(RETURN))),
    set(RETURN, value),
    set(ROUNDED, sub(add(get(RETURN), of(COARSE)), of(COARSE))),
    store(coarse, add(load(coarse), get(ROUNDED))),
    set(ROUNDED, sub(add(sub(get(RETURN), get(ROUNDED)), of(FINE)), of(FINE))),
    store(fine, add(load(fine), get(ROUNDED))),
    store(count, add(load(count), v128.and(get(KNOWN), of(1)))),
  ];
}
