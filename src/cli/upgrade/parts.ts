/** Changes that this version makes in stored data of an older one. */

import { join } from 'node:path';
import type { Settings } from '../../base/config/config.ts';
import { accountsPath, MODES, type ModePaths, modePaths } from '../../base/config/data-dir.ts';
import {
  AccountsUnreachableError,
  QueueUnavailableError,
  StoreBusyError,
} from '../../base/errors.ts';
import { readSqlite } from '../../base/read-sqlite.ts';
import { existsSync, lstatSync, readdirSync } from '../../base/world/files.ts';
import { loadPostgres } from '../fleet.ts';

/**
 * `same`: nothing changes; `upgraded`: the first write changes it; `refused`: this version cannot
 * use it; `unknown`: it cannot be read now; `outdated`: it serves as it is, and a command mends it.
 */
type PartState = 'same' | 'upgraded' | 'refused' | 'unknown' | 'outdated';

export interface UpgradePart {
  part: string;
  state: PartState;
  detail: string;
  /** Estimate of the time, in seconds, for `upgraded`. */
  seconds: number;
  /** True if the older version can use the part after it was upgraded. */
  canGoBack?: true;
}

/**
 * Bytes a second, for estimates. Publishing wrote 4.26 GB of synthetic minutes in 39.5 s on two
 * free cores; half of that is assumed.
 */
const PUBLISH_BYTES_PER_S = 50e6;
/** Steps of a synthetic store of 19 to 31 MB ran at 60 to 210 MB/s, with 20 processes on two cores. */
const STORE_BYTES_PER_S = 50e6;
/** Assumed: the largest step copies the usage, row by row. */
const ACCOUNTS_BYTES_PER_S = 20e6;

/** Examines everything that versions share. It writes nothing. */
export async function upgradeParts(settings: Settings): Promise<UpgradePart[]> {
  const { dataDir, accountsUrl } = settings;
  const parts = [
    accountsUrl === undefined
      ? await accountsPart(accountsPath(dataDir))
      : await postgresPart(accountsUrl),
  ];
  for (const mode of MODES) {
    const paths = modePaths(dataDir, mode);
    parts.push(
      await storePart(paths),
      ...(await statementsPart(paths)),
      await publishedPart(paths),
    );
  }
  return [...parts, ...(await jobsPart(settings.redisUrl))];
}

async function accountsPart(path: string): Promise<UpgradePart> {
  const part = 'accounts';
  if (!existsSync(path)) return same(part, 'none yet');
  const { ACCOUNTS_VERSION, accountsVersion, OLDEST_ACCOUNTS_VERSION } = await import(
    '../../store/accounts/sqlite/schema.ts'
  );
  const version = readSqlite(path, accountsVersion);
  const seconds = () => secondsFor(bytesIn(path), ACCOUNTS_BYTES_PER_S);
  return versioned(part, 'schema', version, ACCOUNTS_VERSION, seconds, OLDEST_ACCOUNTS_VERSION);
}

/** Examines the accounts in Postgres, which versions of several machines share. */
async function postgresPart(url: string): Promise<UpgradePart> {
  const part = 'accounts in Postgres';
  const { connectClient, MIGRATIONS, namesOf, schemaChange } = await loadPostgres();
  let client: Awaited<ReturnType<typeof connectClient>> | undefined;
  try {
    client = await connectClient(url);
    const { version, isRefused, canGoBack, missing } = await schemaChange(client);
    if (version === 0) return same(part, 'none yet');
    if (version > MIGRATIONS.length && !isRefused) {
      return same(part, `schema ${version} of a newer version, which this one can use too`);
    }
    if (missing.some(({ add }) => add === undefined)) {
      const detail = `schema ${version} lacks ${namesOf(missing)}: restore a backup of it`;
      return { part, state: 'refused', detail, seconds: 0 };
    }
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
    const found = versioned(part, 'schema', version, MIGRATIONS.length, () =>
      secondsFor(Number(rows[0].bytes), ACCOUNTS_BYTES_PER_S),
    );
    if (missing.length > 0) {
      const detail = `${found.detail}, and ${namesOf(missing)} are added: they were missing`;
      const seconds = Math.max(1, found.seconds);
      return { part, state: 'upgraded', detail, seconds, ...(canGoBack && { canGoBack }) };
    }
    return found.state === 'upgraded' && canGoBack ? { ...found, canGoBack } : found;
  } catch (error) {
    if (!(error instanceof AccountsUnreachableError)) throw error;
    return { part, state: 'unknown', detail: error.message, seconds: 0 };
  } finally {
    await client?.end();
  }
}

