/** Ends holds of symbols whose bars another load has brought, or whose file was loaded again. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import type { AwaitedBar } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { microsFromDay } from '../../src/base/time/dates.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { readServedBars, type ServedBarOf } from '../../src/store/duckdb/segments/served-bars.ts';
import { type HeldRecord, readHeld, removeHeld, writeHeld } from './held-records.ts';
import type { FetchedLoad } from './load-fetched.ts';
import type { OpenStore } from './open-store.ts';

/** Daily bars of an input that a run has loaded. */
interface LoadedInput {
  origin: string;
  source: string;
  symbols: ReadonlySet<string>;
  /** Undefined for an input that was loaded before: its bars are compared no more. */
  days?: readonly [first: number, last: number];
}

export class MendedHolds {
  readonly #nowMs: number;
  readonly #inputs: LoadedInput[] = [];

  /** @param nowMs Time of the run, which its own holds state. */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Notes what a load has stored. */
  add(segment: Fetched, { alreadyLoaded, extent }: FetchedLoad): void {
    if (!('files' in segment) || segment.interval !== '1d') return;
    const { origin, source, files } = segment;
    const { firstDay, lastDay } = extent ?? {};
    if (alreadyLoaded) {
      this.#inputs.push({ origin, source, symbols: new Set(files.map(({ symbol }) => symbol)) });
    } else if (extent && firstDay !== undefined && lastDay !== undefined) {
      const symbols = new Set(extent.symbols);
      this.#inputs.push({ origin, source, symbols, days: [firstDay, lastDay] });
    }
  }

  /** A record of symbols loses those that are mended; one of a whole input goes with all of them. */
  async release(paths: ModePaths, store: OpenStore): Promise<void> {
    const all = readHeld(paths).filter(({ awaited = [] }) => awaited.length > 0);
    const [own, records] = [true, false].map((isOwn) =>
      all.filter(({ heldMs }) => heldMs >= this.#nowMs === isOwn),
    );
    if (records.length === 0 || this.#inputs.length + own.length === 0) return;
    await store.use(async (market) => {
      for (const record of records) {
        const bars = record.awaited!;
        const places = bars.map(({ symbol, day }) => ({
          symbol,
          timestampUs: microsFromDay(day),
        }));
        const served = await readServedBars(market, '1d', places);
        const isMended = (bar: AwaitedBar, at: number) =>
          isServed(bar, served[at]) ||
          this.#isLoadedAgain(record, bar) ||
          isHeldAgain(record, bar, own);
        const mended = new Set(bars.filter(isMended).map(({ symbol }) => symbol));
        if (mended.size > 0) await release(paths, record, mended);
      }
    });
  }

  /** True for a replacing bar in a newer content of the held input, which was not held. */
  #isLoadedAgain(
    { origin, source }: HeldRecord,
    { symbol, day, isReplacing }: AwaitedBar,
  ): boolean {
    return this.#inputs.some(
      ({ days: [first, last] = [day, day], ...input }) =>
        isReplacing &&
        input.origin === origin &&
        input.source === source &&
        input.symbols.has(symbol) &&
        day >= first &&
        day <= last,
    );
  }
}

function isServed({ isReplacing, close }: AwaitedBar, served: ServedBarOf | undefined): boolean {
  if (served === undefined || !isReplacing) return served !== undefined;
  if (close === undefined) return false;
  return Math.abs(Math.log(served.bar.close / close)) <= limits.sanity.agreement.noise;
}

/** True if the run has held the bar in a newer content of the input. */
function isHeldAgain(
  { origin, source }: HeldRecord,
  { symbol, day }: AwaitedBar,
  records: readonly HeldRecord[],
): boolean {
  return records.some(
    (record) =>
      record.origin === origin &&
      record.source === source &&
      record.awaited!.some((bar) => bar.symbol === symbol && bar.day === day),
  );
}

async function release(paths: ModePaths, record: HeldRecord, mended: ReadonlySet<string>) {
  const awaited = record.awaited!.filter(({ symbol }) => !mended.has(symbol));
  const symbols = record.symbols?.filter(({ symbol }) => !mended.has(symbol));
  const isOver = symbols === undefined ? awaited.length === 0 : symbols.length === 0;
  if (isOver) removeHeld(paths, record.id);
  else await writeHeld(paths, { ...record, awaited, ...(symbols && { symbols }) });
}
