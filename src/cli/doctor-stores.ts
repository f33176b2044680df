/** The checks of `doctor` that read what is stored: versions, and damage. */

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../config.ts';
import { accountsPath, MODES, type Mode, modePaths } from '../data-dir.ts';
import { CorruptDataError, StoreBusyError, TapeworksError } from '../errors.ts';
import { damagedRows } from '../store/accounts/row-mac.ts';
import type { Check } from './doctor-setup.ts';

export async function checkStores({ dataDir }: Pick<Settings, 'dataDir'>): Promise<Check[]> {
  const checks = MODES.flatMap((mode) => [
    checked(`${mode} store`, () => checkMarket(dataDir, mode)),
    checked(`${mode} serving files`, () => checkServing(dataDir, mode)),
  ]);
  return Promise.all([...checks, checked('accounts', async () => checkAccounts(dataDir))]);
}

/** Runs a check that gives its detail, or throws what is wrong. */
async function checked(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', detail: await check() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    // Somebody works with it, so it is whole enough.
    if (error instanceof StoreBusyError) return { name, state: 'note', detail };
    if (error instanceof TapeworksError) return { name, state: 'failed', detail };
    return { name, state: 'failed', detail: `it can't be read: ${detail}` };
  }
}

/** Reads every row group's statistics, the ledger and the newest bars. */
async function checkMarket(dataDir: string, mode: Mode): Promise<string> {
  const paths = modePaths(dataDir, mode);
  if (!existsSync(paths.market)) return 'nothing loaded yet';
  const { queryMarket } = await import('../store/market/query.ts');
  const { rows } = await queryMarket(
    paths,
    'SELECT (SELECT count(*) FROM segments) AS segments, count(*) AS bars, sum(close) AS closes FROM candles',
  );
  const [{ segments, bars }] = rows;
  return `${segments} segments, ${bars} bars`;
}

/** Reads every daily bar that is served, checksums included. */
async function checkServing(dataDir: string, mode: Mode): Promise<string> {
  const { openPublished } = await import('../store/serving/reader.ts');
  const published = openPublished(modePaths(dataDir, mode).serving);
  if (!published) return 'nothing published yet';
  try {
    let bars = 0;
    for (const symbol of published.symbols) bars += published.bars(symbol, '1d').close.length;
    return `version ${published.id}, ${published.symbols.length} symbols, ${bars} daily bars`;
  } finally {
    published.close();
  }
}

function checkAccounts(dataDir: string): string {
  const path = accountsPath(dataDir);
  if (!existsSync(path)) return 'no keys yet';
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // Indexes too: a damaged one hides rows that are whole.
    const { integrity_check: said } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (said !== 'ok') throw new Error(said);
    const damaged = damagedRows(database).map(({ table, id }) => `${id} in ${table}`);
    if (damaged.length > 0) throw new CorruptDataError(`damaged rows: ${damaged.join(', ')}`);
    return 'whole';
  } finally {
    database.close();
  }
}
