/**
 * Checks of the splices between a load's vintages and stored ones: overlaps without one factor,
 * gaps, and price jumps without a common bar that explains them.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { SymbolSplice } from '../vintages/winners.ts';
import { dayOfBar, type SeriesHold, timeText } from './series-hold.ts';
import { findSteps } from './steps.ts';

interface SpliceCheck {
  interval: StoredInterval;
  isNew(seriesId: number): boolean;
}

export interface SpliceFindings {
  holds: SeriesHold[];
  /** Seams of a small jump, which the report of the load names. */
  jumps: string[];
}

/** @param splices Splices; those between two old series are left out. */
export async function checkSplices(
  connection: DuckDBConnection,
  splices: readonly SymbolSplice[],
  { interval, isNew }: SpliceCheck,
): Promise<SpliceFindings> {
  const fresh = splices.filter(({ seriesId, olderIds }) => [seriesId, ...olderIds].some(isNew));
  const uneven = fresh.filter(({ kind }) => kind === 'uneven');
  const apart = fresh.filter(({ kind }) => kind === 'apart');
  const dayOf = dayOfBar(interval);
  const date = timeText(interval);
  const sessionsIn = ({ fromUs, toUs }: Gap) => {
    const [from, to] = [dayOf(fromUs), dayOf(toUs)];
    return to - from < 2 ? 0 : sessionsBetween(from + 1, to - 1).length;
  };
  const distant = apart.filter(({ gap }) => sessionsIn(gap!) > limits.sanity.joinGapMax);
  const holds: SeriesHold[] = [];
  if (uneven.length > 0) {
    const text = 'no constant factor to other bars of the same days';
    const found = uneven.map(({ symbol, differing, factor }) => {
      const { timestampUs, price, older, newer } = differing!;
      const scaled = factor === 1 ? '' : ` × ${Number(factor.toPrecision(6))}`;
      const stored = Number(older.toPrecision(8));
      const detail = `${PRICE_VERBS[price]} ${newer} and ${stored}${scaled} on ${date(timestampUs)}`;
      return { symbol, detail };
    });
    holds.push({ check: 'no constant factor', verbs: HAVE, text, found });
  }
  if (distant.length > 0) {
    const text = 'no day in common with the other bars and no session beside them';
    const found = distant.map(({ symbol, gap }) => {
      const [from, to] = [date(gap!.fromUs), date(gap!.toUs)];
      return {
        symbol,
        detail: `ends ${from} and goes on ${to}, ${sessionsIn(gap!)} sessions later`,
      };
    });
    holds.push({ check: 'no overlap', verbs: HAVE, text, found });
  }
  const { hold, named } = await findSteps(connection, interval, apart);
  if (hold) holds.push(hold);
  return { holds, jumps: named };
}

type Gap = NonNullable<SymbolSplice['gap']>;

const PRICE_VERBS = {
  open: 'opens at',
  high: 'has a high of',
  low: 'has a low of',
  close: 'closes at',
} as const;

const HAVE = ['has', 'have'] as const;