async function storePart(paths: ModePaths): Promise<UpgradePart> {
  const part = `${paths.mode} store`;
  if (!existsSync(paths.market)) return same(part, 'none yet');
  const [{ storedSchemaVersion }, { MIGRATIONS, STORE_VERSION }] = await Promise.all([
    import('../../store/duckdb/connection/open.ts'),
    import('../../store/duckdb/connection/migrations.ts'),
  ]);
  try {
    const version = await storedSchemaVersion(paths);
    const seconds = () => secondsFor(bytesIn(paths.market), STORE_BYTES_PER_S);
    return versioned(part, 'schema', version, STORE_VERSION, seconds, MIGRATIONS[0].version);
  } catch (error) {
    if (!(error instanceof StoreBusyError)) throw error;
    return { part, state: 'unknown', detail: `in use by ${error.holder}; try again`, seconds: 0 };
  }
}

/** Names the loads of filings whose rows older rules made. */
async function statementsPart(paths: ModePaths): Promise<UpgradePart[]> {
  if (!existsSync(paths.market)) return [];
  const [{ outdatedLoadsBefore }, { repeatText }] = await Promise.all([
    import('../../store/duckdb/rows/outdated-loads.ts'),
    import('../../ingest/vendors/sec/repeat-commands.ts'),
  ]);
  try {
    const detail = repeatText(await outdatedLoadsBefore(paths));
    if (detail === undefined) return [];
    return [{ part: `${paths.mode} statements`, state: 'outdated', detail, seconds: 0 }];
  } catch (error) {
    // The store's own part names who has it.
    if (error instanceof StoreBusyError) return [];
    throw error;
  }
}

async function publishedPart({ mode, serving }: ModePaths): Promise<UpgradePart> {
  const part = `${mode} published files`;
  const { FORMAT, isReadable, publishedPosition, readManifest } = await import(
    '../../store/arrow/format/manifest.ts'
  );
  const format = publishedPosition(serving)?.format;
  const republish = () =>
    isReadable(format) ? 0 : secondsFor(bytesIn(serving), PUBLISH_BYTES_PER_S);
  if (format === undefined) {
    // Says why a manifest that exists can't be read.
    readManifest(serving);
    return same(part, 'none yet');
  }
  const found = versioned(part, 'format', format, FORMAT, republish);
  if (found.state !== 'same' || !(await hasOlderCheckpoints(serving))) return found;
  const detail = 'checkpoints of an older layout: the next publish writes all files again';
  return { part, state: 'upgraded', detail, seconds: republish() };
}

async function hasOlderCheckpoints(serving: string): Promise<boolean> {
  const [{ openPublished }, { canContinue }] = await Promise.all([
    import('../../store/arrow/read/reader.ts'),
    import('../../../jobs/publish/checkpoints.ts'),
  ]);
  using published = openPublished(serving);
  return published !== undefined && !canContinue(published);
}

/** Examines the jobs in Redis: a worker refuses those with fields that it does not know. */
async function jobsPart(redisUrl: string | undefined): Promise<UpgradePart[]> {
  if (redisUrl === undefined) return [];
  const part = 'jobs in Redis';
  const [{ connectRedis }, { openQueues }, { foreignJobs }] = await Promise.all([
    import('../../../jobs/redis/connection.ts'),
    import('../../../jobs/redis/queues.ts'),
    import('../../../jobs/redis/foreign-jobs.ts'),
  ]);
  try {
    // The queues would wait for a Redis that is away.
    (await connectRedis(redisUrl)).disconnect();
  } catch (error) {
    if (!(error instanceof QueueUnavailableError)) throw error;
    return [{ part, state: 'unknown', detail: error.message, seconds: 0 }];
  }
  await using queues = openQueues(redisUrl);
  const { unfinished, foreign } = await foreignJobs(queues);
  if (foreign.length === 0) return [same(part, `${unfinished} unfinished, all readable`)];
  const detail =
    `${foreign.length} of ${unfinished} unfinished jobs are of another version, ` +
    `${foreign[0]} first: let the older workers finish them`;
  return [{ part, state: 'refused', detail, seconds: 0 }];
}

function same(part: string, detail: string): UpgradePart {
  return { part, state: 'same', detail, seconds: 0 };
}

function versioned(
  part: string,
  what: string,
  stored: number,
  known: number,
  seconds: () => number,
  oldest = 0,
): UpgradePart {
  if (stored === known) return same(part, `${what} ${stored}`);
  if (stored > known) {
    const detail = `${what} ${stored} is of a newer version; this one knows up to ${known}`;
    return { part, state: 'refused', detail, seconds: 0 };
  }
  if (stored > 0 && stored < oldest) {
    const detail = `${what} ${stored} is of a development version; this one upgrades from ${oldest}`;
    return { part, state: 'refused', detail, seconds: 0 };
  }
  return { part, state: 'upgraded', detail: `${what} ${stored} to ${known}`, seconds: seconds() };
}

function secondsFor(bytes: number, bytesPerS: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerS));
}

function bytesIn(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}
