/** Ends holds of symbols whose new bars another load has brought. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { microsFromDay } from '../../src/base/time/dates.ts';
import { readServedBars } from '../../src/store/duckdb/segments/served-bars.ts';
import { type HeldRecord, readHeld, removeHeld, writeHeld } from './held-records.ts';
import type { OpenStore } from './open-store.ts';

/** A record of symbols loses those that are served up to its last day; one of a whole input goes with all. */
export async function releaseMended(paths: ModePaths, store: OpenStore): Promise<void> {
  const records = readHeld(paths).filter(({ awaited = [] }) => awaited.length > 0);
  if (records.length === 0) return;
  await store.use(async (market) => {
    for (const record of records) {
      const places = record.awaited!.map(({ symbol, day }) => ({
        symbol,
        timestampUs: microsFromDay(day),
      }));
      const served = await readServedBars(market, '1d', places);
      const mended = new Set(places.flatMap(({ symbol }, at) => (served[at] ? [symbol] : [])));
      if (mended.size > 0) await release(paths, record, mended);
    }
  });
}

async function release(paths: ModePaths, record: HeldRecord, mended: ReadonlySet<string>) {
  const awaited = record.awaited!.filter(({ symbol }) => !mended.has(symbol));
  const symbols = record.symbols?.filter(({ symbol }) => !mended.has(symbol));
  const isOver = symbols === undefined ? awaited.length === 0 : symbols.length === 0;
  if (isOver) removeHeld(paths, record.id);
  else await writeHeld(paths, { ...record, awaited, ...(symbols && { symbols }) });
}
