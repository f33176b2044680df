/** Reads the symbol and the length of bars that the name of a data file states. */

import { SymbolFaultError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { isContractName, NUMBERED } from '../../base/symbols/other-kinds.ts';
import { canonicalSymbol, notASymbol, type SymbolForm, symbolOrFault } from '../../base/symbols.ts';
import {
  type BasisWord,
  basisOfWord,
  isBesideTicker,
  isMonthName,
  isNoTicker,
  isPiece,
  PROSE,
  periodOfWord,
  SENTENCE,
  withoutTitle,
} from './file-words.ts';

const KNOWN_ENDING = /\.(csv|txt|tsv|json|jsonl|ndjson|parquet|parq|pq|gz)$/i;

/** Second and later downloads of a browser, and copies of a desktop. */
const COPY = /^Copy of |(?: ?\(\d+\)|~\d| - Copy)$/i;

/** Keys of folders that name a symbol: `symbol=AAPL`. */
const SYMBOL_KEY =
  /^(?:(?:[a-z]+_)?symbols?|tickers?|tic|sym|stock|code|instrument|security|asset|ric)=(.*)$/i;
const PERIOD_KEY = /^(?:interval|timeframe|period|freq|frequency|resolution)=(.*)$/i;
/** Keys of folders that date all rows of their files: `date=2024-01-31`. */
const DAY_KEY = /^(?:date|day|dt|ds|session|trad(?:e|ing)_?(?:date|day))=(.*)$/i;
const DAY_PARTS = [
  /^y(?:ear|yyy)?=(\d{4})$/i,
  /^m(?:onth|m)?=(\d{1,2})$/i,
  /^d(?:ay|d)?=(\d{1,2})$/i,
];
const ANY_KEY = /^[\w-]+=/;

const SEPARATORS = '[\\s_.,()\\[\\]-]+';
const LAST_WORD = new RegExp(`^(.+?)${SEPARATORS}([A-Za-z0-9]+)$`);
const FIRST_WORD = new RegExp(`^([A-Za-z0-9]+)(${SEPARATORS})(.+)$`);

/** Words in capitals that stand before a ticker, whatever is between: `EOD-A`, `NYSE.IBM`. */
const PREFIXES = new Set(['EOD', 'IEX', 'NYSE', 'AMEX', 'ARCA', 'BATS', 'NASDAQ']);

/** Exchanges, which are no tickers, before one: `NASDAQ_ALL` is no history of all of Nasdaq. */
const OF_EXCHANGE = /^(?:NYSE|AMEX|ARCA|BATS|NASDAQ)[_:., -]+([A-Z]{1,5})$/;

/** Our own spelling of a delisted security, or a month of a listed one. */
const MONTH_BEHIND_DOT = /^[A-Z][A-Z.-]*\.(?:19|20)\d\d(?:0[1-9]|1[0-2])$/i;

/** Codes of exchanges that number their shares: `7203.T`, `0700_HK`, `SH600519`. */
const MARKETS =
  'T|TSE|TYO|XTKS|JP|HK|HKG|HKEX|SEHK|XHKG|SS|SH|SHA|SHG|SHSE|SSE|XSHG|SZ|SZSE|SHE|XSHE|TW|TWO|TWSE|TPE|XTAI|KS|KQ|KRX|KOSPI|KOSDAQ|XKRX|KL|KLSE|BO|BSE|SR';
const CODE_FIRST = new RegExp(
  `^(\\d{1,6}(?=\\.)|\\d{4,6})([._ -])(?:${MARKETS})(?![A-Za-z0-9])`,
  'i',
);
const MARKET_FIRST = new RegExp(
  `^(?:${MARKETS.slice(2)})([._: -]?)(\\d{4,6}(?!\\d)|\\d{3}(?![0-9A-Za-z]))`,
  'i',
);
/** Bloomberg's: `7203 JT`, `700 HK Equity`. */
const BLOOMBERG_CODE = /^(?:\d{1,6} [A-Z][A-Z12] Equity|(\d{4,6}) (?:JT|JP|TT|KS|KP|CH|C[12]))$/i;
/** Years, months and numbers of minutes, which stand next to tickers. */
const NO_CODE = /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])?|1440|10080|43200)$/;

/** Spark, DuckDB and warehouses name pieces so, with any id behind the number. */
const NUMBERED_PIECE = /^(?:part|chunk|batch|block|page|shard|data)[-_]?\d/i;
const RANDOM_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{32}/i;

