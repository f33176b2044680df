import { SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { stageVendorBars, type VendorResponse } from './stage-vendor-bars.ts';
import { type DayRange, missingDays, monthStart } from './vendor-days.ts';

export interface SymbolRange extends DayRange {
  symbol: string;
}

/**
 * Lists the symbols that are not up to date. A refresh starts with the month of the newest stored
 * sessions, so that splits and dividends of a month replace one another.
 */
export function missingRanges(options: SourceOptions, nowMs: number): SymbolRange[] {
  const { symbols = [], fromDay, lastStoredDays } = options;
  const firstDay = dayFromDate(limits.ingest.earliestDate);
  return symbols.flatMap((symbol) => {
    const storedDay = lastStoredDays?.[symbol];
    const overlapSessions = limits.overlapSessions.ofSymbol;
    const asked = { interval: '1d', nowMs, overlapSessions } as const;
    const range = missingDays(storedDay, firstDay, options, asked);
    if (!range) return [];
    const isRefresh = storedDay !== undefined && fromDay === undefined;
    return [{ symbol, ...range, fromDay: isRefresh ? monthStart(range.fromDay) : range.fromDay }];
  });
}

/**
 * Stages one segment a symbol. Symbols without bars are noted.
 * @throws {SourceEmptyError} no symbol gave bars; names each with its reason.
 */
export async function* stageHistories(
  title: string,
  ranges: readonly SymbolRange[],
  ask: (range: SymbolRange) => Promise<VendorResponse>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const notes = new SkippedNotes();
  for (const [done, range] of ranges.entries()) {
    context.onProgress?.('fetch', done, ranges.length);
    try {
      yield* notes.carriedBy(stageVendorBars(await ask(range), options, context));
    } catch (error) {
      if (!(error instanceof UnknownSymbolError || error instanceof SourceEmptyError)) throw error;
      notes.add(range.symbol, error.message);
    }
  }
  if (ranges.length === 0) return;
  context.onProgress?.('fetch', ranges.length, ranges.length);
  notes.requireSegments(title);
}
