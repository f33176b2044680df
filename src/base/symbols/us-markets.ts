/**
 * Names and codes of US markets, and of the country, which vendors write before or behind a ticker.
 * None of those with a dot before the ticker is a ticker itself.
 */

const NAMES = ['NASDAQ', 'NYSE', 'ARCA', 'AMEX', 'BATS'];
/** Market identifier codes of ISO 10383. */
const MICS = ['XNAS', 'XNGS', 'XNMS', 'XNCM', 'XNYS', 'ARCX', 'XASE', 'IEXG'];
/** Bloomberg's codes: `US` of all markets, and one for each. */
const BLOOMBERG = ['US', 'UA', 'UF', 'UN', 'UP', 'UQ', 'UR', 'UV', 'UW'];
const OVER_THE_COUNTER = ['OTC', 'PINK', 'PINX', 'OTCM'];
const COUNTRY = ['US', 'USA'];

/**
 * Market before a ticker, by the sign between: `NASDAQ:AAPL` (TradingView, Google, Capital IQ),
 * `XNAS:AAPL` (Morningstar), `US.AAPL` (Futu).
 */
export const MARKETS_BEFORE = {
  ':': [
    ...[...NAMES, ...MICS, ...OVER_THE_COUNTER, ...COUNTRY],
    ...[
      'NASDAQGS',
      'NASDAQGM',
      'NASDAQCM',
      'NASD',
      'NAS',
      'NYS',
      'CBOE',
      'IEX',
      'OTCMKTS',
      'OTCQB',
    ],
    ...['OTCQX', 'NYSEARCA', 'NYSE ARCA', 'NYSEAMERICAN', 'NYSE AMERICAN', 'NYSEMKT', 'NYSE MKT'],
  ],
  '.': [...NAMES, ...MICS, 'US'],
} as const satisfies Record<string, readonly string[]>;

/**
 * Market behind a ticker, by the sign between: `AAPL.US` (Stooq, EODHD), `AAPL.XNAS` (Databento and
 * others that use MICs), `AAPL.NAS` (brokers of MetaTrader), `AAPL US Equity` (Bloomberg), `AAPL:US`
 * (its site), `AAPL:XNAS` (Saxo), `AAPL-US` (FactSet), `AAPL_US_EQ` (Trading 212), `AAPL@SMART`
 * (Interactive Brokers).
 */
export const MARKETS_BEHIND = {
  '.': [...NAMES, ...MICS, ...OVER_THE_COUNTER, ...COUNTRY, 'NAS', 'NYS'],
  ':': [...NAMES, ...MICS, ...BLOOMBERG],
  ' ': [...NAMES, ...BLOOMBERG, ...BLOOMBERG.map((code) => `${code} EQUITY`)],
  '@': [...NAMES, ...MICS, 'SMART', 'ISLAND', 'US'],
  '-': ['US'],
  _: ['US', 'US_EQ', ...MICS, ...NAMES],
  '/': ['US'],
} as const satisfies Record<string, readonly string[]>;

function patternOf(table: Record<string, readonly string[]>, isBefore: boolean): string {
  return Object.entries(table)
    .map(([sign, codes]) => {
      const [mark, any] = [sign.replace(/[./]/, '\\$&'), `(?:${codes.join('|')})`];
      return isBefore ? any + mark : mark + any;
    })
    .join('|');
}

/** Finds the market behind a ticker in capitals. */
export const MARKET_BEHIND = new RegExp(`(?<=.)(?:${patternOf(MARKETS_BEHIND, false)})$`);

/** Finds the market before a ticker, and the sign that marks one in messages: `$AAPL`. */
export const MARKET_BEFORE = new RegExp(
  `^(?:\\$|${patternOf(MARKETS_BEFORE, true)})(?=[A-Z])`,
  'i',
);
