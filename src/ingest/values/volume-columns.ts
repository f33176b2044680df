/** Finds the volume of a bar: columns by the names that tools give them, and their unit. */

/** Names of numbers of shares, best first, as `plainName` gives them. */
const SHARE_NAMES: readonly string[] = [
  ...['volume', 'vol', 'v', 'totalvolume', 'tradingvolume', 'tradedvolume', 'volumetraded'],
  ...['sharevolume', 'volumeshares', 'sharestraded', 'tradedshares', 'nbrofshares'],
  ...['numberofshares', 'noofshares', 'realvolume', 'dayvolume', 'dailyvolume', 'quantity', 'qty'],
  ...['totaltradequantity', 'totaltradedquantity', 'tradedquantity', 'quantitytraded'],
  ...['tottrdqty', 'ttltrdqnty', 'totalvol', 'tradedvol', 'volshares', 'sharevol', 'numshares'],
  ...[
    'nshares',
    'turnovershares',
    'sharesvolume',
    'volumeinshares',
    'tradevolume',
    'volumes',
    'pxvolume',
    'dlyvol',
    'volm',
    'totvol',
    'tradedqty',
    'numberofsharestraded',
    'compositevolume',
    'consolidatedvolume',
    'cshtrd',
    'acvoluns',
    'accumulatedvolume',
    // FactSet's, summed over the day.
    'cvol',
  ],
  // Other languages than English.
  ...['volumen', 'wolumen', 'volym', 'volumi', 'hacim', 'handelsvolumen', 'stuecke'],
  // `Umsatz in Stück`, `Volumen (Stück)`, `Volume (actions)`.
  ...['umsatzinstck', 'umsatzstck', 'volumeninstck', 'volumenstck', 'gehandeltestcke'],
  ...['volumeactions', 'volumetitres', 'volumenacciones', 'volumeazioni', 'volumeaantal'],
  // Shares of all trades of a bar in q and kdb+; beside prices alone it is no size of a quote.
  'size',
];

/** Names of two counts that add up to the volume: trades above and below the price before. */
const PAIRS: readonly (readonly [string, string])[] = [
  // TradeStation's.
  ['up', 'down'],
  ['upvolume', 'downvolume'],
  ['upvol', 'downvol'],
  ['buyvolume', 'sellvolume'],
  ['buyvol', 'sellvol'],
];

/** Ends of names that may be a volume, for the note on columns that are not read. */
export const VOLUME_WORDS: readonly string[] = ['volume', 'vol', 'shares', 'quantity', 'qty'];

/** Names of multiples of shares, with the power of ten. A unit stands apart: `VOLM` is the volume. */
const SCALED_NAME =
  /^(?:volumen?|vol|shares traded|volume shares|trading volume|total volume)(?: in| lots of)?(?: hundreds?()| (?:000s?|thousands?|k|tsd)()| (?:millions?|mm?|mn|mln|mil|mio)()| x?1(0[0 ]+)s?)(?: shares)?$/;

/** Units in Chinese, Japanese and Korean, with the power of ten. A lot of the mainland is 100 shares. */
const EASTERN: Readonly<Record<string, number>> = {
  ...{ 股: 0, 株: 0, 주: 0, 百: 2, 手: 2, 千: 3, 천: 3, 万: 4, 萬: 4, 만: 4, 亿: 8, 億: 8, 억: 8 },
};

const EASTERN_NAME =
  /^(?:vol(?:ume|\.)?|成交量|交易量|出来高|거래량)[\s（([:：]*([\p{scx=Han}\p{scx=Hangul}]+)[)）\]]*$/iu;

/** Names of other counts, with the unit, which is no number of shares. */
const OTHER_UNITS: readonly (readonly [name: RegExp, unit: string])[] = [
  [/^(tickvolume|tickvol|ticks|tickcount|numticks)$/, 'ticks'],
  [/^(volume(in)?lots?|lots|vollots)$/, 'lots'],
  [/^(volume(in)?contracts|contracts)$/, 'contracts'],
  [/^(trades|tradecount|ntrades|numtrades|numberoftrades|nooftrades|transactions)$/, 'trades'],
  [/^(dollarvolume|volume(usd|usdt|eur|gbp|dollars?)|quotevolume|turnover)$/, 'money'],
  [/^(umsatz|omzet|obrt|obrot|omsttning|turnovervalue)$/, 'turnover'],
];