/** Dukascopy's `Candlestick_1_D`, and TradingView's `, 5` and `, 1D`. */
const SPLIT_PERIOD = /(?<=Candlestick_\d+)_(?=[A-Za-z](?:_|$))/;
const MINUTES = /, (\d+)$/;

/** Barchart's older name of a history: `aapl_price-history-03-30-2024`. */
const PRICE_HISTORY = /(?<=^[a-z.^$]+)_price-history(?=-|$)/i;

/** The sheet that a download of Google Sheets is of: `AAPL - Sheet1`. */
const SHEET =
  / - (?:sheet|tabellenblatt|tabelle|feuille|feuil|hoja|foglio|planilha|página|blad|arkusz|лист|シート|工作表|시트) ?\d+$/i;

/** Macrotrends' title before a ticker. */
const MACROTRENDS = /^macrotrends[_ -]data[_ -]download[_ -]/i;

/** Alpha Vantage's name of a file whose columns state both prices. */
const BOTH_PRICES = /(?<=daily|weekly|monthly)_adjusted/i;

interface FileName {
  /** Text between the known words; empty where only words are there. */
  rest: string;
  /** Words cut off. */
  cut: string[];
}

/**
 * Returns the canonical symbol that a data file is named after: `abr_a.us.txt` is ABR.PRA,
 * `AAPL_D.csv` is AAPL. Where the name is only words and numbers, the nearest folder in capitals
 * names it: `AAA/2024.csv`. A folder `symbol=AAA` decides before both.
 *
 * @param name File name or path. Known endings and copies' numbers are cut off. With `.us` at the
 *   end, or form `stooq`, the rest is Stooq's spelling; else `_D` and its like are lengths of bars.
 * @throws {ParameterError} `symbol`: the name is not a ticker. `AAPL.201512.csv` is refused: it is
 *   more likely a month of AAPL than a security delisted in that month.
 */
export function symbolFromFileName(name: string, form: SymbolForm = 'files'): string {
  const folders = name.split(/[/\\]/);
  const file = folders.pop() ?? '';
  const stem = stemOf(file);
  const keyed = keyedValue([...folders, stem], SYMBOL_KEY);
  if (keyed !== undefined) return canonicalSymbol(keyed);
  if (isContractName(file)) throw notASymbol('symbol', stem);
  if (form === 'stooq' || /\.us$/i.test(stem)) return listedSymbol(stem, 'stooq');
  if (MONTH_BEHIND_DOT.test(stem)) throw notASymbol('symbol', stem);
  refuseCodes(stem);
  const { rest, cut } = partsOf(stem, folders);
  if (rest === '') return symbolOfFolder(folders, stem);
  if (cut.length === 0) refusePeriodInFolder(rest, folders);
  refuseNames(rest, cut, stem);
  return listedSymbol(rest, form);
}

/**
 * Returns the length of bars that a file's name states: `1d`, `1w`, `1mo`, `5m`, `1h`; undefined
 * where it states none, or two.
 */
export function periodFromFileName(name: string): string | undefined {
  const folders = name.split(/[/\\]/);
  const stem = stemOf(folders.pop() ?? '');
  const keyed = keyedValue(folders, PERIOD_KEY);
  if (keyed !== undefined) return periodOfWord(keyed) || undefined;
  if (/\.us$/i.test(stem)) return undefined;
  const minutes = MINUTES.exec(stem)?.[1];
  if (minutes !== undefined)
    return Number(minutes) % 60 ? `${minutes}m` : `${Number(minutes) / 60}h`;
  const { rest, cut } = partsOf(stem, folders);
  const isOfYear = cut.some((word) => /^(?:19|20)\d\d$/.test(word));
  const words = (rest === '' && cut.length === 0 ? [stem] : cut).filter(
    (word) => !(isOfYear && /^[hm]\d+$/i.test(word)),
  );
  const periods = new Set(words.map(periodOfWord).filter(Boolean));
  return periods.size === 1 ? [...periods][0] : undefined;
}

/**
 * Returns the day that folders state, as writers of datasets leave it out of their files:
 * `date=2024-01-31`, or `year=2024/month=1/day=31`; else that which is the whole name of a CSV.
 */
