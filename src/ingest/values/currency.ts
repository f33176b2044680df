/** The currency of prices, where a column states it. Only US dollars are held. */

/** Plain names of columns that state a currency: Compustat's `curcdd`, Bloomberg's `CRNCY`. */
const CURRENCY = /ccy$|^(?:curr?|curcdd?|crncy|cfcurr)$|currency(?:code|iso)?$/;
/** Names of currencies of a company's statements, which are often others than that of its price. */
const OF_STATEMENTS =
  /^(?:financials?|reporting|reported|revenues?|income|statements?|filings?|earnings|eps|(?:market|mkt)cap)/;
/** Names in other languages, in small letters as written. */
const CURRENCY_WORDS =
  /^(?:devises?|w(?:ä|ae)hrung|valutas?|valuutta|divisas?|monedas?|moedas?|waluta|para birimi|валюта|货币|币种|貨幣|幣別|通貨|통화)$/;
/** Plain names of columns that may state the unit of prices. */
const UNIT = /^(?:price|quote|currency)?units?$|^unitofprices?$/;
/** Words for a hundredth part: cents, pence. */
const PART = /^(?:(?:us )?cents?|¢|pence|pennies|p|gbx|gbp|zac|ila)$/i;
/** Codes, signs and words of other currencies than the US dollar. */
const OTHER =
  /^(?:(?!usd)[a-z]{3}|[€£¥₩₹₽]|(?:c|ca|a|au|hk|nz|s)\$|euros?|pounds?(?: sterling)?|yen|yuan|(?:swiss )?francs?)$/i;

/** Sign or code of another currency before or behind a number. */
const IN_PRICE =
  /^(?:[€£¥₩₹₽]|(?:CA?|AU?|HK|NZ|S|R)\$|(?!USD)[A-Z]{3} ?\d)|\d\s?(?:[€£¥₩₹₽]|(?!USD)[A-Z]{3})$/;

const REMEDY = 'and prices are held in US dollars: convert them first';

/**
 * Returns why prices are not in US dollars, by a column that states their currency or by a sign in
 * the prices.
 * @param names Names of the columns, as `plainName` gives them.
 * @param close Place of the closing prices.
 */
export function currencyFault(
  names: readonly string[],
  { header, rows, last }: CurrencySample,
  close: number,
): string | undefined {
  const unitAt = names.findIndex((name) => UNIT.test(name));
  const unit = rows[0]?.[unitAt]?.trim() ?? '';
  if (PART.test(unit)) return `its column "${header[unitAt]}" says ${unit}, ${REMEDY}`;
  const at = names.findIndex((name, place) => {
    if (CURRENCY.test(name)) return !OF_STATEMENTS.test(name);
    return CURRENCY_WORDS.test(header[place].trim().toLowerCase());
  });
  if (at < 0) {
    const price = rows.map((row) => row[close]?.trim() ?? '').find((text) => IN_PRICE.test(text));
    return price && `its prices are in another currency, as in "${price}", ${REMEDY}`;
  }
  const stated = [...rows, last].map((row) => row[at]?.trim() ?? '');
  const other = stated.find((text) => OTHER.test(text));
  return other === undefined ? undefined : `its column "${header[at]}" says ${other}, ${REMEDY}`;
}

interface CurrencySample {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  last: readonly string[];
}
