/** Stages a vendor's bars: its symbols become canonical, and texts that are no tickers are noted. */

import { type BarColumns, type Basis, MICROS_PER_MILLI } from '../../../base/bars.ts';
import { canonicalSymbol, symbolOrFault } from '../../../base/symbols.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import {
  stageIntradaySeries,
  stageSeries,
  type UncheckedSeries,
} from '../../segments/parquet-segment.ts';
import type { VendorStatement } from './vendor-actions.ts';
import type { VendorInterval } from './vendor-bars.ts';

export interface VendorResponse {
  source: string;
  interval: VendorInterval;
  /** The request, without keys. */
  origin: string;
  /** Bars by the vendor's symbol; empty ones are left out. */
  barsBySymbol: ReadonlyMap<string, BarColumns>;
  /** Basis of the bars; default raw. */
  basis?: Basis;
  /** The vendor's form of classes and preferred shares, for `canonicalSymbol`. */
  symbolForm?: 'any' | 'nasdaq';
  /** Splits and dividends by the vendor's symbol; undefined where the vendor states none. */
  actionsOf?: (vendorSymbol: string) => VendorStatement | undefined;
  /** Decisions for the user to know. */
  notes?: readonly string[];
}

/** Yields a segment, for minutes one for each kind of hours; none without bars. */
export async function* stageVendorBars(
  answer: VendorResponse,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const { source, interval, origin, basis = 'raw' } = answer;
  const { series, skipped, notes } = ourSeries(answer, options);
  if (series.length === 0) return;
  const asOfUs = BigInt(options.asOfUs ?? context.nowMs * MICROS_PER_MILLI);
  const head = { source, basis: options.basis ?? basis, asOfUs, origin, skipped };
  const staged =
    interval === '1d'
      ? [await stageSeries({ ...head, interval }, series, context)]
      : await stageIntradaySeries({ ...head, interval }, series, context);
  for (const [i, segment] of staged.entries()) yield i === 0 ? { ...segment, notes } : segment;
}

/** Covers no day. */
const NO_ACTIONS: VendorStatement = {
  splits: [],
  dividends: [],
  coverageFromDay: 0,
  coverageToDay: -1,
  notes: [],
};

const coversAnyDay = ({ coverageFromDay, coverageToDay }: Omit<VendorStatement, 'notes'>) =>
  coverageFromDay <= coverageToDay;

function ourSeries(
  { barsBySymbol, symbolForm, actionsOf, notes: own = [] }: VendorResponse,
  { symbols }: SourceOptions,
): { series: UncheckedSeries[]; skipped: SkippedInput[]; notes: string[] } {
  const asked = symbols && new Set(symbols);
  const series = new Map<string, UncheckedSeries>();
  const skipped: SkippedInput[] = [];
  const notes = [...own];
  for (const [name, bars] of barsBySymbol) {
    if (bars.close.length === 0) continue;
    const found = symbolOrFault(() => canonicalSymbol(name, symbolForm));
    if ('fault' in found) {
      skipped.push({ name, reason: `it ${found.fault}` });
      continue;
    }
    const { symbol } = found;
    if (series.has(symbol)) {
      skipped.push({ name, reason: `another ticker of the answer is ${symbol} too` });
    } else if (!asked || asked.has(symbol)) {
      const { notes: doubts, ...actions } = actionsOf?.(name) ?? NO_ACTIONS;
      notes.push(...doubts.map((doubt) => `${symbol}: ${doubt}`));
      series.set(symbol, { symbol, bars, actions: coversAnyDay(actions) ? actions : undefined });
    }
  }
  return { series: [...series.values()], skipped, notes };
}
