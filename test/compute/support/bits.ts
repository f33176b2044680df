/** The bytes of columns, for tests that two ways give the same result to the last bit. */

type Columns = Readonly<Record<string, Float64Array>>;

/** Bit patterns of a column; unlike the numbers, they tell one NaN and one zero from another. */
export function bits(column: Float64Array): BigUint64Array {
  return new BigUint64Array(Float64Array.from(column).buffer);
}

/** Returns true if columns of the same names start with the same bits, over the length of `part`. */
export function startWithSameBits(whole: Columns, part: Columns): boolean {
  return Object.keys(whole).every((name) => {
    const start = whole[name].subarray(0, part[name].length);
    return Buffer.compare(bytes(start), bytes(part[name])) === 0;
  });
}

function bytes(column: Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
