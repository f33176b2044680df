/** Tells which columns of numbers are open, high, low, close and volume. */

export type PriceColumns = Partial<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>;

/** Prices of a row differ less than this factor; a volume differs more. */
const FACTOR_MAX = 5;
/** Factor by which each open must be nearer to the close before it than the other way round. */
const NEARER = 1.5;

/**
 * @param columns Numbers of each column, or undefined for another column.
 * @param dates Date of each row, and of the file's last one.
 * @returns the places, or the reason why they are not proven, worded to follow "and".
 */
export function arrangedPrices(
  columns: readonly (readonly number[] | undefined)[],
  { dates }: { dates: readonly string[] },
): { columns: PriceColumns } | { reason: string } {
  const prices = priceColumns(columns);
  const windows = prices
    .slice(0, -3)
    .map((_, from) => boundsOf(columns, prices.slice(from, from + 4)))
    .filter((bounds) => bounds !== undefined);
  const usual = windows.filter(({ places, high, low }) => places[1] === high && places[2] === low);
  const [bounds, ...others] = usual.length === 1 ? usual : windows;
  if (bounds === undefined) return { reason: 'no columns are bounded as high and low are' };
  if (others.length > 0) return { reason: 'several columns may be its prices' };
  const ends = bounds.places.filter((at) => at !== bounds.high && at !== bounds.low);
  const [first, second] = ends;
  const order = orderOf(dates);
  const nearness = nearnessOf(columns[first]!, columns[second]!, order);
  const isUsual = usual.length === 1;
  const isKnown = nearness !== undefined;
  if (isKnown ? !isUsual && between(nearness) : !isUsual) {
    return { reason: 'open and close cannot be told apart' };
  }
  if (isKnown && isUsual && nearness * NEARER < 1) {
    return { reason: 'its columns look like close, high, low and open' };
  }
  const isFirstOpen = isUsual || (nearness ?? 1) > 1;
  const [open, close] = isFirstOpen ? [first, second] : [second, first];
  const volume = volumeOf(columns, bounds.places, prices);
  if (volume === 'several') return { reason: 'several columns may be its volume' };
  const { high, low } = bounds;
  return { columns: { open, high, low, close, ...(volume !== undefined && { volume }) } };
}

function between(nearness: number): boolean {
  return nearness < NEARER && nearness > 1 / NEARER;
}

/** Columns whose numbers are alike in every row. */
function priceColumns(columns: readonly (readonly number[] | undefined)[]): number[] {
  const known = [...columns.keys()].filter((at) => columns[at] !== undefined);
  for (const at of known) {
    const alike = known.filter((other) =>
      columns[at]!.every((number, row) => {
        const ratio = columns[other]![row] / number;
        return ratio < FACTOR_MAX && ratio > 1 / FACTOR_MAX;
      }),
    );
    if (alike.length >= 4) return alike;
  }
  return [];
}

/** The columns that are never below and never above the others, if they are single ones. */
function boundsOf(columns: readonly (readonly number[] | undefined)[], places: readonly number[]) {
  const holds = (at: number, isBound: (a: number, b: number) => boolean) =>
    places.every((other) =>
      columns[at]!.every((value, row) => isBound(value, columns[other]![row])),
    );
  const highs = places.filter((at) => holds(at, (a, b) => a >= b));
  const lows = places.filter((at) => holds(at, (a, b) => a <= b));
  return highs.length === 1 && lows.length === 1
    ? { places, high: highs[0], low: lows[0] }
    : undefined;
}

/** 1 for rising dates, -1 for falling ones, undefined if they do not tell. */
function orderOf(dates: readonly string[]): 1 | -1 | undefined {
  const keys = [/^(\d{4})\D?(\d{2})\D?(\d{2})/, /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})/].flatMap(
    (pattern, form) => {
      const parts = dates.map((text) => pattern.exec(text)?.slice(1).map(Number));
      if (parts.some((part) => part === undefined)) return [];
      const of = ([y, m, d]: number[]) => (y * 100 + m) * 100 + d;
      return form === 0
        ? [parts.map((part) => of(part!))]
        : [
            parts.map((part) => of([part![2], part![0], part![1]])),
            parts.map((part) => of([part![2], part![1], part![0]])),
          ];
    },
  );
  const orders = new Set(keys.map((days) => Math.sign(days[days.length - 1] - days[0])));
  const [order] = orders;
  return orders.size === 1 && order !== 0 ? (order as 1 | -1) : undefined;
}

/** Factor by which `opens` are nearer to the `closes` before them than the other way round. */
function nearnessOf(
  opens: readonly number[],
  closes: readonly number[],
  order: 1 | -1 | undefined,
): number | undefined {
  if (order === undefined || opens.length < 5) return undefined;
  const gaps = (starts: readonly number[], ends: readonly number[]) =>
    starts.reduce((sum, start, row) => sum + Math.abs(start - (ends[row - order] ?? start)), 0);
  const [right, wrong] = [gaps(opens, closes), gaps(closes, opens)];
  return right === wrong ? undefined : wrong / right;
}

/**
 * The column that is no price, if no other may be the volume. Among numbers like the prices, whole
 * ones beside decimal prices are a volume, and others may be an adjusted close.
 */
function volumeOf(
  columns: readonly (readonly number[] | undefined)[],
  places: readonly number[],
  prices: readonly number[],
): number | 'several' | undefined {
  const free = [...columns.keys()].filter(
    (at) => columns[at] !== undefined && !places.includes(at),
  );
  const others = free.filter((at) => !prices.includes(at));
  if (others.length === 0) {
    const isWhole = (at: number) => columns[at]!.every(Number.isInteger);
    if (free.length === 0) return undefined;
    return free.length === 1 && isWhole(free[0]) && !places.every(isWhole) ? free[0] : 'several';
  }
  // Factors of splits are 1 in all rows, dividends and open interest 0.
  const isOfNone = (at: number) =>
    [0, 1].some((none) => columns[at]!.length > 1 && columns[at]!.every((one) => one === none));
  const [first, ...more] = others;
  return more.every(isOfNone) ? first : 'several';
}
