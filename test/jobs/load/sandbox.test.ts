/** The sandbox from its generator to the tables, in one go and session by session. */

import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillSandbox } from '../../../jobs/load/sandbox.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { SANDBOX_DATASETS } from '../../../src/sandbox/rows.ts';
import {
  columnOfField,
  tableColumns,
} from '../../../src/store/duckdb/connection/dataset-columns.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';
import { isLong } from '../../faults/scale.ts';
import { sharedFolder } from '../../support/folders.ts';

const plan = { stocks: 12, fromDay: dayFromDate('2026-09-01') };
const root = sharedFolder();
let filled: Awaited<ReturnType<typeof fillSandbox>>;

const pathsOf = (name: string) => modePaths(join(root, name), 'sandbox');
const depsAt = (now: string) => ({
  verb: 'test',
  nowMs: Date.parse(now),
  settings: settingsFromEnv({}),
});
const fill = (name: string, now: string) => fillSandbox(pathsOf(name), plan, depsAt(now));

/** Rows of every dataset that became known since July 2025, which both have whole, without where they came from. */
async function storedRows(name: string): Promise<Record<string, unknown[]>> {
  const market = await openMarketForWriting(pathsOf(name), depsAt('2026-11-20T22:00:00Z'));
  const rows: Record<string, unknown[]> = {};
  try {
    for (const dataset of rowDatasets) {
      const columns = tableColumns(dataset).map(({ column }) => column);
      const isList = dataset.name === 'expirations';
      const newest = isList ? "as_of > TIMESTAMP '2026-11-16'" : 'true';
      const time = columnOfField(dataset.time);
      rows[dataset.name] = await selectRows(
        market.connection,
        `SELECT ${columns.map((column) => `${column}::VARCHAR AS ${column}`).join(', ')}
         FROM ${dataset.table} WHERE ${time} > TIMESTAMP '2025-07-01' AND ${newest} ORDER BY ALL`,
      );
    }
  } finally {
    market.close();
  }
  return rows;
}

beforeAll(async () => {
  filled = await fill('whole', '2026-11-20T22:00:00Z');
});

describe('fillSandbox', () => {
  it('stores rows of every dataset', async () => {
    const whole = await storedRows('whole');
    for (const { dataset } of SANDBOX_DATASETS)
      expect([dataset.name, whole[dataset.name].length > 20]).toEqual([dataset.name, true]);
  });

  it.runIf(isLong)('stores the same in one go and session by session', async () => {
    await fill('stepped', '2026-11-17T22:00:00Z');
    await fill('stepped', '2026-11-20T22:00:00Z');
    expect(await storedRows('stepped')).toEqual(await storedRows('whole'));
  });

  it('adds nothing where nothing is new', async () => {
    const { segments, rowsChanged } = await fill('whole', '2026-11-20T23:00:00Z');
    expect([segments, rowsChanged]).toEqual([0, 0]);
  });

  it('refuses none of its rows', () => {
    expect(filled.accepted).toBeGreaterThan(0);
    expect(filled.rejected).toBe(0);
  });
});
