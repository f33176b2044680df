/** The directory route over the real files of Nasdaq Trader and the SEC. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDirectory } from '../../../../jobs/load/load-directory.ts';
import { symbolPageSchema } from '../../../../src/api/routes/symbols/schema.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { canonicalSymbol } from '../../../../src/base/symbols.ts';
import { readSymbolDirectory } from '../../../../src/ingest/vendors/symbols/source.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { NOW_MS } from '../../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe.skipIf(!hasRealdata)('GET /svc/symbols over the real directories', () => {
  const dataDir = sharedFolder();
  let server: TestServer;

  beforeAll(async () => {
    const directory = await readSymbolDirectory([
      realdata('reference/nasdaqtrader'),
      realdata('sec/company_tickers_exchange.json'),
    ]);
    await loadDirectory(modePaths(dataDir, 'sandbox'), directory, { verb: 'test', nowMs: NOW_MS });
    server = await startTestServer(dataDir, NOW_MS);
  });
  afterAll(() => server.close());

  const page = async (query: string) =>
    symbolPageSchema.parse((await server.get(`/v1/svc/symbols?${query}`)).json);

  it('has each symbol once, canonical and ascending', async () => {
    const version = openPublished(modePaths(dataDir, 'sandbox').serving)!;
    const symbols = version.listings.symbol;
    version.close();
    expect(symbols).toHaveLength(14_752);
    expect(symbols).toEqual([...new Set(symbols)].sort());
    expect(symbols.filter((symbol) => canonicalSymbol(symbol) !== symbol)).toEqual([]);
    const { data, total } = await page('limit=100');
    expect([data.map(({ symbol }) => symbol), total]).toEqual([symbols.slice(0, 100), 14_752]);
  });

  it.each([
    ['search=aapl', 'AAPL', 'Apple Inc.'],
    ['search=berkshire+hathaway&exchange=NYSE', 'BRK.A', 'Berkshire Hathaway Inc.'],
    ['search=brk-b', 'BRK.B', 'Berkshire Hathaway Inc.'],
    ['search=apple+inc', 'AAPL', 'Apple Inc.'],
  ])('%s finds %s', async (query, symbol, companyName) => {
    const { data } = await page(query);
    expect(data.find((row) => row.symbol === symbol)).toMatchObject({ companyName });
  });

  it('counts Arca as AMEX and other markets as none', async () => {
    const { data } = await page('search=spy&exchange=AMEX&type=etf');
    expect(data.map(({ symbol }) => symbol)).toContain('SPY');
    const names = ['NYSE', 'NASDAQ', 'AMEX'].map((name) => page(`exchange=${name}`));
    const listed = (await Promise.all(names)).reduce((sum, { total }) => sum + total, 0);
    expect(listed).toBeLessThan((await page('')).total);
    const { data: cboe } = await page('search=cboe');
    expect(cboe.find(({ symbol }) => symbol === 'CBOE')).toMatchObject({ exchange: null });
  });
});
