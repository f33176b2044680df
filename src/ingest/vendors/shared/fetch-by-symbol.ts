/** Fetches rows symbol by symbol, and stages them many symbols at a time. */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { calendarLimits } from './limits.ts';

export type RowsByDataset = Record<string, readonly UncheckedRow[]>;

export interface RowsRequest {
  source: string;
  symbols: readonly string[];
  /** @throws {SourceEmptyError} or `UnknownSymbolError`: the symbol has no rows. */
  ask: (symbol: string) => Promise<RowsByDataset>;
  notes: SkippedNotes;
}

/**
 * Yields a segment for each dataset and up to `calendarLimits.symbolsPerSegment` symbols.
 * @throws other errors of `ask`; earlier rows are staged by then.
 */
export async function* fetchBySymbol(
  { source, symbols, ask, notes }: RowsRequest,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const { symbolsPerSegment } = calendarLimits;
  for (let start = 0; start < symbols.length; start += symbolsPerSegment) {
    const found = new Map<string, UncheckedRow[]>();
    for (const [i, symbol] of symbols.slice(start, start + symbolsPerSegment).entries()) {
      context.signal?.throwIfAborted();
      context.onProgress?.('fetch', start + i, symbols.length);
      try {
        addTo(found, await ask(symbol), symbol);
      } catch (error) {
        if (!(error instanceof UnknownSymbolError || error instanceof SourceEmptyError)) {
          yield* notes.carriedBy(stageFound(source, found, options, context));
          throw error;
        }
        notes.add(symbol, error.message);
      }
    }
    yield* notes.carriedBy(stageFound(source, found, options, context));
  }
  context.onProgress?.('fetch', symbols.length, symbols.length);
}

function addTo(found: Map<string, UncheckedRow[]>, rows: RowsByDataset, name: string): void {
  for (const [dataset, some] of Object.entries(rows)) {
    const all = found.get(dataset) ?? [];
    for (const row of some) all.push({ ...row, name });
    if (all.length > 0) found.set(dataset, all);
  }
}

async function* stageFound(
  source: string,
  found: ReadonlyMap<string, UncheckedRow[]>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const asOfUs = BigInt(options.asOfUs ?? context.nowMs * MICROS_PER_MILLI);
  for (const [dataset, rows] of found) {
    const head = { dataset, source, asOfUs, origin: `${source} ${dataset}` };
    yield await stageDatasetRows(head, rows, context);
  }
}
