/**
 * Recognises what Tapeworks does not hold by the spellings of the large vendors: cryptocurrencies,
 * currencies, indices, futures, options, and securities of exchanges outside of the United States.
 * Without this, `BTC-USD` would be read as class USD of a stock BTC.
 */

import { EXCHANGE_PLACES } from './exchange-suffixes.ts';
import { isTestIssue } from './test-issues.ts';

/** Currencies and metals by their ISO 4217 codes. */
const CURRENCIES = new Set(
  (
    'AED ARS AUD BRL CAD CHF CLP CNH CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR ' +
    'NOK NZD PEN PHP PLN RON RUB SAR SEK SGD THB TRY TWD USD VND XAG XAU XPD XPT ZAR'
  ).split(' '),
);

/** Parts of a currency that exchanges quote in, such as pence. */
const PARTS = new Set(['GBX', 'ILA', 'ZAC']);

/** Returns true for the code of a currency or of its hundredth part, in any case. */
export function isCurrency(text: string): boolean {
  const code = text.toUpperCase();
  return CURRENCIES.has(code) || PARTS.has(code);
}

/** Coins that vendors quote in: `ETH-BTC`, `SOL/USDT`. */
const QUOTE_COINS = new Set(['BTC', 'ETH', 'USDC', 'USDT']);

/** Coins whose pairs are also written without a separator: `BTCUSD`. */
const COINS = new Set(
  'ADA AVAX BCH BNB BTC DOGE DOT ETC ETH LINK LTC MATIC SHIB SOL TRX UNI XBT XLM XMR XRP'.split(
    ' ',
  ),
);

const CRYPTO = 'is a cryptocurrency';
const CURRENCY = 'is a currency pair';
const FUTURE = 'is a future';
const INDEX = 'is an index';
const OPTION = 'is an option';
/** Codes that exchanges of Asia number. Cut off, a code would leave its exchange as a ticker. */
export const NUMBERED = 'is numbered by an exchange of another country';

/** Roots of futures on exchanges of the United States and Europe. */
const FUTURES =
  '2YY|6[ABCEJLMNSZ]|BFF?|BTC|BZ|CC|CL|CT|DC|DX|E7|EMD|ES|ETH|FDAX|FDXM|FESX|FGBL|GC|GE|GF|HE|HG|HO|' +
  'J7|KC|KE|LBR|LE|LBS|M2K|M6[AEB]|MBT|MCL|MES|MET|MGC|MHG|MNQ|MYM|NG|NKD|NQ|OJ|PA|PL|QG|QM|RB|RTY|' +
  'SB|SI|SIL|SR[13]|TF|TN|UB|VX|VXM|YM|Z[BCFLMNOQRSTW]';

/** `ESZ24`, `CLF2025`; TradingView's `ES1!`, TradeStation's `@ES`, Finviz's `ES_F`. */
const CONTRACT = new RegExp(
  `^(?:${FUTURES})(?:[FGHJKMNQUVXZ](?:\\d|\\d\\d|20\\d\\d)|\\d!)$|^@(?:${FUTURES})\\b|^(?:${FUTURES})[_ ]F$`,
);

/** NinjaTrader's `ES 12-24` and Databento's `ES.c.0`, as names of files: `ES` alone is a stock. */
const CONTRACT_NAME = new RegExp(
  `^(?:${FUTURES})(?:[ _](?:0[1-9]|1[0-2])-\\d\\d|\\.[cnv]\\.\\d)\\b`,
  'i',
);

/** Returns true for the name of a future's contract that begins like a ticker. */
export function isContractName(text: string): boolean {
  return CONTRACT_NAME.test(text);
}

const FUTURE_ROOT = new RegExp(`^(?:${FUTURES})$`);

/** Returns true for a ticker that is the root of a future, too, such as ES and CL. */
export function isFutureRoot(symbol: string): boolean {
  return FUTURE_ROOT.test(symbol);
}

/** Indices whose names could be tickers, and that no listed stock or fund has. */
const INDICES = new Set(
  (
    'DJI DJU FTSE FVX GDAXI GSPC GVZ HSI IRX IXIC NDX NIFTY NYA OEX OVX RUA RUI RUT RVX SOX ' +
    'SPX SPXEW STOXX TNX TYX VIX VIX1D VIX3M VIX6M VIX9D VVIX VXD VXN VXO VXST XAU XEO'
  ).split(' '),
);

/** Returns true for the name of an index that could be a ticker: `SPX`, `VIX`. */
export function isIndexName(symbol: string): boolean {
  return INDICES.has(symbol);
}

/** Spellings that no US stock or fund has, and what they say. */
const SPELLINGS: readonly (readonly [spelling: RegExp, predicate: string])[] = [
  [/^\^[A-Z0-9]/, INDEX],
  [/^\.[A-Z]{2,}/, INDEX],
  [/^I:|\.INDX$/, INDEX],
  [/^[A-Z]{3,6}=X$|^C:|\.FOREX$/, CURRENCY],
  [/^X:|\.CC$/, CRYPTO],
  [/=F$|^\/[A-Z]|\.(CBT|CME|CMX|NYB|NYM)$/, FUTURE],
  [CONTRACT, FUTURE],
  [/^(O:)?[A-Z]{1,6}\d?\d{6}[CP]\d{8}$/, OPTION],
  // Korea's codes, and those of mainland China in qlib.
  [/^(?:A\d{5}0|(?:SH|SZ|BJ)\d{6})$/, NUMBERED],
];

const PAIR = /^([A-Z0-9]{1,12})[-./_]([A-Z]{3,4})$/;
const PAIR_AS_WORD = /^([A-Z]{3,5}?)(USD[CT]?|[A-Z]{3})$/;

/**
 * Returns what a text in upper case names instead of a US stock or fund: `is a cryptocurrency`.
 * Undefined for all others, tickers or not.
 */
export function otherKind(text: string): string | undefined {
  const spelled = SPELLINGS.find(([spelling]) => spelling.test(text));
  if (spelled) return spelled[1];
  const [, base, quote] = PAIR.exec(text) ?? [];
  if (CURRENCIES.has(quote)) return CURRENCIES.has(base) ? CURRENCY : CRYPTO;
  if (QUOTE_COINS.has(quote)) return CRYPTO;
  const [, first, second] = PAIR_AS_WORD.exec(text) ?? [];
  if (first === undefined) return undefined;
  if (CURRENCIES.has(first) && CURRENCIES.has(second)) return CURRENCY;
  const isCoin = COINS.has(first) && (CURRENCIES.has(second) || QUOTE_COINS.has(second));
  return isCoin ? CRYPTO : undefined;
}

/** Last suffix of a canonical symbol, behind a month of delisting; series of warrants are none. */
const LAST_SUFFIX = /(?<!\.WS)\.([A-Z]{1,3})(?:\.\d{6})?$/;

/**
 * Returns the place of a foreign exchange that a canonical symbol ends in; undefined for none. Test
 * issues, such as `CTEST.L`, have all letters as classes.
 */
export function foreignPlace(canonical: string): string | undefined {
  const [, suffix] = LAST_SUFFIX.exec(canonical) ?? [];
  if (suffix === undefined || isTestIssue(canonical)) return undefined;
  return EXCHANGE_PLACES.get(suffix);
}
