/** Tells whether the rows of a bar are those of parts of it: of sessions, venues, bids and asks. */

const PART =
  /^(?:(?:trading|market)?session|hours|(?:price|quote)?side|(?:trading)?venue|exchange(?:code)?|market|mic|marketcenter|feed|tape)$/;
/** Values of a column that parts rows of bids from those of asks, whatever its name and place. */
const SIDES = /^(?:bids?|asks?|offers?|mid|midpoints?|trades?|last)$/i;

/** Bars of several rows that show parts, and the least share of all bars. */
const [BARS_MIN, SHARE_MIN] = [3, 0.5];

interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  last: readonly string[];
}

/**
 * Returns why the rows are parts of bars, by a column that tells those of one bar apart.
 * @param names Names of the columns, as `plainName` gives them.
 * @param barOf Stamp and symbol of a row.
 */
export function partsOfBars(
  names: readonly string[],
  { header, rows, last }: Table,
  barOf: (row: readonly string[]) => string,
): string | undefined {
  const valuesAt = (at: number) => [...new Set([...rows, last].map((row) => row[at] ?? ''))];
  const isOfSides = (_: string, at: number) =>
    valuesAt(at).length > 1 && valuesAt(at).every((value) => SIDES.test(value));
  const side = names.findIndex(isOfSides);
  const at = side === -1 ? names.findIndex((name) => PART.test(name)) : side;
  const values = valuesAt(at);
  if (at === -1 || values.length < 2) return undefined;
  const bars = [...Map.groupBy(rows, barOf).values()];
  const parted = bars.filter((own) => new Set(own.map((row) => row[at])).size > 1);
  const isParted = parted.length >= Math.max(BARS_MIN, SHARE_MIN * bars.length);
  if (side === -1 && !isParted) return undefined;
  return `its column "${header[at]}" parts the rows of each bar (${values.slice(0, 3).join(', ')}): keep the rows of one of them`;
}
