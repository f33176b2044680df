/** Finds the columns of a file by the names that vendors give them. */

import { adviceOfColumns } from '../../base/datasets/of-columns.ts';
import { limits } from '../../base/limits.ts';
import type { Reading } from '../contract/reading.ts';
import { DATE_NAMES, onePrice } from '../shapes/fields.ts';
import { rolesOf } from '../shapes/investing.ts';
import { adviceOfWideNames, symbolsOfCloses } from '../shapes/wide-names.ts';
import { volumeColumns } from '../values/volume-columns.ts';

export type ColumnRole =
  | 'date'
  | 'day'
  | 'time'
  | 'open'
  | 'high'
  | 'low'
  | 'close'
  | 'volume'
  | 'moreVolume'
  | 'symbol'
  | 'ticker'
  | 'period'
  | 'message'
  | 'dividend'
  | 'capitalGain'
  | 'split'
  | 'adjustedClose'
  | 'adjustment';

/** Positions in the header, by role. */
export type CandleColumns = Partial<Record<ColumnRole, number>>;

export const STOOQ_PERIOD = '<per>';
/** Plain names of columns that state a time zone. */
export const ZONE_NAME = /zone$|^tz$/;

/** Name of a first column without one: the index of a data frame. */
const UNNAMED = '(unnamed)';

/** Roles whose columns are not found by one list of names. */
type FoundRole = 'message' | 'day' | 'symbol' | 'volume' | 'moreVolume';

/** Known names by role, best first; case and punctuation do not count (`plainName`). */
const NAMES: Record<Exclude<ColumnRole, FoundRole>, readonly string[]> = {
  date: [
    ...DATE_NAMES,
    // Names that pandas gives to an index without a name.
    ...['indexlevel0', 'unnamed0', 'index', 'level0', UNNAMED],
  ],
  // Time of day, if the date has a column of its own.
  time: [
    ...['time', 'hhmm', 'hhmmss', 'tradetime', 'tradingtime', 'bartime', 'timeofday', 'tod'],
    ...['clock', 'clocktime', 'minute', 'timebarstart'],
    // In German, French, Spanish, Italian and Polish.
    ...['zeit', 'uhrzeit', 'heure', 'hora', 'ora', 'godzina', 'czas'],
  ],
  // `Price Open` is Refinitiv's and yfR's, `PX_OPEN` Bloomberg's; then CRSP's two and Compustat's,
  // and those of LSEG's data library, which writes `OPEN_PRC` as CRSP does.
  // `FirstTradePrice` is AlgoSeek's.
  open: [
    ...['open', 'openprice', 'priceopen', 'pxopen', 'o', 'dlyopen', 'openprc', 'prcod'],
    ...['openingprice', 'firsttradeprice', 'firstprice'],
  ],
  high: [
    ...['high', 'highprice', 'pricehigh', 'pxhigh', 'h', 'dlyhigh', 'askhi', 'prchd', 'high1'],
    ...['highestprice', 'hightradeprice'],
  ],
  low: [
    ...['low', 'lowprice', 'pricelow', 'pxlow', 'l', 'dlylow', 'bidlo', 'prcld', 'low1'],
    ...['lowestprice', 'lowtradeprice'],
  ],
  // `Latest` is Barchart's, `Price` that of Investing.com.
  close: [
    ...['close', 'closeprice', 'priceclose', 'closelast', 'last', 'latest', 'price', 'pxlast', 'c'],
    ...['dlyclose', 'prc', 'prccd', 'trdprc1', 'closingprice', 'lasttradeprice', 'lastprice'],
  ],
  ticker: ['<ticker>'],
  period: [
    ...[STOOQ_PERIOD, 'interval', 'period', 'timeframe', 'resolution', 'granularity'],
    ...['frequency', 'freq', 'barsize', 'timespan', 'periodicity', 'tf', 'aggregation'],
  ],
  dividend: [
    ...['dividends', 'dividend', 'exdividend', 'divcash', 'dividendamount'],
    ...['cashdividend', 'cashdividends'],
  ],
  capitalGain: ['capitalgains'],
  split: [
    ...['stocksplits', 'splitratio', 'splitfactor', 'splitcoefficient', 'split'],
    ...['splits', 'stocksplit'],
  ],
  adjustedClose: ['adjclose'],
  // Column of this program's own exports: the basis of each row.
  adjustment: ['adjustment'],
};

/** Alpaca's stream of messages. Names have one letter, and some differ in case only. */
const STREAM_NAMES: CandleColumnNames = {
  message: 'T',
  symbol: 'S',
  date: 't',
  open: 'o',
  high: 'h',
  low: 'l',
  close: 'c',
  volume: 'v',
};

/** Messages that are bars: a minute's bar, and a later correction of one. */
export const BAR_MESSAGES: readonly string[] = ['b', 'u'];

type CandleColumnNames = Partial<Record<ColumnRole, string>>;

const PRICES = ['open', 'high', 'low', 'close'] as const;
const REQUIRED = ['date', ...PRICES] as const;

/** Plain names of the headers that were seen: files of one kind follow one another. */
const plainNames = new Map<string, string>();