export function dayFromFolders(name: string): string | undefined {
  const folders = name.split(/[/\\]/);
  const file = folders.pop() ?? '';
  const ofFile = FILE_OF_DAY.exec(file)?.slice(1).join('-');
  if (!name.includes('=')) return ofFile;
  const parts = DAY_PARTS.map((key) => keyedValue(folders, key));
  const whole = keyedValue(folders, DAY_KEY);
  const text = parts.includes(undefined)
    ? whole
    : parts.map((part) => part!.padStart(2, '0')).join('-');
  const [, year, month, day] = DAY.exec(text ?? '') ?? [];
  return day === undefined ? ofFile : `${year}-${month}-${day}`;
}

const FILE_OF_DAY = /^((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?([0-2]\d|3[01])\.(?:csv|tsv|txt)\b/i;

/** A day, also as a midnight, which frames of pandas have. */
const DAY = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]00:00:00(?:\.0+)?)?(?:Z|\+00:00)?$/;

/** Returns what a file's name says of its prices: `AAPL_raw.csv`, `yf-adj-AAPL.csv`. */
export function basisWordOfFileName(name: string): BasisWord | undefined {
  const folders = name.split(/[/\\]/);
  const { cut } = partsOf(stemOf(folders.pop() ?? ''), folders);
  const stated = new Set(cut.map(basisOfWord).filter((basis) => basis !== undefined));
  const [basis, ...others] = stated;
  if (others.length > 0) return undefined;
  if (basis !== 'adjusted') return basis;
  // `prices-split-adjusted` is of splits alone; dividends are taken out with the splits.
  if (cut.some((word) => /^div(?:idend)?s?$/i.test(word))) return 'all';
  return cut.some((word) => /^splits?$/i.test(word)) ? 'split' : basis;
}

/** Returns true if a name numbers a piece of a larger whole: `2024.csv`, `part-0.parquet`. */
export function isNameOfPiece(name: string): boolean {
  const stem = stemOf(name.split(/[/\\]/).pop() ?? '');
  const { rest, cut } = partsOf(stem, []);
  return rest === '' && (cut.length === 0 || cut.some(isPiece));
}

