/** Which column of a file is what, by the names that vendors give them. */

/** What a column means to us. */
export type ColumnRole =
  | 'date'
  | 'open'
  | 'high'
  | 'low'
  | 'close'
  | 'volume'
  | 'symbol'
  | 'ticker'
  | 'period'
  | 'dividend'
  | 'capitalGain'
  | 'split';

/** Positions in the header, by role. */
export type CandleColumns = Partial<Record<ColumnRole, number>>;

/**
 * Known names by role, the preferred one first; compared without case, blanks and punctuation,
 * so that `Adj Close*`, `adj_close` and `AdjClose` are one. `<TICKER>` and `<PER>` are Stooq's.
 */
const NAMES: Record<ColumnRole, readonly string[]> = {
  date: ['date', 'datetime', 'timestamp', 'day', 'time', 'epoch', 't'],
  open: ['open', 'openprice', 'o'],
  high: ['high', 'highprice', 'h'],
  low: ['low', 'lowprice', 'l'],
  close: ['close', 'closeprice', 'closelast', 'last', 'c'],
  volume: ['volume', 'vol', 'v'],
  symbol: ['symbol', 'ticker', 'stock', 'name'],
  ticker: ['<ticker>'],
  period: ['<per>'],
  dividend: ['dividends', 'dividend', 'exdividend', 'divcash', 'dividendamount'],
  capitalGain: ['capitalgains'],
  split: ['stocksplits', 'splitratio', 'splitfactor', 'splitcoefficient'],
};

const REQUIRED = ['date', 'open', 'high', 'low', 'close'] as const;

/** `Adj Close*` → `adjclose`; `<TICKER>` keeps its brackets, which only Stooq writes. */
export function plainName(header: string): string {
  const name = header.toLowerCase();
  return name === '<ticker>' || name === '<per>' ? name : name.replace(/[^a-z0-9]/g, '');
}

/**
 * Maps a header.
 *
 * @returns the columns, or the reason why these are not candles.
 */
export function candleColumnsFromHeader(
  header: readonly string[],
): { columns: CandleColumns } | { reason: string } {
  const names = header.map(plainName);
  const columns: CandleColumns = {};
  for (const [role, known] of Object.entries(NAMES) as [ColumnRole, string[]][]) {
    const name = known.find((candidate) => names.includes(candidate));
    if (name === undefined) continue;
    columns[role] = names.indexOf(name);
    if (names.lastIndexOf(name) !== names.indexOf(name)) {
      return { reason: `two columns are named "${header[names.indexOf(name)]}"` };
    }
  }
  const missing = REQUIRED.filter((role) => columns[role] === undefined);
  if (missing.length === 0) return { columns };
  if (missing.length === REQUIRED.length) {
    return { reason: 'no header is recognised; a header is like: date,open,high,low,close,volume' };
  }
  return { reason: `the header has no column for ${missing.join(', ')}` };
}
