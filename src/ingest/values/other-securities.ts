/** Tells whether a table under a share's ticker is of a future, an option or an index. */

import { isFutureRoot, isIndexName } from '../../base/symbols/other-kinds.ts';

const REMEDY = 'only US stocks and funds can be held';

/** Plain names of columns. Stooq's `OpenInt` is 0 in files of shares. */
const OPEN_INTEREST =
  /^(?:prev(?:ious)?day)?(?:(?:open|offenes)?interest|openint|oi|opi)$|^(?:chg|change)(?:in)?(?:oi|openinterest)$/;
const EXPIRY =
  /^(?:contract|option|future)?(?:expir(?:y|ation|es)(?:date|month|day)?|expdate|maturity(?:date)?|deliverymonth|contractmonth|lasttradingday|lasttradedate)$/;
const STRIKE = /^strike(?:price)?$|^(?:optiontype|callput|putcall|cpflag|optionright)$/;
const SETTLEMENT = /^settle(?:ment)?(?:price|p)?$|^settl$|^sett$/;
const KIND =
  /^(?:sec|security|asset|instrument|contract|product|symbol|quote)_?(?:type|class|category|kind)$/;
const OTHER_KIND =
  /^(?:fut(?:ure)?s?|con(?:t)?fut|opt(?:ion)?s?|fop|ind(?:ex|ice)?s?|cash|fx|forex|currency|crypto(?:currency)?|cfd|commodit(?:y|ies)|bonds?)$/i;

interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  last: readonly string[];
}

/**
 * Returns why the rows are not of shares, by a column that futures, options or indices alone have
 * values in.
 * @param names Names of the columns, as `plainName` gives them.
 */
export function otherSecurityFault(
  names: readonly string[],
  { header, rows, last }: Table,
): string | undefined {
  for (const [at, name] of names.entries()) {
    const words = wordsOf(name);
    if (words === undefined) continue;
    const texts = [...rows, last].map((row) => (row[at] ?? '').trim());
    const text = texts.find((cell) => words.isTold(cell));
    if (text !== undefined) {
      return `its column "${header[at]}" says ${text}, as of ${words.kinds}, and ${REMEDY}`;
    }
  }
  return undefined;
}

function wordsOf(name: string): { kinds: string; isTold: (text: string) => boolean } | undefined {
  const isNumber = (text: string) => Number(text.replaceAll(/[, ]/g, '')) > 0;
  if (OPEN_INTEREST.test(name)) return { kinds: 'a future or an option', isTold: isNumber };
  if (SETTLEMENT.test(name)) return { kinds: 'a future or an option', isTold: isNumber };
  if (EXPIRY.test(name)) return { kinds: 'a future or an option', isTold: isDay };
  if (STRIKE.test(name)) return { kinds: 'an option', isTold: isOptions };
  if (KIND.test(name)) {
    return { kinds: 'another kind of security', isTold: (text) => OTHER_KIND.test(text) };
  }
  return undefined;
}

/** A date or a month: `2024-06-21`, `20240621`, `Jun 24`, `JUN2024`. */
const isDay = (text: string) => /\d/.test(text) && !/^[0.-]+$/.test(text);

const isOptions = (text: string) => Number(text) > 0 || /^(?:c|p|ce|pe|calls?|puts?)$/i.test(text);

/** Codes of shares and funds of B3: `PETR4`, `SANB11`, `AAPL34`, `BBAS3F`. */
const B3_CODE = /^[A-Z]{4}(?:[3-8]|11|3[1-9])F?$/;

/** Rows from which the steps of prices tell a future. */
const ROWS_MIN = 20;
/** Steps of futures' prices in dollars; prices of shares move by cents. */
const TICKS = [1, 0.5, 0.25, 0.1, 0.05];

/**
 * Returns what a file named after a ticker may be instead: a future of this root whose prices have
 * its steps, or an index.
 * @param prices Places of the columns of prices.
 */
export function otherSecurityOfName(
  symbol: string,
  { rows }: Table,
  prices: readonly number[],
): { fault?: string; note?: string } {
  if (isFutureRoot(symbol) && rows.length >= ROWS_MIN) {
    const values = rows.flatMap((row) =>
      prices.map((at) => Number((row[at] ?? '').replaceAll(/[$, ]/g, ''))),
    );
    const isOn = (tick: number) => (price: number) =>
      Math.abs(price / tick - Math.round(price / tick)) < 1e-6;
    const tick = TICKS.find((one) => values.every(isOn(one)));
    if (tick !== undefined) {
      return {
        fault: `its prices are all multiples of ${tick}, as those of the future ${symbol}, and ${REMEDY}; if they are of the share, say so with --symbol ${symbol}`,
      };
    }
  }
  if (B3_CODE.test(symbol)) {
    return {
      note: `${symbol} has the form of São Paulo's codes, whose prices are in reais, and no US ticker has digits; it is stored as if it were a US stock`,
    };
  }
  if (!isIndexName(symbol)) return {};
  return { note: `${symbol} is the name of an index, and is stored as if it were a stock` };
}
