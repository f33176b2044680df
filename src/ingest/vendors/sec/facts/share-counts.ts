/** Counts a company's shares, once for each filing that gives a new count. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { shares } from '../../../../base/datasets/filings.ts';
import { SHARE_CONCEPTS } from '../concepts/concepts.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { type FigureSet, figureRules, pickFigures } from '../concepts/pick-figures.ts';
import type { DatedFiling } from './row-versions.ts';
import { SPAN_DAYS } from './statement-spans.ts';

export type ShareRow = Omit<RowOf<typeof shares>, 'symbol'>;

type Kind = ShareRow['kind'];

const rules = figureRules<Kind>(SHARE_CONCEPTS);

/**
 * Builds counts of the cover page, the balance sheet and weighted means. A company that counts by
 * class has no cover count, as these facts have a dimension. A mean covers the shortest period
 * that ends on its day.
 */
export function shareCounts(filings: readonly (FactFiling & DatedFiling)[]): ShareRow[] {
  const rows: ShareRow[] = [];
  const newest = new Map<string, number>();
  for (const { facts, filedAtMs } of filings) {
    const counts = pickFigures(facts, rules, 'shares').sort((a, b) => daysOf(a) - daysOf(b));
    const told = new Set<string>();
    for (const { startDay, endDay: date, figures } of counts) {
      for (const [name, count] of Object.entries(figures)) {
        const kind = name as Kind;
        const place = `${kind}|${date}`;
        const isPeriod = startDay !== undefined;
        if (count <= 0 || isPeriod !== (kind === 'weighted') || told.has(place)) continue;
        if (isPeriod && !isQuarterOrYear(date - startDay + 1)) continue;
        told.add(place);
        if (newest.get(place) === count) continue;
        newest.set(place, count);
        rows.push({ date, filedAt: filedAtMs, kind, shares: count });
      }
    }
  }
  return rows;
}

const daysOf = ({ startDay, endDay }: FigureSet<Kind>) => endDay - (startDay ?? endDay);

function isQuarterOrYear(days: number): boolean {
  return [SPAN_DAYS.quarter, SPAN_DAYS.year].some(([least, most]) => days >= least && days <= most);
}