/** `Adj Close*` → `adjclose`; `<TICKER>` keeps its brackets, which only Stooq writes. */
export function plainName(header: string): string {
  const known = plainNames.get(header);
  if (known !== undefined) return known;
  if (plainNames.size >= limits.ingest.columnsMax) plainNames.clear();
  const name = withoutMarks(header);
  plainNames.set(header, name);
  return name;
}

function withoutMarks(header: string): string {
  const name = header.toLowerCase();
  if (name === '<ticker>' || name === STOOQ_PERIOD) return name;
  // Alpha Vantage numbers its names: `1. open`. Tables copied from Yahoo's page explain theirs.
  return name
    .replace(/^\d+\. /, '')
    .replace(/(?:adjusted close|close) price adjusted for .*$/, '')
    .replace(/[^a-z0-9]/g, '')
    .replace(IN_DOLLARS, '$1');
}

/** `open_usd`, `Close (USD)`: prices are in US dollars. */
const IN_DOLLARS = /^((?:open|high|low|close|last|adjclose)(?:price)?)(?:in)?us(?:d|dollars?)$/;

/** Known layouts that are not read, by their names. */
const FOREIGN: readonly { looks: readonly RegExp[]; reason: string }[] = [
  {
    looks: [/^(variable|field|metric|measure|attribute)(name)?$/, /^value$/],
    reason:
      'it has a row for each field of a bar, and a bar is one row with open, high, low and close: turn it, in pandas with pivot(index=["Date", "Ticker"], columns="variable", values="value")',
  },
  {
    looks: [/^timekey$/, /^code$/],
    reason:
      'it is an export of moomoo (Futu), which states neither how its prices are adjusted nor a US ticker alone: name the column time_key "date", write "US.AAPL" as "AAPL", and say with --basis raw|split|all what autype was (QFQ is all)',
  },
];

/** A date and one other column, as FRED writes a series. */
const ONE_VALUE =
  'it has one value a date, and a bar needs open, high, low and close: for a column of your own in screens, add a column "symbol", name the value "value", and load it with: backfill files values';

/** Names of a bid's and an ask's prices: `bid_open`, `closeAsk`, `Bid`. */
const QUOTED = /^(?:bid|ask)(?:price|open|high|low|close)?$|^(?:open|high|low|close)(?:bid|ask)$/;

const QUOTES =
  'it has bids and asks and no prices of trades, of which bars are made: export trades';

/** Names of prices in the hundredth part of a currency: `open_cents`, `Close (p)`. */
const IN_PARTS =
  /^(?:open|high|low|close)(?:price)?(?:in)?(cents?|pence|pennies|p|gbx|gbp|zac|ila|minor|x100)$/;

/** Returns why names of prices state another unit than dollars; `GBp` is pence. */
function unitFault(header: readonly string[], names: readonly string[]): string | undefined {
  const at = names.findIndex((name) => IN_PARTS.test(name));
  if (at === -1 || REQUIRED.every((role) => role === 'date' || names.includes(role))) return;
  return `its column "${header[at]}" is not in US dollars by its name: write dollars, in columns open, high, low and close`;
}

export interface HeaderColumns {
  columns: CandleColumns;
  /** Notes of the report about the columns. */
  notes?: string[];
}

/**
 * Returns the positions of columns that may have timestamps: those with a known name of dates, then
 * those without a role whose name speaks of a time, such as `local_time`.
 */
export function stampColumns(header: readonly string[], columns: CandleColumns): number[] {
  const used = new Set(Object.values(columns));
  const isNamed = (at: number) => NAMES.date.includes(plainName(header[at]));
  const isOfTime = (at: number) => !used.has(at) && /time|stamp/.test(plainName(header[at]));
  const places = [...header.keys()];
  return [...places.filter(isNamed), ...places.filter((at) => !isNamed(at) && isOfTime(at))];
}

/** Names of stamps, and of other columns, of vendors that stamp the start of a bar. */
const START_NAMES =
  /^(?:windowstart|tsevent|beginsat|t|adjustment|timebarstart|timeleft|(?:bar)?start(?:time)?|barcount|<?tickvol>?|gmtoffset|tradecount|transactions)$/;

/** The columns of our own layout, whose timestamps mark the start. */
const OWN_NAMES = ['symbol', 'timestamp', 'open', 'high', 'low', 'close', 'volume'].sort().join();

/** The answer about stamps, where names of columns or the kind of message tell it. */
export function statedStamps(header: readonly string[]): Reading['stamps'] {
  if (header.toSorted().join() === OWN_NAMES) {
    const fact = 'its columns are those of our own layout, which has the start';
    return { value: false, words: 'stamps at the start of a bar', facts: [fact] };
  }
  const name = header.find((own) => START_NAMES.test(plainName(own)));
  if (name === undefined) return undefined;
  const fact = `its vendor, known by the column "${name}", writes the start`;
  return { value: false, words: 'stamps at the start of a bar', facts: [fact] };
}

const CLOSES_ALONE =
  'the header has no column for open, high, low: a bar has four prices, and with the close in place of the others its range would be 0; save all four, in pandas the whole frame and not its column "Close"';