function stemOf(file: string): string {
  let stem = file;
  while (KNOWN_ENDING.test(stem)) stem = stem.replace(KNOWN_ENDING, '');
  while (COPY.test(stem)) stem = stem.replace(COPY, '');
  // Brokers of MetaTrader mark shares so: `#AAPL`.
  stem = stem.replace(/^#/, '');
  return [SPLIT_PERIOD, BOTH_PRICES, PRICE_HISTORY, SHEET, MACROTRENDS]
    .reduce((text, part) => text.replace(part, ''), stem)
    .trim();
}

/** The value of the innermost folder `key=value`, as a URL encodes it. */
function keyedValue(parts: readonly string[], key: RegExp): string | undefined {
  const value = parts.findLast((part) => key.test(part))?.replace(key, '$1');
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Cuts known words off both ends, the last one first, until a ticker or nothing is left. */
function partsOf(stem: string, folders: readonly string[]): FileName {
  if (NUMBERED_PIECE.test(stem) || RANDOM_ID.test(stem)) return { rest: '', cut: [] };
  const untitled = withoutTitle(stem);
  const cut = untitled === undefined ? [] : ['history'];
  let rest = untitled ?? stem;
  for (;;) {
    const listed = OF_EXCHANGE.exec(rest)?.[1];
    if (listed !== undefined && !isNoTicker(listed)) {
      return { rest: listed, cut: [...cut, rest.slice(0, -listed.length)] };
    }
    const [, before, last] = LAST_WORD.exec(rest) ?? [];
    if (last !== undefined && isBesideTicker(last)) {
      cut.push(last);
      rest = before;
      continue;
    }
    const [, first, mark, after] = FIRST_WORD.exec(rest) ?? [];
    if (first === undefined || !isPrefix(first, mark, after)) break;
    cut.push(first);
    rest = after;
  }
  if (!isNoTicker(rest) && !isMonthOfYear(rest, folders)) return { rest, cut };
  return { rest: '', cut: [...cut, rest] };
}

/** A word in capitals may be a root with a suffix behind it: `OUT-WS`, but not `CBOE_SPX`. */
function isPrefix(word: string, mark: string, after: string): boolean {
  if (word.length === 1 || !isBesideTicker(word)) return false;
  if (word !== word.toUpperCase() || isNoTicker(word) || PREFIXES.has(word)) return true;
  return word.length > 5 || (/[_ ]/.test(mark) && after.length > 1);
}

function isMonthOfYear(stem: string, folders: readonly string[]): boolean {
  return isMonthName(stem) && folders.some((folder) => /^(?:19|20)\d\d$/.test(folder));
}

/** Refuses shares that exchanges number: cut off, their code would leave the exchange as a ticker. */
function refuseCodes(stem: string): void {
  const [, code, mark] = CODE_FIRST.exec(stem) ?? [];
  const [, , behind] = MARKET_FIRST.exec(stem) ?? [];
  // `2024.T` is a code, and `2024_T` a year of T.
  const isCode = code !== undefined && (mark === '.' || !NO_CODE.test(code));
  const [bloombergs, number = ''] = BLOOMBERG_CODE.exec(stem) ?? [];
  const isBloombergs = bloombergs !== undefined && !NO_CODE.test(number);
  if (!isCode && !isBloombergs && (behind === undefined || NO_CODE.test(behind))) return;
  throw new SymbolFaultError(
    'symbol',
    NUMBERED,
    `symbol must be a ticker, and ${quoted(stem)} ${NUMBERED}`,
  );
}

/** Refuses companies, indices and sentences: `Apple_Daily`, `sp500-2000`, `my bars`. */
function refuseNames(rest: string, cut: readonly string[], stem: string): void {
  if (cut.length === 0) return;
  const isSmall = rest === rest.toLowerCase();
  const isProse = / /.test(stem) || cut.some((word) => PROSE.has(word.toLowerCase()));
  const isSentence = isSmall && (isProse || SENTENCE.has(rest));
  if (isSentence || /^[A-Z][a-z]+$|\d/.test(rest)) throw notASymbol('symbol', stem);
}

function listedSymbol(stem: string, form: SymbolForm): string {
  const symbol = canonicalSymbol(stem.replace(/\.us$/i, ''), form);
  if (/\.\d{6}$/.test(symbol)) throw notASymbol('symbol', stem);
  return symbol;
}

function symbolOfFolder(folders: readonly string[], stem: string): string {
  const symbol = folderSymbol(folders);
  if (symbol !== undefined) return symbol;
  const predicate = 'is a number or a common word, and no ticker';
  const message = `symbol must be a ticker, and ${quoted(stem)} ${predicate}`;
  throw new SymbolFaultError('symbol', predicate, message);
}

/**
 * Returns the symbols of names that stand in the folders of several tickers: JAN of `AAA/JAN.csv`
 * beside `BBB/JAN.csv`. Nothing tells if the folder or the file names the symbol.
 */
export function namesInSeveralFolders(names: readonly string[]): Map<string, string> {
  const folderOf = (name: string) => folderSymbol(name.split(/[/\\]/).slice(0, -1));
  const byStem = Map.groupBy(names.filter(folderOf), (name) =>
    stemOf(name.split(/[/\\]/).pop() ?? ''),
  );
  const repeated = [...byStem.values()].filter((alike) => new Set(alike.map(folderOf)).size > 1);
  return new Map(
    repeated.flat().flatMap((name) => {
      const found = symbolOrFault(() => symbolFromFileName(name.split(/[/\\]/).pop() ?? ''));
      return 'symbol' in found ? [[name, found.symbol] as const] : [];
    }),
  );
}

/** The nearest folder in capitals that is no word and no number. */
function folderSymbol(folders: readonly string[]): string | undefined {
  const named = folders.findLast((folder) => {
    return !ANY_KEY.test(folder) && !isBesideTicker(folder) && partsOf(folder, []).rest !== '';
  });
  const { rest } = partsOf(named ?? '', []);
  if (!/^[A-Z]{1,5}(?![A-Za-z0-9])/.test(rest)) return undefined;
  const found = symbolOrFault(() => listedSymbol(rest, 'files'));
  return 'symbol' in found ? found.symbol : undefined;
}

/** Refuses `AAPL/D.csv`: daily bars of AAPL, or bars of D. */
function refusePeriodInFolder(rest: string, folders: readonly string[]): void {
  if (periodOfWord(rest) === undefined) return;
  const symbol = folderSymbol(folders);
  if (symbol === undefined || symbol.length === 1 || symbol === rest.toUpperCase()) return;
  const predicate = `may be bars of ${symbol}, its folder, or of ${rest}`;
  const message = `symbol must name one security, and ${quoted(rest)} ${predicate}`;
  throw new SymbolFaultError('symbol', predicate, message);
}
