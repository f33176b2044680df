/** Company facts from a file to the store: rows under each ticker, facts in the directory. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadSegments } from '../../../jobs/load/backfill.ts';
import { readStoredTickers } from '../../../jobs/load/stored.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { fetchSec } from '../../../src/ingest/vendors/sec/source.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';
import { readDirectory } from '../../../src/store/duckdb/securities/symbols.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { factsJson, income } from '../../ingest/vendors/sec/support/facts-json.ts';
import { freshFolder } from '../../support/folders.ts';

const NOW = '2026-01-05T12:00:00Z';
const DEPS = { verb: 'backfill sec', nowMs: Date.parse(NOW) };

let root: string;
let paths: ModePaths;

beforeEach(async () => {
  root = freshFolder();
  paths = modePaths(root, 'live');
  await mkdir(join(root, 'in'));
  const figures = { Revenues: 100, NetIncomeLoss: 10 };
  const facts = factsJson([
    { filed: '2025-02-01', fy: 2024, fp: 'FY', facts: income('2024-01-01', '2024-12-31', figures) },
  ]);
  const company = {
    cik: '1',
    name: 'Test Corp',
    sic: '6021',
    sicDescription: 'National Commercial Banks',
    tickers: ['TST', 'TSTA'],
    exchanges: ['Nasdaq', 'OTC'],
    addresses: { business: { stateOrCountry: 'NY' } },
    filings: { recent: { accessionNumber: [], acceptanceDateTime: [] } },
  };
  await writeFile(join(root, 'in', 'facts.json'), JSON.stringify(facts));
  await writeFile(join(root, 'in', 'company.json'), JSON.stringify(company));
});

async function load() {
  const context = { ...testContext(root, NOW), paths: { ...paths, feeds: join(root, 'feeds') } };
  return loadSegments(paths, fetchSec({ paths: [join(root, 'in')] }, context), DEPS);
}

it('fills statements and the directory, and changes nothing the second time', async () => {
  expect(await load()).toMatchObject({
    segments: 3,
    alreadyLoaded: 0,
    rowsChanged: 4,
    rejected: 0,
  });
  expect(await load()).toMatchObject({ segments: 3, alreadyLoaded: 3, rowsChanged: 0 });
  const market = await openMarketForWriting(paths, DEPS);
  try {
    const rows = await selectRows(
      market.connection,
      `SELECT symbol, date::VARCHAR AS date, period, fiscal_year::INTEGER AS year, revenue, currency
       FROM statements ORDER BY symbol`,
    );
    const row = { date: '2024-12-31', period: 'annual', year: 2024, revenue: 100, currency: 'USD' };
    expect(rows).toEqual([
      { symbol: 'TST', ...row },
      { symbol: 'TSTA', ...row },
    ]);
    const facts = { cik: 1, country: 'US', sector: 'Financial Services', companyName: 'Test Corp' };
    expect(await readDirectory(market)).toMatchObject([
      { symbol: 'TST', exchange: 'NASDAQ', industry: 'National Commercial Banks', ...facts },
      { symbol: 'TSTA', exchange: null, venue: 'OTC', ...facts },
    ]);
  } finally {
    market.close();
  }
  expect(await readStoredTickers(paths, DEPS)).toEqual(new Map([[1, ['TST', 'TSTA']]]));
});
