/** Half years of a company that files no quarters, in statements, balance sheets and ratios. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { publish } from '../../../../jobs/publish/publish.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { land, loadSegment } from '../../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const NOW_MS = Date.parse('2026-07-01T15:00:00Z');
const DAY_MS = 86_400_000;

const row = (date: string, period: string, amounts: object) => {
  const day = dayFromDate(date);
  const head = { symbol: 'AAPL', date: day, period, filedAt: (day + 50) * DAY_MS };
  return { ...head, currency: 'USD', ...amounts };
};

const ROWS = {
  statements: [
    row('2024-12-31', 'semiannual', { revenue: 430, grossProfit: 215 }),
    row('2025-06-30', 'semiannual', { revenue: 420, grossProfit: 205 }),
    row('2024-12-31', 'annual', { revenue: 820, grossProfit: 410 }),
  ],
  'balance-sheet': [
    // Sheets of days between are of acquisitions.
    row('2025-03-31', 'quarterly', { totalAssets: 990 }),
    row('2025-06-30', 'quarterly', { totalAssets: 1000 }),
    row('2024-12-31', 'quarterly', { totalAssets: 900 }),
    row('2024-12-31', 'annual', { totalAssets: 900 }),
  ],
} as const;

const dataDir = sharedFolder();
let server: TestServer;

beforeAll(async () => {
  const paths = modePaths(dataDir, 'sandbox');
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  try {
    for (const dataset of ['statements', 'balance-sheet'] as const) {
      await loadSegment(db, await land(dataset, [...ROWS[dataset]]));
    }
  } finally {
    db.close();
  }
  await publish(paths, { verb: 'test', nowMs: NOW_MS });
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(async () => {
  await server?.close();
});

async function halvesOf(statement: string, figure: string): Promise<unknown[]> {
  const path = `/v1/svc/fundamentals/AAPL/${statement}?period=semiannual`;
  const { status, text, json } = await server.get(path);
  expect(status, text).toBe(200);
  const { data } = json as { data: Record<string, unknown>[] };
  return data.map((one) => [one.date, one.period, one[figure]]);
}

it.each([
  ['statements', 'revenue', 420, 430],
  ['balance-sheet', 'totalAssets', 1000, 900],
  // Ratios have the flows of twelve months.
  ['ratios', 'grossMargin', 420 / 850, 0.5],
])('lists half years of %s', async (statement, figure, newest, before) => {
  expect(await halvesOf(statement, figure)).toEqual([
    ['2025-06-30', 'semiannual', newest],
    ['2024-12-31', 'semiannual', before],
  ]);
});
