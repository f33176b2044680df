/** Sums up the analysts' opinions of a company as the API serves them. Pure. */

import type { analystConsensus } from '../../base/datasets/analysts.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';

export type ConsensusRow = RowOf<typeof analystConsensus>;

export interface Consensus {
  symbol: string;
  consensus: ConsensusRow['consensus'];
  totalAnalysts: number | null;
  targetHigh: number | null;
  targetLow: number | null;
  targetMean: number | null;
  targetMedian: number | null;
  buy: number | null;
  hold: number | null;
  sell: number | null;
}

/**
 * Returns the newest counts and the newest targets of a symbol: some vendors give one, some the
 * other. Strong counts are added to buy and sell.
 *
 * @param rows One symbol's, oldest first, at least one.
 */
export function consensusOf(rows: readonly ConsensusRow[]): Consensus {
  const counted = rows.findLast((row) => countsOf(row) !== undefined);
  const counts = counted && countsOf(counted);
  const targeted = rows.findLast(({ targetHigh, targetLow, targetMean, targetMedian }) =>
    [targetHigh, targetLow, targetMean, targetMedian].some((target) => target !== null),
  );
  const stated = (counted ?? rows.findLast(({ consensus }) => consensus !== null))?.consensus;
  return {
    symbol: rows[0].symbol,
    consensus: stated ?? (counts ? wordOf(counts) : null),
    totalAnalysts: counts ? counts.buy + counts.hold + counts.sell : null,
    targetHigh: targeted?.targetHigh ?? null,
    targetLow: targeted?.targetLow ?? null,
    targetMean: targeted?.targetMean ?? null,
    targetMedian: targeted?.targetMedian ?? null,
    buy: counts?.buy ?? null,
    hold: counts?.hold ?? null,
    sell: counts?.sell ?? null,
  };
}

interface Counts {
  buy: number;
  hold: number;
  sell: number;
}

/** A vendor that leaves some counts out has none of these; undefined where it leaves out all. */
function countsOf({ strongBuy, buy, hold, sell, strongSell }: ConsensusRow): Counts | undefined {
  if ([strongBuy, buy, hold, sell, strongSell].every((count) => count === null)) return undefined;
  return {
    buy: (strongBuy ?? 0) + (buy ?? 0),
    hold: hold ?? 0,
    sell: (sell ?? 0) + (strongSell ?? 0),
  };
}

/** By the mean of buy = 1, hold = 0 and sell = −1. */
function wordOf({ buy, hold, sell }: Counts): ConsensusRow['consensus'] {
  const mean = (buy - sell) / (buy + hold + sell);
  if (Number.isNaN(mean)) return null;
  if (mean >= 0.6) return 'Strong Buy';
  if (mean >= 0.2) return 'Buy';
  if (mean > -0.2) return 'Hold';
  return mean > -0.6 ? 'Sell' : 'Strong Sell';
}
