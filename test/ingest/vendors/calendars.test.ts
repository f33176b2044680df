/** Nasdaq and Cboe on a local server: requests and staged rows. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { HttpClient } from '../../../src/ingest/http/client.ts';
import { probeSource } from '../../../src/ingest/sources/sources.ts';
import { source as cboe, fetchCboe } from '../../../src/ingest/vendors/cboe/source.ts';
import { fetchNasdaq, source as nasdaq } from '../../../src/ingest/vendors/nasdaq/source.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchRows } from '../support/landed-rows.ts';
import { startVendorServer, type VendorServer } from '../support/vendor-server.ts';
import * as samples from './support/row-samples.ts';

const OPTIONS = '/api/global/delayed_quotes/options/';

/** Response of a storage host without the file. */
const DENIED =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

const at = eachTest();
let server: VendorServer;
let answers: Record<string, string | [status: number, body: string]>;

beforeEach(async () => {
  answers = {};
  server = await startVendorServer(({ url }, response) => {
    const answer = answers[url.pathname + url.search] ??
      answers[url.pathname] ?? [404, 'Not found'];
    const [status, body] = typeof answer === 'string' ? [200, answer] : answer;
    response.writeHead(status).end(body);
  });
  const vendorUrls = { NASDAQ: server.url, CBOE: server.url };
  at.context.settings = { ...at.context.settings, vendorUrls };
});
afterEach(() => server.close());

describe('nasdaq', () => {
  const days = { fromDay: dayFromDate('2026-11-19'), toDay: dayFromDate('2026-11-23') };
  const path = (date: string) => `/api/calendar/earnings?date=${date}`;
  beforeEach(() => {
    answers = {
      '/api/calendar/earnings': samples.NASDAQ_NO_REPORTS,
      [path('2026-11-19')]: samples.NASDAQ_EARNINGS,
    };
  });

  it('lands a segment of each day with reports', async () => {
    const { segments, rows } = await fetchRows(fetchNasdaq(days, at.context));
    expect(segments).toMatchObject([
      { dataset: 'earnings-calendar', source: 'nasdaq', origin: 'nasdaq earnings 2026-11-19' },
    ]);
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual({
      symbol: 'INTU',
      company_name: 'Intuit Inc.',
      date: '2026-11-19',
      fiscal_quarter: null,
      time: 'after_market',
      eps_estimate: 1.42,
      revenue_estimate: null,
      as_of: '2026-11-20 22:00:00',
    });
    expect(server.asked.map(({ url }) => url.searchParams.get('date'))).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-23',
    ]);
    expect(server.asked[0].headers['user-agent']).toMatch(/^Mozilla/);
  });

  it('fails, with its rows in the quarantine, where none can be read', async () => {
    const changed = samples.NASDAQ_EARNINGS.replaceAll('"symbol"', '"ticker"');
    answers[path('2026-11-19')] = changed;
    const walk = fetchNasdaq(days, at.context);
    const { value } = await walk.next();
    expect(value).toMatchObject({ accepted: 0, rejected: 3 });
    await expect(walk.next()).rejects.toMatchObject({
      name: 'MalformedInputError',
      message: expect.stringContaining('symbol is missing, and none of 3 rows is good'),
    });
  });

  it('leaves out others than the symbols asked for', async () => {
    const { rows } = await fetchRows(fetchNasdaq({ ...days, symbols: ['BRK.B'] }, at.context));
    expect(rows).toMatchObject([{ symbol: 'BRK.B', eps_estimate: -0.12 }]);
  });

  it('says so where nobody reports, and where it is not let in', async () => {
    answers = { '/api/calendar/earnings': samples.NASDAQ_NO_REPORTS };
    await expect(fetchRows(fetchNasdaq(days, at.context))).rejects.toMatchObject({
      name: 'SourceEmptyError',
    });
    answers = { '/api/calendar/earnings': [403, 'Access Denied'] };
    await expect(fetchRows(fetchNasdaq(days, at.context))).rejects.toMatchObject({
      name: 'SourceBlockedError',
    });
    expect(nasdaq.dryRun(days, at.context.nowMs)).toMatchObject({ requests: 3 });
  });
});

describe('cboe', () => {
  beforeEach(() => {
    answers = {
      [`${OPTIONS}AAPL.json`]: samples.CBOE_OPTIONS,
      [`${OPTIONS}_SPX.json`]: samples.CBOE_OPTIONS.replaceAll('AAPL', 'SPXW'),
      [`${OPTIONS}NOPE.json`]: [403, DENIED],
      [`${OPTIONS}NONE.json`]: '{"data": {"options": []}}',
    };
  });

  it('lands the expirations of all symbols, and names those without', async () => {
    const symbols = ['NOPE', 'AAPL', 'SPX', 'NONE'];
    const { segments, rows } = await fetchRows(fetchCboe({ symbols }, at.context));
    const asOf = '2026-11-20 22:00:00';
    expect(rows).toEqual([
      { symbol: 'AAPL', as_of: asOf, date: '2026-11-27' },
      { symbol: 'AAPL', as_of: asOf, date: '2026-12-18' },
      { symbol: 'SPX', as_of: asOf, date: '2026-11-27' },
      { symbol: 'SPX', as_of: asOf, date: '2026-12-18' },
    ]);
    expect(segments).toMatchObject([
      {
        source: 'cboe',
        skipped: [
          { name: 'NOPE', reason: 'Cboe does not know "NOPE"' },
          { name: 'NONE', reason: 'Cboe has no options of "NONE"' },
        ],
      },
    ]);
  });

  it('tells a symbol that is not there from being blocked', async () => {
    await expect(fetchRows(fetchCboe({ symbols: ['NOPE'] }, at.context))).rejects.toThrow(
      'Cboe gave no expirations: Cboe does not know "NOPE" (NOPE)',
    );
    answers[`${OPTIONS}NOPE.json`] = [403, 'You are blocked'];
    await expect(fetchRows(fetchCboe({ symbols: ['NOPE'] }, at.context))).rejects.toMatchObject({
      name: 'SourceBlockedError',
    });
    expect(() => cboe.dryRun({}, at.context.nowMs)).toThrow('cboe needs --symbols');
  });
});

describe('the probes of doctor', () => {
  it('count rows', async () => {
    answers = {
      '/api/calendar/earnings?date=2026-11-19': samples.NASDAQ_EARNINGS,
      [`${OPTIONS}AAPL.json`]: samples.CBOE_OPTIONS,
    };
    const http = new HttpClient(at.context.settings);
    try {
      const asked = { http, settings: at.context.settings, nowMs: at.context.nowMs };
      expect(await probeSource('nasdaq', asked)).toBe(3);
      expect(await probeSource('cboe', asked)).toBe(2);
      // A field has another name. Every row is refused, which is neither an empty day nor an
      // outage.
      const { NASDAQ_EARNINGS } = samples;
      const changed = NASDAQ_EARNINGS.replaceAll('"symbol"', '"ticker"');
      answers['/api/calendar/earnings?date=2026-11-19'] = changed;
      await expect(probeSource('nasdaq', asked)).rejects.toMatchObject({
        name: 'MalformedInputError',
        message: expect.stringContaining('symbol is missing, and none of 3 rows is good'),
      });
    } finally {
      await http.close();
    }
  });
});
