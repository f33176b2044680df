/**
 * Filings that newer rules read again. Amazon's quarter to March 2011 was served with 13,185 m of
 * revenue after an upgrade, since a version that the new rules no longer make stayed in the store.
 */

import { describe, expect, it } from 'vitest';
import { STATEMENT_RULES } from '../../../../src/base/companies/statement-rules.ts';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { FetchedRows } from '../../../../src/ingest/contract/fetch-context.ts';
import { repeatText } from '../../../../src/ingest/vendors/sec/repeat-commands.ts';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { loadRowBatch } from '../../../../src/store/duckdb/load/load-rows.ts';
import { outdatedLoads } from '../../../../src/store/duckdb/rows/outdated-loads.ts';
import { freshPaths, NOW_MS, query } from '../support/fixtures.ts';
import { land } from '../support/row-fixtures.ts';

const FILED = dayFromDate('2011-04-28');
const filedAt = FILED * 86_400_000 + 75_600_000;

function quarter(accession: string, revenue: number | null, values: DatasetRow = {}): DatasetRow {
  const period = { date: dayFromDate('2011-03-31'), period: 'quarterly', filedAt };
  return { symbol: 'AMZN', ...period, accession, revenue, currency: 'USD', ...values };
}

/** Rows by rules of a number, of filings that were read. */
function ruled(
  dataset: string,
  rows: readonly DatasetRow[],
  rules: number,
  accessions: readonly string[],
  isFace = false,
): Promise<FetchedRows> {
  const filings = accessions.map((accession) => [accession, FILED, FILED] as const);
  const companies = [{ tickers: ['AMZN'], filings }];
  return land(dataset, rows, 'sec', undefined, { rules, filings: { isFace, companies } });
}

/** Loads segments one by one, or in one batch, and reads a column. */
async function loaded(
  paths: ModePaths,
  batches: readonly (readonly FetchedRows[])[],
  column: string,
): Promise<unknown[]> {
  using db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  for (const batch of batches) {
    const inputs = batch.map((segment) => ({ segment }));
    await loadRowBatch(db, inputs, NOW_MS);
  }
  return (await query(db, `SELECT ${column} FROM ${batches[0][0].dataset} ORDER BY ALL`)).flat();
}

describe('a load by newer rules', () => {
  it('replaces all that older ones made of filings that it read, and is named until then', async () => {
    const paths = freshPaths();
    const before = await land(
      'statements',
      [quarter('q1', 13_185), quarter('q2', 9857, { filedAt: filedAt + 1 })],
      'sec',
    );
    const revenue = 'accession || coalesce(revenue, -1)::INTEGER';
    const older = { ...before, origin: 'https://data.sec.gov' };
    expect(await loaded(paths, [[older]], revenue)).toEqual(['q113185', 'q29857']);
    expect(repeatText(await outdatedLoads(paths))).toBe(
      'statements of AMZN were made by older rules: run tapeworks backfill sec --symbols AMZN',
    );
    const now = await ruled('statements', [quarter('q2', null)], STATEMENT_RULES, ['q1', 'q2']);
    expect(await loaded(paths, [[now]], revenue)).toEqual(['q2-1']);
    expect(await outdatedLoads(paths)).toEqual([]);
  });

  it('leaves rows of filings that it did not read, and of statements if it read facts', async () => {
    const older = [
      quarter('q1', 13_185),
      quarter('q1', 9000, { readFrom: 'face' }),
      quarter('q2', 9857, { filedAt: filedAt + 1 }),
    ];
    const segments = [await land('statements', older, 'sec')];
    // The same key, with less: the greater values would win by themselves.
    segments.push(await ruled('statements', [quarter('q1', null)], 1, ['q1']));
    expect(await loaded(freshPaths(), [segments], 'revenue')).toEqual([9000, 9857, null]);
  });

  it('replaces counts of shares by the day of the filing', async () => {
    const count = (kind: string, shares: number, day = 0) => {
      const moment = filedAt + day * 86_400_000;
      return { symbol: 'AMZN', date: FILED - 9, filedAt: moment, kind, shares };
    };
    const older = [count('cover', 5), count('weighted', 6), count('weighted', 7, 1)];
    const segments = [
      await land('shares', older, 'sec'),
      await ruled('shares', [count('balance', 8)], 1, ['q1'], true),
    ];
    expect(await loaded(freshPaths(), [segments], 'shares')).toEqual([5, 7, 8]);
  });
});

it('repeats quarters as one range, and other inputs as they were given', () => {
  const set = (name: string) => `https://www.sec.gov/files/dera/data/sets/${name}.zip`;
  const origins = [
    ...[`${set('2024q3')} (in part)`, set('2023q4'), `${set('2024q1')} of A, B`],
    ...['https://data.sec.gov', '/d/live/scratch/sec/companyfacts.zip, /d/live/x.zip'],
    ...['/t/src/ingest/vendors/sec/sample/files', 'my facts/CIK1.json, 2024q2.zip'],
  ];
  const loads = origins.map((origin) => ({ origin, symbols: ['B', 'A'] }));
  expect(repeatText(loads)?.split(/: run |; /)).toEqual([
    'statements of 2 symbols were made by older rules',
    'tapeworks backfill sec --statements 2023q4..2024q3',
    'tapeworks backfill sec --statements 2024q1 --symbols A,B',
    'tapeworks backfill sec --symbols A,B',
    'tapeworks backfill sec --bulk',
    'tapeworks backfill sec --sample',
    "tapeworks backfill sec 'my facts/CIK1.json' 2024q2.zip",
  ]);
});
