import { validOr } from '../../../base/errors.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';

/** Listed tickers of a registrant in canonical spelling, by its number. */
export type TickersByCik = ReadonlyMap<number, readonly string[]>;

/** Words that stand next to or instead of a ticker. */
const NO_TICKERS = new Set(
  (
    'NONE NA N.A N.A. NOT APPLICABLE NULL UNKNOWN PRIVATE TBD NYSE NASDAQ NASD NMS NGM NCM NGS AMEX ' +
    'AMERICAN MKT ARCA OTC OTCQB OTCQX OTCBB OTCMKTS OTCPK BB PINK TSX TSXV LSE AND CLASS COMMON STOCK'
  ).split(' '),
);

/**
 * Finds the canonical symbol in `NYSE: ABC`, `(abc)` or `BRK/B`. Of several tickers the one that
 * the directory gives the issuer counts, else the first. Without one, the directory's shortest
 * counts: it is the common share.
 * @returns undefined if neither has a ticker.
 */
export function symbolOfIssuer(
  text: string,
  cik: number | undefined,
  tickersByCik: TickersByCik,
): string | undefined {
  const listed = tickersByCik.get(cik ?? 0) ?? [];
  const written = text
    .toUpperCase()
    .replace(/\bN\/A\b/g, ' ')
    // A single letter after a slash is a class. Several letters are another ticker.
    .replace(/([A-Z0-9])\/([A-Z])(?![A-Z0-9])/g, '$1.$2')
    .split(/[^A-Z0-9.$-]+/)
    .flatMap((word) => tickerOf(word, listed));
  const shortest = listed.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
  return written.find((symbol) => listed.includes(symbol)) ?? written[0] ?? shortest;
}

/** Zero or one ticker, in the directory's spelling if only points are missing: `BRKB`. */
function tickerOf(word: string, listed: readonly string[]): string[] {
  const ticker = word.replace(/^[.$-]+|[.$-]+$/g, '');
  const known = listed.find((symbol) => letters(symbol) === letters(ticker));
  if (known !== undefined && ticker !== '') return [known];
  if (NO_TICKERS.has(ticker) || !/^[A-Z]/.test(ticker)) return [];
  return validOr(() => [canonicalSymbol(ticker, 'sec')], []);
}

function letters(symbol: string): string {
  return symbol.replace(/[^A-Z0-9]/g, '');
}
