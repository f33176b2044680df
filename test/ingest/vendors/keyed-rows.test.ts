/** Finnhub and FMP behind a local server: what they are asked, and what is landed of it. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { source as finnhub } from '../../../src/ingest/vendors/finnhub/source.ts';
import { source as fmp } from '../../../src/ingest/vendors/fmp/source.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchRows } from '../support/landed-rows.ts';
import { startVendorServer, type VendorServer } from '../support/vendor-server.ts';
import * as samples from './support/row-samples.ts';

const REFUSED = '{"error": "You don\'t have access to this resource."}';

const at = eachTest();
let server: VendorServer;
let bodies: Record<string, string>;

beforeEach(async () => {
  server = await startVendorServer(({ url, headers }, response) => {
    const isKnown =
      headers['x-finnhub-token'] === 'sesame' || url.searchParams.get('apikey') === 'sesame';
    const body =
      bodies[`${url.pathname} ${url.searchParams.get('symbol')}`] ?? bodies[url.pathname];
    if (isKnown && body !== undefined) response.end(body);
    else response.writeHead(403).end(REFUSED);
  });
  at.context.settings = {
    ...at.context.settings,
    vendorUrls: { FINNHUB: server.url, FMP: server.url },
    vendorKeys: { FINNHUB: 'sesame', FMP: 'sesame' },
  };
});
afterEach(() => server.close());

const asked = () => server.asked.map(({ url }) => url.pathname);
const datasets = (segments: { dataset: string; accepted: number }[]) =>
  segments.map(({ dataset, accepted }) => `${dataset} ${accepted}`);
const week = { fromDay: dayFromDate('2026-11-23'), toDay: dayFromDate('2026-11-29') };

describe('finnhub', () => {
  beforeEach(() => {
    bodies = {
      '/api/v1/calendar/earnings': samples.FINNHUB_EARNINGS,
      '/api/v1/stock/recommendation': '[]',
      '/api/v1/stock/recommendation AAPL': samples.FINNHUB_RECOMMENDATIONS,
    };
  });

  it('lands earnings dates of all companies, a request a week', async () => {
    const { segments, rows } = await fetchRows(
      finnhub.fetch({ ...week, toDay: week.toDay + 1 }, at.context),
    );
    expect(datasets(segments)).toEqual(['earnings-calendar 2', 'earnings-calendar 2']);
    expect(rows[0]).toMatchObject({ symbol: 'AAPL', fiscal_quarter: '2027-Q1' });
    expect(server.asked.map(({ url }) => url.search)).toEqual([
      '?from=2026-11-23&to=2026-11-29',
      '?from=2026-11-30&to=2026-11-30',
    ]);
    expect(finnhub.dryRun({ ...week, symbols: ['AAPL'] }, at.context.nowMs)).toMatchObject({
      requests: 4,
    });
  });

  it('goes on without what the plan lacks, asks for it once, and says so', async () => {
    const symbols = ['AAPL', 'NOPE'];
    const { segments } = await fetchRows(finnhub.fetch({ ...week, symbols }, at.context));
    expect(datasets(segments)).toEqual(['earnings-calendar 1', 'analyst-consensus 2']);
    expect(segments.flatMap(({ skipped }) => skipped.map(({ name }) => name))).toEqual([
      '/api/v1/stock/price-target',
      '/api/v1/stock/upgrade-downgrade',
      'NOPE',
    ]);
    expect(asked().filter((path) => path.endsWith('price-target'))).toHaveLength(1);
  });

  it('gives targets and grades on a plan that has them', async () => {
    bodies['/api/v1/stock/price-target'] = samples.FINNHUB_TARGETS;
    bodies['/api/v1/stock/upgrade-downgrade'] = samples.FINNHUB_GRADES;
    const { segments, rows } = await fetchRows(
      finnhub.fetch({ ...week, symbols: ['AAPL'] }, at.context),
    );
    expect(datasets(segments)).toEqual([
      'earnings-calendar 1',
      'analyst-consensus 2',
      'upgrades-downgrades 1',
    ]);
    expect(rows).toContainEqual(
      expect.objectContaining({ firm: 'Evercore ISI', from_grade: null }),
    );
  });

  it('ends where the key is missing or wrong', async () => {
    at.context.settings = { ...at.context.settings, vendorKeys: {} };
    await expect(fetchRows(finnhub.fetch(week, at.context))).rejects.toThrow(
      'TAPEWORKS_FINNHUB_KEY',
    );
    at.context.settings = { ...at.context.settings, vendorKeys: { FINNHUB: 'wrong' } };
    await expect(fetchRows(finnhub.fetch(week, at.context))).rejects.toMatchObject({
      name: 'SubscriptionNeededError',
    });
  });
});

describe('fmp', () => {
  beforeEach(() => {
    bodies = {
      '/stable/earnings-calendar': samples.FMP_EARNINGS,
      '/stable/grades-consensus AAPL': samples.FMP_COUNTS,
      '/stable/price-target-consensus AAPL': samples.FMP_CONSENSUS_TARGETS,
      '/stable/grades AAPL': samples.FMP_GRADES,
      '/stable/price-target-news AAPL': samples.FMP_TARGETS,
    };
  });

  it('lands four datasets, of symbols that the plan includes', async () => {
    const symbols = ['BRK.B', 'AAPL'];
    const { segments } = await fetchRows(fmp.fetch({ ...week, symbols }, at.context));
    expect(datasets(segments)).toEqual([
      'earnings-calendar 1',
      'analyst-consensus 1',
      'upgrades-downgrades 1',
      'analyst-targets 1',
    ]);
    const skipped = segments.flatMap((segment) => segment.skipped.map(({ name }) => name));
    expect(skipped).toHaveLength(5);
    expect(skipped).toContain('/stable/grades BRK-B');
  });

  it('ends after a few refusals where nothing is let through', async () => {
    bodies = {};
    const symbols = ['A', 'B', 'C', 'D'];
    await expect(fetchRows(fmp.fetch({ ...week, symbols }, at.context))).rejects.toMatchObject({
      name: 'SubscriptionNeededError',
    });
    expect(server.asked).toHaveLength(5);
  });

  it('shows its key in no message', async () => {
    bodies = {};
    const refusal = await fetchRows(fmp.fetch(week, at.context)).catch(
      (error: Error) => error.message,
    );
    expect(refusal).not.toContain('sesame');
  });
});
