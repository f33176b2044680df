/** Fields of a bar, by the names that tools give them in headers of several symbols and in bodies. */

export const PRICE_FIELDS = ['open', 'high', 'low', 'close'] as const;

/** Names of dates and timestamps, best first, in small letters and digits. */
export const DATE_NAMES: readonly string[] = [
  ...['date', 'datetime', 'timestamp', 'tradedate', 'tradingdate', 'refdate', 'dtyyyymmdd'],
  ...['day', 'time', 'epoch', 'windowstart', 't', 'tsevent', 'ts', 'beginsat'],
  // AmiBroker's, and those of CRSP and Compustat.
  ...['dateymd', 'dlycaldt', 'datadate'],
  ...[
    'dates',
    'pricingdate',
    'pricedate',
    'quotedate',
    'marketdate',
    'businessdate',
    'sessiondate',
  ],
  ...['asofdate', 'tradingday', 'tradeday', 'bardate', 'starttime', 'period'],
  // Quantower's `Time left`, Questrade's `start`, and one of Sina.
  ...['reportdate', 'barstart', 'timeleft', 'start', 'd'],
];

/** Returns true if the text names dates or timestamps. */
export function isDateName(text: string): boolean {
  return DATE_NAMES.includes(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

const FIELDS = new Set<string>([
  ...PRICE_FIELDS,
  'adjclose',
  'adjusted',
  'adjustedclose',
  'volume',
  'dividends',
  'stocksplits',
  'capitalgains',
  'repaired',
  'vwap',
  'tradecount',
  // Those of Eikon's `get_timeseries`, and of Interactive Brokers.
  'count',
  'average',
  'barcount',
]);

/** `Adj Close` → `adjclose`; Bloomberg's `PX_OPEN` → `open`. */
function plain(text: string): string {
  const name = text.toLowerCase().replace(/[^a-z]/g, '');
  return name === 'pxlast' ? 'close' : name.replace(/^px(?=(?:open|high|low|volume)$)/, '');
}

/** Returns true if the text names a field of a bar, or the given one. */
export function isField(text: string, name?: string): boolean {
  return name === undefined ? FIELDS.has(plain(text)) : plain(text) === name;
}

/** Returns true for the name of an adjusted close beside the close: `Adj Close`, `ABC.Adjusted`. */
export function isAdjustedClose(text: string): boolean {
  return /^adj(?:usted)?(?:close)?$/.test(plain(text));
}

/** Reason of a refusal: a table with a column a symbol has one price of each. */
export function onePrice(symbols: readonly string[]): string {
  const names = [...new Set(symbols)];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
  return `it is a wide table of one price a symbol (${shown}): a bar needs open, high, low and close, so save all of them, in columns such as ${names[0]}_Open, ${names[0]}_High, ${names[0]}_Low and ${names[0]}_Close`;
}
