/** Tells whether the rows of a bar are those of parts of it: of sessions, venues, bids and asks. */

const PART =
  /^(?:(?:trading|market)?session|hours|(?:price|quote)?side|(?:trading)?venue|exchange(?:code)?|market|mic|marketcenter)$/;

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
  const at = names.findIndex((name) => PART.test(name));
  const values = [...new Set([...rows, last].map((row) => row[at] ?? ''))];
  if (at === -1 || values.length < 2) return undefined;
  const bars = [...Map.groupBy(rows, barOf).values()];
  const parted = bars.filter((own) => new Set(own.map((row) => row[at])).size > 1);
  if (parted.length < Math.max(BARS_MIN, SHARE_MIN * bars.length)) return undefined;
  return `its column "${header[at]}" parts the rows of each bar (${values.slice(0, 3).join(', ')}): keep the rows of one of them`;
}
