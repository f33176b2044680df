/**
 * Losses of a rebuilt store, against the ledger of the old store, else against the published data.
 */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError, StoreVersionError } from '../../src/base/errors.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { datasetStatuses } from '../../src/store/arrow/snapshot/dataset-status.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { selectColumn, selectRows } from '../../src/store/duckdb/connection/sql-rows.ts';
import type { WriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { restateFacts } from '../../src/store/duckdb/securities/change-securities.ts';
import { PRICES, type TickerFact } from '../../src/store/duckdb/securities/facts/ticker-facts.ts';
import {
  type KeptDirectories,
  readDirectories,
  restoreDirectories,
} from '../../src/store/duckdb/securities/listing-spans.ts';
import {
  type KnownSecurity,
  keepSecurityIds,
  readSecurityIds,
} from '../../src/store/duckdb/securities/securities.ts';
import { readAllFacts } from '../../src/store/duckdb/securities/stored-facts.ts';
import type { LostSegment, RebuildDeps } from './records.ts';

export type Compared = 'ledger' | 'published' | 'nothing';

interface Load {
  /** Key that is the same after a rebuild. */
  key: string;
  id: string;
  origin: string;
}

/**
 * Finds what the new store lacks, after it has the old one's facts about tickers.
 *
 * @param lock Writer lock of the old store.
 * @throws {StoreVersionError} a newer version wrote the old store.
 */
export async function findLosses(
  paths: ModePaths,
  market: MarketDb,
  { lock, ...deps }: RebuildDeps & { lock: WriterLock },
): Promise<{ compared: Compared; lost: LostSegment[] }> {
  const old = await oldLoads(paths, { ...deps, lock });
  if (old) {
    // Directories say which notices of removal have an effect.
    await restoreDirectories(market.connection, old.directories);
    await restateFacts(market, old.facts, deps.nowMs);
    await keepSecurityIds(market.connection, old.securities);
    const found = new Set((await readLoads(market)).map(({ key }) => key));
    const missing = old.loads.filter(({ key }) => !found.has(key));
    const reason = 'it is in the old store, and no record says how it was loaded';
    return { compared: 'ledger', lost: missing.map(({ id, origin }) => ({ id, origin, reason })) };
  }
  using version = readablePublished(paths.serving);
  if (!version) return { compared: 'nothing', lost: [] };
  const lost = [
    ...(await lostSeries(version, market)),
    ...(await lostDatasets(paths, version, market)),
  ];
  return { compared: 'published', lost };
}

interface OldStore {
  loads: Load[];
  facts: TickerFact[];
  directories: KeptDirectories;
  securities: KnownSecurity[];
}

/** Reads the loads and facts of the old store; undefined if it is missing or cannot be read. */
async function oldLoads(
  paths: ModePaths,
  { verb, nowMs, onWaiting, lock }: RebuildDeps & { lock: WriterLock },
): Promise<OldStore | undefined> {
  if (!existsSync(paths.market)) return undefined;
  try {
    // Opened for writing: the log of a killed writer goes into the file, and the schema is
    // upgraded.
    using old = await openMarketForWriting(paths, { verb, nowMs, onWaiting, lock });
    const loads = await readLoads(old);
    // Bars that are loaded again give their facts again.
    const facts = (await readAllFacts(old.connection)).filter(({ source }) => source !== PRICES);
    const directories = await readDirectories(old.connection);
    const securities = await readSecurityIds(old.connection);
    // No log may remain when another store takes the place of this one.
    failpoint('checkpoint store', 'old');
    await old.connection.run('CHECKPOINT');
    return { loads, facts, directories, securities };
  } catch (error) {
    if (error instanceof StoreVersionError) throw error;
    return undefined;
  }
}

async function readLoads({ connection }: MarketDb): Promise<Load[]> {
  const rows = await selectRows<{
    id: string;
    dataset: string;
    source: string | null;
    origin: string;
  }>(
    connection,
    `SELECT segment AS id, dataset, source, origin FROM segments
     WHERE dataset NOT IN ('renewal', 'drop', 'securities') ORDER BY seq`,
  );
  return rows.map(({ id, dataset, source, origin }) => {
    // Ids of a directory's facts depend on when they were entered.
    const isKnownById = dataset !== 'symbols';
    return { key: isKnownById ? id : `${dataset} ${source} ${origin}`, id, origin };
  });
}

function readablePublished(serving: string): PublishedVersion | undefined {
  try {
    return openPublished(serving);
  } catch (error) {
    if (error instanceof CorruptDataError) return undefined;
    throw error;
  }
}

const COMPARED_INTERVALS = ['1d', '1m'] as const;

/** Finds published symbols with more bars than the store, and unknown names. */
async function lostSeries(
  version: PublishedVersion,
  { connection }: MarketDb,
): Promise<LostSegment[]> {
  const rows = await selectRows<{ symbol: string; interval: string; rowCount: number }>(
    connection,
    `SELECT symbol, interval, count(*)::DOUBLE AS "rowCount" FROM candles
     WHERE interval IN ('1d', '1m') GROUP BY ALL
     UNION ALL SELECT symbol, '', 0 FROM symbols`,
  );
  const stored = new Map(
    rows.map(({ symbol, interval, rowCount }) => [`${symbol} ${interval}`, rowCount]),
  );
  const lost: LostSegment[] = [];
  for (const symbol of version.listings.symbol) {
    for (const interval of COMPARED_INTERVALS) {
      const served = version.rowCount(symbol, interval);
      const count = stored.get(`${symbol} ${interval}`) ?? 0;
      if (count >= served) continue;
      const reason = `${served} bars (${interval}) are published, and records give ${count}`;
      lost.push({ id: `${symbol} ${interval}`, origin: symbol, reason });
    }
    if (stored.has(`${symbol} `)) continue;
    lost.push({ id: symbol, origin: symbol, reason: 'it is published, and no record names it' });
  }
  return lost;
}

/** Finds published datasets without a load. */
async function lostDatasets(
  { serving }: ModePaths,
  { manifest }: PublishedVersion,
  { connection }: MarketDb,
): Promise<LostSegment[]> {
  const found = await selectColumn<string>(
    connection,
    `SELECT DISTINCT dataset FROM segments
     UNION SELECT 'corporate-actions' WHERE EXISTS (SELECT 1 FROM corporate_actions)
     UNION SELECT 'symbols' WHERE EXISTS (SELECT 1 FROM symbols)`,
  );
  const loaded = new Set(found);
  return [...datasetStatuses(serving, manifest)]
    .filter(([dataset]) => !loaded.has(dataset))
    .map(([dataset, { rows: count }]) => ({
      ...{ id: dataset, origin: dataset },
      reason: `${count} rows are published, and no record gives any`,
    }));
}
