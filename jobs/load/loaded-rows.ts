/** Counts the new rows of a run by dataset. */

import { dateFromDay } from '../../src/base/time/dates.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import type { LoadExtent } from '../../src/store/duckdb/holds/load-extent.ts';
import type { LoadedDataset } from '../contract/reports.ts';

interface Total extends Omit<LoadExtent, 'symbols'> {
  dataset: string;
  interval: string | null;
  symbols: Set<string>;
}

export class LoadedRows {
  readonly #totals = new Map<string, Total>();

  add(segment: Fetched, extent: LoadExtent): void {
    if (extent.rows === 0) return;
    const dataset = 'facts' in segment ? 'symbols' : segment.dataset;
    const interval = dataset === 'candles' && 'interval' in segment ? segment.interval : null;
    const key = `${dataset} ${interval}`;
    const total = this.#totals.get(key);
    if (!total) {
      this.#totals.set(key, { ...extent, dataset, interval, symbols: new Set(extent.symbols) });
      return;
    }
    total.rows += extent.rows;
    for (const symbol of extent.symbols) total.symbols.add(symbol);
    const { firstDay, lastDay, lastSymbol } = extent;
    if (firstDay !== undefined && firstDay < (total.firstDay ?? Infinity)) {
      total.firstDay = firstDay;
    }
    if (lastDay !== undefined && lastDay > (total.lastDay ?? -Infinity)) {
      Object.assign(total, { lastDay, lastSymbol });
    }
  }

  list(): LoadedDataset[] {
    const date = (day: number | undefined) => (day === undefined ? null : dateFromDay(day));
    return [...this.#totals.values()]
      .sort((a, b) => b.rows - a.rows)
      .map(({ dataset, interval, rows, symbols, firstDay, lastDay, lastSymbol }) => ({
        ...{ dataset, interval, rows, symbols: symbols.size },
        ...{ firstDay: date(firstDay), lastDay: date(lastDay), lastSymbol: lastSymbol ?? null },
      }));
  }
}
