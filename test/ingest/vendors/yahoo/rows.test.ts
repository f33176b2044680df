/** Yahoo's recorded answers about analysts and options, replayed through the real client. */

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchYahooRows } from '../../../../src/ingest/vendors/yahoo/rows.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { eachTest } from '../../support/each-test.ts';
import { fetchRows } from '../../support/landed-rows.ts';
import { startVendorServer, type VendorServer } from '../../support/vendor-server.ts';

const UNKNOWN = JSON.stringify({
  quoteSummary: { result: null, error: { code: 'Not Found', description: 'Quote not found' } },
});

describe.skipIf(!hasRealdata)('rows of yahoo', () => {
  const at = eachTest('2025-03-01T12:00:00Z');
  let server: VendorServer;
  let crumb: string;

  const recorded = (path: string) => readFileSync(realdata(`vendor_json/${path}`), 'utf8');
  const SUMMARY =
    'yahoo_quoteSummary/recommendationTrend/quoteSummary-recommendationTrend-AAPL.json';

  beforeEach(async () => {
    crumb = 'a.Crumb';
    server = await startVendorServer(({ url, headers }, response) => {
      const symbol = url.pathname.split('/').at(-1);
      const isAllowed = headers.cookie === 'A3=x; B=y' && url.searchParams.get('crumb') === crumb;
      if (url.pathname === '/') {
        response.writeHead(404, { 'set-cookie': ['A3=x; Domain=.yahoo.com; Secure', 'B=y'] }).end();
      } else if (url.pathname === '/v1/test/getcrumb') response.end(crumb);
      else if (!isAllowed) response.writeHead(401).end('{"finance": {"error": "Invalid Crumb"}}');
      else if (symbol !== 'BRK-B') response.writeHead(404).end(UNKNOWN);
      else if (url.pathname.startsWith('/v7'))
        response.end(recorded('yahoo_options/options-AAPL.json'));
      else response.end(recorded(SUMMARY));
    });
    at.context.settings = { ...at.context.settings, vendorUrls: { YAHOO: server.url } };
  });
  afterEach(() => server.close());

  it('land a segment a dataset, with cookie and crumb', async () => {
    const symbols = ['BRK.B', 'NOPE'];
    const { segments, rows } = await fetchRows(
      fetchYahooRows({ symbols, dataset: 'analysts' }, at.context),
    );
    expect(segments).toMatchObject([
      { dataset: 'analyst-consensus', source: 'yahoo', accepted: 1 },
    ]);
    expect(segments[0].skipped).toEqual([
      { name: 'NOPE', reason: 'Yahoo does not know "NOPE" (Quote not found)' },
    ]);
    expect(rows).toMatchObject([{ symbol: 'BRK.B', strong_buy: '7', target_high: null }]);
    expect(server.asked[2].url.searchParams.get('modules')).toBe(
      'upgradeDowngradeHistory,recommendationTrend,financialData,calendarEvents',
    );
  });

  it('are expirations where those are asked for', async () => {
    const asked = { symbols: ['NOPE', 'BRK.B'], dataset: 'expirations' };
    const { segments, rows } = await fetchRows(fetchYahooRows(asked, at.context));
    expect([segments.length, rows.length]).toEqual([1, 19]);
    expect(rows[0]).toEqual({ symbol: 'BRK.B', as_of: '2025-03-01 12:00:00', date: '2025-03-07' });
  });

  it('are refused where Yahoo gives no crumb, and no message holds one', async () => {
    const asked = { symbols: ['BRK.B'], dataset: 'analysts' };
    crumb = '<html>consent</html>';
    await expect(fetchRows(fetchYahooRows(asked, at.context))).rejects.toThrow(
      'Yahoo refuses: it gives no cookie and crumb',
    );
    await expect(fetchRows(fetchYahooRows({ ...asked, symbols: [] }, at.context))).rejects.toThrow(
      'yahoo needs --symbols',
    );
  });
});
