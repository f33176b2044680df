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
  const byInsider = Map.groupBy(filings, ({ insider }) => insider);
  for (const own of byInsider.values()) {
    dropUnnumbered(own, gone);
    dropAmended(
      own.filter((filing) => !gone.has(filing)),
      gone,
    );
  }
  const goneNumbers = new Set([...gone].map(({ accession }) => accession));
  return rows.filter(({ accession }) => !goneNumbers.has(accession));
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

function dropAmended(filings: readonly Filing[], gone: Set<Filing>): void {
  const standing = new Map<Filing, Filing>();
  for (const [index, amendment] of filings.entries()) {
    if (amendment.amends === null) continue;
    const earlier = filings.slice(0, index);
    const target = targetOf(amendment, earlier) ?? sisterOf(amendment, earlier);
    if (!target) continue;
    gone.add(target);
    // A second amendment names the original again and replaces the first one too.
    const before = standing.get(target);
    if (before) gone.add(before);
    standing.set(target, amendment);
  }
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
