/** Checks of stored data: versions and damage. */

import type { Settings } from '../../base/config/config.ts';
import { accountsPath, MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { manyText } from '../../base/count-text.ts';
import { readIntegrity } from '../../base/integrity-record.ts';
import { existsSync } from '../../base/world/files.ts';
import { checkAccountsFile } from '../../store/accounts/sqlite/check.ts';
import { readReplicaState } from '../../store/objects/replica-state.ts';
import { type Check, checked } from './setup.ts';

export async function checkStores({
  dataDir,
  accountsUrl,
}: Pick<Settings, 'dataDir' | 'accountsUrl'>): Promise<Check[]> {
  const checks = MODES.flatMap((mode) => [
    checked(`${mode} store`, () => checkMarket(dataDir, mode)),
    checked(`${mode} serving files`, () => checkServing(dataDir, mode)),
  ]);
  // A file that was moved to Postgres is used no more.
  if (accountsUrl === undefined)
    checks.push(checked('accounts', async () => checkAccounts(dataDir)));
  return [
    ...(await Promise.all(checks)),
    ...(await checkStatements(dataDir)),
    checkIntegrity(dataDir),
  ];
}

/** Reads every row group's statistics, the ledger and the newest bars. */
async function checkMarket(dataDir: string, mode: Mode): Promise<string> {
  const paths = modePaths(dataDir, mode);
  if (readReplicaState(paths.replicaState)) return 'none: this data folder is a replica';
  const { requireStoreNotLost } = await import('../../store/duckdb/connection/missing-store.ts');
  requireStoreNotLost(paths);
  if (!existsSync(paths.market)) return 'nothing loaded yet';
  const { queryMarket } = await import('../../store/duckdb/connection/query.ts');
  const { rows } = await queryMarket(
    paths,
    'SELECT (SELECT count(*) FROM segments) AS segments, count(*) AS bars, sum(close) AS closes FROM candles',
  );
  const [{ segments, bars }] = rows;
  return `${segments} segments, ${bars} bars`;
}

/** Names the loads of statements that newer rules would make otherwise; none of a damaged store. */
async function checkStatements(dataDir: string): Promise<Check[]> {
  const paths = modePaths(dataDir, 'live');
  if (!existsSync(paths.market)) return [];
  const [{ outdatedLoads }, { repeatText }] = await Promise.all([
    import('../../store/duckdb/rows/outdated-loads.ts'),
    import('../../ingest/vendors/sec/repeat-commands.ts'),
  ]);
  // The check of the store says why it can't be read.
  const loads = await outdatedLoads(paths).catch(() => undefined);
  if (loads === undefined) return [];
  const text = repeatText(loads);
  const name = 'live statements';
  return [
    text === undefined
      ? { name, state: 'ok', detail: 'made by the rules of this version' }
      : { name, state: 'note', detail: text },
  ];
}

/** Reads every served file against its checksums, as the scheduled check does. */
async function checkServing(dataDir: string, mode: Mode): Promise<string> {
  const paths = modePaths(dataDir, mode);
  const [{ servingParts }, { openPublished }] = await Promise.all([
    import('../../../jobs/maintenance/integrity-parts.ts'),
    import('../../store/arrow/read/reader.ts'),
  ]);
  const parts = servingParts(paths);
  for (const part of parts) await part.check();
  using published = openPublished(paths.serving)?.requireWhole();
  if (!published) return 'nothing published yet';
  return `version ${published.id}, ${manyText(published.symbols.length, 'symbol')}, ${manyText(parts.length, 'file')}`;
}

function checkAccounts(dataDir: string): string {
  const path = accountsPath(dataDir);
  if (!existsSync(path)) return 'no keys yet';
  checkAccountsFile(path);
  return 'intact';
}

/** Reports the scheduled check of all data, which covers more than `doctor` has time for. */
function checkIntegrity(dataDir: string): Check {
  const name = 'integrity';
  const { ranMs, roundEndedMs, faults } = readIntegrity(dataDir);
  if (faults.length > 0) {
    const [{ part, fault, remedy }] = faults;
    const others = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
    return { name, state: 'failed', detail: `${part}: ${fault}: ${remedy}${others}` };
  }
  if (ranMs === null) {
    const detail =
      'not all data checked yet (to check it now: tapeworks maintenance integrity --all)';
    return { name, state: 'note', detail };
  }
  const round =
    roundEndedMs === null
      ? 'first full check still running'
      : `last full check ${new Date(roundEndedMs).toISOString()}`;
  return { name, state: 'ok', detail: `last check ${new Date(ranMs).toISOString()}, ${round}` };
}
