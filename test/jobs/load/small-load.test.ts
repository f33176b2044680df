/**
 * Statements of a load of two rows, and of its publish: DuckDB takes 0.5 to 10 ms of processor time
 * to plan each, which is most of what such a load takes. A bound that a change lowers is lowered here.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { afterEach, expect, it, vi } from 'vitest';
import { backfillRequest } from '../../../jobs/runner/run-request.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';
import { useLimits } from '../../support/use-limits.ts';

useLimits(limits.store, { idleMs: 1_000_000, heldMs: 1_000_000 });
afterEach(() => vi.restoreAllMocks());

/** Counts calls that run a statement; one of a connection with values runs a prepared one. */
function countStatements(): () => number {
  const runs = [
    vi.spyOn(DuckDBConnection.prototype, 'run'),
    vi.spyOn(DuckDBConnection.prototype, 'stream'),
  ];
  const prepared = [
    vi.spyOn(DuckDBPreparedStatement.prototype, 'run'),
    vi.spyOn(DuckDBPreparedStatement.prototype, 'stream'),
  ];
  return () =>
    runs.flatMap(({ mock }) => mock.calls).filter(([, values]) => values === undefined).length +
    prepared.flatMap(({ mock }) => mock.calls).length;
}

it('a load of two rows asks DuckDB few questions', async () => {
  const folder = freshFolder();
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: join(folder, 'data') });
  const statementsOf = async (symbol: string, dates: string[]): Promise<number> => {
    const path = join(folder, `${symbol}.csv`);
    const rows = dates.map((date) => `${date},10,11,9,10,100\n`);
    writeFileSync(path, `date,open,high,low,close,volume\n${rows.join('')}`);
    const count = countStatements();
    const options = { dataset: 'candles', path };
    const reporting = { settings, onWaiting() {}, onProgress() {} };
    const outcome = await backfillRequest({ mode: 'live', source: 'files', options }, reporting);
    expect(outcome).toMatchObject({ report: { accepted: 2, seriesChanged: 1 } });
    const statements = count();
    vi.restoreAllMocks();
    return statements;
  };
  const first = await statementsOf('ACME', ['2026-07-06', '2026-07-07']);
  const nextSymbol = await statementsOf('BCME', ['2026-07-06', '2026-07-07']);
  const nextDays = await statementsOf('ACME', ['2026-07-08', '2026-07-09']);
  expect(first).toBeLessThanOrEqual(66);
  expect(nextSymbol).toBeLessThanOrEqual(63);
  expect(nextDays).toBeLessThanOrEqual(60);
});
