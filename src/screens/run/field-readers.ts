/**
 * Reads fields that the lists of a version hold: analysts, insiders, the earnings calendar. Readers
 * are generators: each step reads a few lists.
 */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import type { Consensus } from '../../compute/companies/analyst-consensus.ts';
import { insiderSummary } from '../../compute/companies/insider-summary.ts';
import { EVERYTHING } from '../../store/arrow/lists/specs.ts';
import { transactionFromRow } from '../../store/arrow/lists/transaction.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { inSteps } from './in-steps.ts';
import { receiptRatio } from './receipt-ratio.ts';
import type { FieldValues } from './screen-universe.ts';

/** Securities whose fields are read, and the newest session, from which days are counted. */
export interface FieldRows {
  snapshot: Snapshot;
  series: readonly string[];
  day: number;
}

export type Fields = Partial<Record<ScreenFieldName, FieldValues>>;

export type FieldReader = (rows: FieldRows) => Generator<void, Fields>;

/** By field: each reader gives several fields at once. */
export const LIST_FIELDS = {
  analyst_count: readConsensus,
  target_price: readConsensus,
  analyst_consensus: readConsensus,
  insider_net_shares_90d: readInsiders,
  insider_net_value_90d: readInsiders,
  insider_buys_90d: readInsiders,
  insider_sells_90d: readInsiders,
  days_to_earnings: readCalendar,
  days_since_earnings: readCalendar,
} as const satisfies Partial<Record<ScreenFieldName, FieldReader>>;

function unknown(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NaN);
}

function numbers(values: Float64Array): FieldValues {
  return { kind: 'number', values };
}

function* readConsensus({ snapshot, series }: FieldRows): Generator<void, Fields> {
  const words = new Array<string | null>(series.length).fill(null);
  const counts = unknown(series.length);
  const targets = unknown(series.length);
  yield* inSteps(series.entries(), ([row, symbol]) => {
    const [newest] = snapshot.list('analyst-consensus', symbol).page(undefined, 1);
    if (!newest) return;
    const { consensus, totalAnalysts, targetMean } = JSON.parse(newest.json) as Consensus;
    words[row] = consensus;
    counts[row] = totalAnalysts ?? Number.NaN;
    targets[row] = targetMean ?? Number.NaN;
  });
  return {
    analyst_consensus: { kind: 'text', values: words },
    analyst_count: numbers(counts),
    target_price: numbers(targets),
  };
}

const SUMMARY_DAYS = 90;

/** Reads sums as the insider summary has them; null for a symbol without any transaction. */
function* readInsiders({ snapshot, series, day }: FieldRows): Generator<void, Fields> {
  const [shares, value, buys, sells] = [1, 2, 3, 4].map(() => unknown(series.length));
  // A day of tolerance: the day of a filing is New York's.
  const fromMs = (day - SUMMARY_DAYS) * MILLIS_PER_DAY;
  yield* inSteps(series.entries(), ([row, symbol]) => {
    const list = snapshot.list('insider', symbol);
    if (list.count === 0) return;
    const filed = list.page(
      undefined,
      list.countBetween(undefined, { timestampMs: fromMs, id: '' }),
    );
    const summary = insiderSummary(
      filed.map(transactionFromRow),
      day,
      receiptRatio(snapshot, symbol),
    );
    shares[row] = summary.netShares90d ?? Number.NaN;
    value[row] = summary.netValue90d ?? Number.NaN;
    buys[row] = summary.buyCount90d;
    sells[row] = summary.sellCount90d;
  });
  return {
    insider_net_shares_90d: numbers(shares),
    insider_net_value_90d: numbers(value),
    insider_buys_90d: numbers(buys),
    insider_sells_90d: numbers(sells),
  };
}

function* readCalendar({ snapshot, series, day }: FieldRows): Generator<void, Fields> {
  const places = new Map(series.map((symbol, row) => [symbol, row]));
  const next = unknown(series.length);
  const last = unknown(series.length);
  const reports = snapshot.list('earnings-calendar', EVERYTHING).rows();
  yield* inSteps(reports, ({ timestampMs, id }) => {
    const row = places.get(id.slice(0, id.indexOf(' ')));
    if (row === undefined) return;
    const days = timestampMs / MILLIS_PER_DAY - day;
    if (days < 0) last[row] = -days;
    else if (Number.isNaN(next[row])) next[row] = days;
  });
  return { days_to_earnings: numbers(next), days_since_earnings: numbers(last) };
}