/** Sign of a currency, of which a plain name has nothing: `Volume ($)`, but also `Open ($)`. */
const MONEY_SIGN = /[$€£¥]/;
const SHARE_NAME_START = new RegExp(
  `^(?:v$|${SHARE_NAMES.filter((name) => name !== 'v').join('|')})`,
);

/** Note of a file in which no column is known to count anything traded. */
export const NO_VOLUME = 'no column of volumes: volume is 0';

export interface VolumeColumns {
  /** Positions whose sum is the volume; none if no column has it. */
  at: readonly number[];
  /** Note of the report about it. */
  note?: string;
}

/**
 * @param plainNames Names of the columns, as `plainName` gives them.
 * @param header The same as written.
 */
export function volumeColumns(
  plainNames: readonly string[],
  header: readonly string[],
): VolumeColumns | { reason: string } {
  const names = plainNames.map((name, at) => {
    const isMoney = MONEY_SIGN.test(header[at]) && SHARE_NAME_START.test(name);
    return isMoney ? 'turnover' : name;
  });
  const name =
    SHARE_NAMES.find((known) => names.includes(known)) ??
    names.find((_, at) => volumePower(header[at]) > 0);
  const odd = header.find((one) => Number.isNaN(easternPower(one)));
  if (odd !== undefined && (name === undefined || header[names.indexOf(name)] === odd)) {
    const note = `the unit of the column "${odd}" is not known: volume is 0; name it "Volume" if it counts shares`;
    return { at: [], note };
  }
  if (name !== undefined) {
    const at = names.indexOf(name);
    const isTwice = names.lastIndexOf(name) !== at;
    return isTwice ? { reason: `two columns are named "${header[at]}"` } : { at: [at] };
  }
  const pair = PAIRS.find((both) => both.every((one) => names.includes(one)));
  if (pair !== undefined) return { at: pair.map((one) => names.indexOf(one)) };
  for (const [pattern, unit] of OTHER_UNITS) {
    const at = names.findIndex((one) => pattern.test(one));
    if (at === -1) continue;
    return { at: [], note: `the column "${header[at]}" counts ${unit}, not shares: volume is 0` };
  }
  return { at: [], note: NO_VOLUME };
}

/** Power of ten of the unit that a name as written states: 3 for `Volume (000)`. */
export function volumePower(header: string): number {
  const power = easternPower(header);
  if (power > 0 || MONEY_SIGN.test(header)) return power;
  const words = header.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
  const [, ...units] = SCALED_NAME.exec(words.replace(/[^a-z0-9]+/g, ' ').trim()) ?? [];
  // `Volume (x10,000)` and `Volume (lots of 100)` write the multiple out.
  const zeros = units[3]?.replaceAll(' ', '').length;
  return zeros ?? [2, 3, 6].find((_, at) => units[at] !== undefined) ?? 0;
}

/** Unit of a name such as `成交量(万股)`. */
export function easternUnit(header: string): string | undefined {
  return EASTERN_NAME.exec(header.trim())?.[1];
}

/** Power of ten of that unit, 0 without one, and NaN if it is not known. */
function easternPower(header: string): number {
  const signs = [...(easternUnit(header) ?? '')];
  return signs.reduce((sum, sign) => sum + (EASTERN[sign] ?? Number.NaN), 0);
}

/** A number below a hundred thousand, and one with decimals. */
const [SMALL, FRACTION] = [/^\d{1,5}(?:[.,]\d+)?$/, /^\d+(?:\.\d*[1-9]\d*|,\d{1,2})$/];

/** Notes that small volumes of days have decimals, as thousands and millions do, and shares hardly. */
export function fractionNotes(name: string, texts: readonly string[]): string[] {
  const counted = texts.filter((text) => /[1-9]/.test(text));
  const fractions = counted.filter((text) => FRACTION.test(text));
  if (fractions.length * 2 <= counted.length || !counted.every((text) => SMALL.test(text)))
    return [];
  return [
    `most volumes have decimals (${fractions[0]}) and are taken as shares; if they are thousands or millions, name the column "${name} (000)" or "${name} (M)"`,
  ];
}
