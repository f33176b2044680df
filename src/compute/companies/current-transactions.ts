/**
 * Selects the insider transactions that count: those that no amendment replaced, each once. Pure;
 * the order in which filings arrived does not matter. `docs/decisions/0031-insider-filings.md` has
 * the reasons.
 */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { AMENDS_UNNAMED, filingDay, UNNUMBERED } from '../../base/datasets/insider-filing.ts';
import type { InsiderRow } from './insider-summary.ts';

/** Greatest distance between the stated and the real day of an original: signing is not filing. */
const DAYS_APART_MAX = 3;

interface Filing {
  accession: string;
  insider: string;
  filedAt: number;
  day: number;
  amends: string | null;
  rows: InsiderRow[];
}

export function currentTransactions(rows: readonly InsiderRow[]): InsiderRow[] {
  const filings = [...Map.groupBy(rows, ({ accession }) => accession).values()].map(filingOf);
  // Earlier ones first, so that each amendment meets what it may replace.
  filings.sort((a, b) => a.filedAt - b.filedAt || (a.accession < b.accession ? -1 : 1));
  const gone = new Set<Filing>();
  const goneRows = new Set<InsiderRow>();
  const byInsider = Map.groupBy(filings, ({ insider }) => insider);
  for (const own of byInsider.values()) dropUnnumbered(own, gone);
  dropAmended(
    filings.filter((filing) => !gone.has(filing)),
    goneRows,
  );
  const goneNumbers = new Set([...gone].map(({ accession }) => accession));
  return rows.filter((row) => !goneNumbers.has(row.accession) && !goneRows.has(row));
}

function filingOf(rows: InsiderRow[]): Filing {
  const { accession, insiderName, filedAt, amends } = rows[0];
  const insider = insiderName
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return { accession, insider, filedAt, day: filingDay(filedAt), amends, rows };
}

/** A bare document counts until the same filing comes with its number. */
function dropUnnumbered(filings: readonly Filing[], gone: Set<Filing>): void {
  const numbered = new Set(filings.filter(isNumbered).map(contentOf));
  for (const filing of filings) {
    if (!isNumbered(filing) && numbered.has(contentOf(filing))) gone.add(filing);
  }
}

function isNumbered({ accession }: Filing): boolean {
  return !accession.startsWith(UNNUMBERED);
}

function contentOf({ rows, amends }: Filing): string {
  const lines = rows.map((row) =>
    [
      row.transactionDate,
      row.transactionCode,
      row.isDerivative,
      row.shares,
      row.price,
      row.sharesOwnedAfter,
    ].join(' '),
  );
  return [amends, ...lines.sort()].join('\n');
}

function dropAmended(filings: readonly Filing[], gone: Set<InsiderRow>): void {
  /** An original with its amendments, and theirs, by each of them. */
  const families = new Map<Filing, Filing[]>();
  for (const [index, amendment] of filings.entries()) {
    if (amendment.amends === null) continue;
    const earlier = filings.slice(0, index);
    const own = earlier.filter(({ insider }) => insider === amendment.insider);
    const target =
      targetOf(amendment, own) ?? sisterOf(amendment, own) ?? filedTogether(amendment, earlier);
    if (!target) continue;
    const family = families.get(target) ?? [target];
    const standing = family.map(({ rows }) => rows.filter((row) => !gone.has(row)));
    const named = standing.slice(family.indexOf(target)).flat();
    for (const row of amendedLines(amendment.rows, standing, named)) gone.add(row);
    family.push(amendment);
    families.set(target, family).set(amendment, family);
  }
}

/**
 * Returns the lines that an amendment replaces: those that its own lines correct, and all of the
 * first filing of which it repeats a line, and of later ones. An amendment with only a forgotten
 * line replaces none.
 *
 * @param family Lines that count of each filing, the original first.
 * @param named Those of the filing that the amendment names, and of later ones.
 */
function amendedLines(
  amendment: readonly InsiderRow[],
  family: readonly InsiderRow[][],
  named: readonly InsiderRow[],
): readonly InsiderRow[] {
  const left = new Set(family.flat());
  for (const row of amendment) {
    const [best] = [...left]
      .map((line) => ({ line, agreement: agreement(row, line) }))
      .filter((pair) => {
        const isOnly = named.length === 1 && named[0] === pair.line && amendment.length === 1;
        return isCorrection(row, pair, isOnly);
      })
      .sort((a, b) => b.agreement - a.agreement);
    if (best) left.delete(best.line);
  }
  const repeated = family.findIndex((lines) =>
    amendment.some((row) => lines.some((line) => agreement(row, line) === 4)),
  );
  return family.flatMap((lines, place) =>
    lines.filter((line) => !left.has(line) || (repeated >= 0 && place >= repeated)),
  );
}