/** @returns the columns, or the reason why these are not candles. */
export function candleColumnsFromHeader(
  header: readonly string[],
): HeaderColumns | { reason: string } {
  const key = JSON.stringify(header);
  if (lastHeader?.key !== key) lastHeader = { key, found: columnsOfHeader(header) };
  const { found } = lastHeader;
  if ('reason' in found) return found;
  return { columns: { ...found.columns }, ...(found.notes && { notes: [...found.notes] }) };
}

/** The header before: files of one kind follow one another. */
let lastHeader: { key: string; found: ReturnType<typeof columnsOfHeader> } | undefined;

function columnsOfHeader(header: readonly string[]): HeaderColumns | { reason: string } {
  const isStream = ['T', 'S', 't'].every((name) => header.includes(name));
  return isStream ? streamColumns(header) : namedColumns(header);
}

function streamColumns(header: readonly string[]): { columns: CandleColumns } | { reason: string } {
  const names = Object.entries(STREAM_NAMES) as [ColumnRole, string][];
  if (names.some(([, name]) => !header.includes(name))) {
    return { reason: 'none of its messages is a bar' };
  }
  return {
    columns: Object.fromEntries(names.map(([role, name]) => [role, header.indexOf(name)])),
  };
}

/** A file that `gaps --flags --fix` wrote: its bars are the stored ones. */
const REPAIRS = 'it has repairs of bars: load it with npx tapeworks repair --file FILE';

/** Adds the columns of JSON and Parquet whose names are words of other languages; CSV is translated. */
function addWords(header: readonly string[], columns: CandleColumns): void {
  if (REQUIRED.every((role) => columns[role] !== undefined)) return;
  for (const [word, at] of Object.entries(rolesOf(header) ?? {})) {
    columns[word.toLowerCase() as ColumnRole] = at;
  }
}

function namedColumns(header: readonly string[]): HeaderColumns | { reason: string } {
  if (header.includes('new_close')) return { reason: REPAIRS };
  const names = header.map((name, at) => (at === 0 && name === '' ? UNNAMED : plainName(name)));
  const columns: CandleColumns = {};
  for (const [role, known] of Object.entries(NAMES) as [ColumnRole, string[]][]) {
    const name = known.find((candidate) => names.includes(candidate));
    if (name === undefined) continue;
    columns[role] = names.indexOf(name);
    if (names.lastIndexOf(name) !== names.indexOf(name)) {
      return { reason: `two columns are named "${header[names.indexOf(name)]}"` };
    }
  }
  const volume = volumeColumns(names, header);
  if ('reason' in volume) return volume;
  const [at, more] = volume.at;
  if (at !== undefined) columns.volume = at;
  if (more !== undefined) columns.moreVolume = more;
  addWords(header, columns);
  // A minute beside an hour is a part of the time, which is not read.
  const isPart =
    columns.time !== undefined && names[columns.time] === 'minute' && names.includes('hour');
  if (columns.time === columns.date || isPart) delete columns.time;
  if (columns.period === columns.date) delete columns.period;
  // Only these vendors write all digits, so that factors follow from the column.
  if (!names.includes('adjopen') && columns.capitalGain === undefined) delete columns.adjustedClose;
  const known = FOREIGN.find(({ looks }) => looks.every((look) => names.some((n) => look.test(n))));
  if (known !== undefined) return { reason: known.reason };
  const missing = REQUIRED.filter((role) => columns[role] === undefined);
  const unit = unitFault(header, names);
  if (unit !== undefined) return { reason: unit };
  const hasPrices = PRICES.some((role) => columns[role] !== undefined);
  if (!hasPrices && names.some((name) => QUOTED.test(name))) return { reason: QUOTES };
  if (missing.length === 0) {
    // A word of another language may have named the volume.
    const note = columns.volume === undefined ? volume.note : undefined;
    return { columns, ...(note && { notes: [note] }) };
  }
  const adjusted = names.findIndex((name) =>
    /^(?:split)?adj(?:usted)?open$|^open(?:split)?adj(?:usted)?$/.test(name),
  );
  if (missing.includes('open') && adjusted >= 0) {
    const reason = `its prices are adjusted ("${header[adjusted]}"): name them open, high, low and close, and say what for with --basis split or --basis all`;
    return { reason };
  }
  if (missing.join() === 'open,high,low') return { reason: CLOSES_ALONE };
  const closes = symbolsOfCloses(header);
  if (closes !== undefined) return { reason: onePrice(closes) };
  const ofOthers = adviceOfColumns(header, 'candles');
  const isSeries = header.length === 2 && names[0].endsWith('date');
  if (isSeries && ofOthers === '') return { reason: ONE_VALUE };
  const advice = adviceOfWideNames(header) || ofOthers;
  if (missing.length === REQUIRED.length) {
    const example = advice || 'a header is like: date,open,high,low,close,volume';
    return { reason: `no header is recognised; ${example}` };
  }
  const reason = `the header has no column for ${missing.join(', ')}`;
  return { reason: advice === '' ? reason : `${reason}; ${advice}` };
}