/** Counts equal values among day, shares, price and holding. */
function agreement(a: InsiderRow, b: InsiderRow): number {
  const fields = ['transactionDate', 'shares', 'price', 'sharesOwnedAfter'] as const;
  if (a.isDerivative !== b.isDerivative) return 0;
  return fields.filter((field) => a[field] === b[field]).length;
}

/** Returns true if a line has another one's code and half of its values, or corrects the only one. */
function isCorrection(
  row: InsiderRow,
  { line, agreement }: { line: InsiderRow; agreement: number },
  isOnly: boolean,
): boolean {
  if (agreement > 2) return true;
  if (row.transactionCode !== line.transactionCode || goesOn(row, line)) return false;
  return agreement === 2 || (isOnly && row.transactionDate === line.transactionDate);
}

/** Returns true if one transaction begins with the holding that the other one left. */
function goesOn(row: InsiderRow, line: InsiderRow): boolean {
  return (
    holdingBefore(row) === line.sharesOwnedAfter || holdingBefore(line) === row.sharesOwnedAfter
  );
}

function holdingBefore({ direction, transactionType, sharesOwnedAfter, shares }: InsiderRow) {
  const isAcquired = direction === 'acquired' || (!direction && transactionType === 'buy');
  return Number(sharesOwnedAfter) + (isAcquired ? -1 : 1) * Number(shares);
}

/** The one filing that an amendment replaces; undefined where it is not stored. */
function targetOf({ amends, rows }: Filing, earlier: readonly Filing[]): Filing | undefined {
  const named = earlier.find(({ accession }) => accession === amends);
  if (named) return named;
  if (amends === AMENDS_UNNAMED) {
    return earlier.findLast((filing) => likeness(rows, filing.rows) > 0);
  }
  const candidates = earlier
    .map((filing) => ({
      filing,
      apart: daysApart(filing, amends ?? ''),
      likeness: likeness(rows, filing.rows),
    }))
    .filter(({ apart, likeness }) => apart === 0 || (apart <= DAYS_APART_MAX && likeness > 0))
    .sort((a, b) => a.apart - b.apart || b.likeness - a.likeness);
  return candidates[0]?.filing;
}

/** Returns an earlier amendment of the same original, for an original that is not stored. */
function sisterOf({ amends, rows }: Filing, earlier: readonly Filing[]): Filing | undefined {
  return earlier.findLast((filing) => filing.amends === amends && likeness(rows, filing.rows) > 0);
}

/**
 * Returns an earlier filing under another name that an amendment corrects: of owners who file
 * together, another one stood first. It has a trade of the same day, shares and holding after it.
 */
function filedTogether({ amends, rows }: Filing, earlier: readonly Filing[]): Filing | undefined {
  const isTrade = ({ transactionType, sharesOwnedAfter }: InsiderRow) =>
    (transactionType === 'buy' || transactionType === 'sell') && sharesOwnedAfter !== null;
  const trades = rows.filter(isTrade);
  const fields = ['transactionCode', 'securityTitle', 'shares', 'sharesOwnedAfter'] as const;
  const isSame = (a: InsiderRow, b: InsiderRow) =>
    a.transactionDate === b.transactionDate && fields.every((field) => a[field] === b[field]);
  return earlier.findLast(
    (filing) =>
      (filing.accession === amends || daysApart(filing, amends ?? '') <= DAYS_APART_MAX) &&
      trades.some((row) => filing.rows.some((line) => isSame(row, line))),
  );
}

/** NaN where `date` is none, but the number of a filing that is not stored. */
function daysApart({ day }: Filing, date: string): number {
  return Math.abs(day - Date.parse(date) / MILLIS_PER_DAY);
}

/** Lines of the same day and code, and once more those of the same number of shares. */
function likeness(rows: readonly InsiderRow[], others: readonly InsiderRow[]): number {
  const keyOf = ({ transactionDate, transactionCode, isDerivative }: InsiderRow) =>
    `${transactionDate} ${transactionCode} ${isDerivative}`;
  const kinds = new Set(others.map(keyOf));
  const lines = new Set(others.map((row) => `${keyOf(row)} ${row.shares}`));
  return rows.reduce(
    (sum, row) =>
      sum + Number(kinds.has(keyOf(row))) + Number(lines.has(`${keyOf(row)} ${row.shares}`)),
    0,
  );
}
