/** Insiders' filings over the network, from a local server that stands in for the SEC. */

import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ConfigError,
  MalformedInputError,
  RateLimitedError,
  SourceEmptyError,
} from '../../../../src/base/errors.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../../src/ingest/contract/source-options.ts';
import { HttpClient } from '../../../../src/ingest/http/client.ts';
import { probeSource } from '../../../../src/ingest/sources/sources.ts';
import { fetchForm4Online } from '../../../../src/ingest/vendors/form4/online.ts';
import { long } from '../../../support/store-runs.ts';
import { eachTest } from '../../support/each-test.ts';
import { startVendorServer, type VendorServer } from '../../support/vendor-server.ts';
import { datasetZip, sampleTables } from './support/dataset-samples.ts';
import { currentFeed, formIndex, ownershipXml, submission } from './support/filing-samples.ts';
import { landAll, type StagedSegment } from './support/landed-rows.ts';

const QUARTER = '/files/structureddata/data/insider-transactions-data-sets/2025q1_form345.zip';
const INDEXES = '/Archives/edgar/daily-index/2025/QTR2';
const FEED = '/cgi-bin/browse-edgar';

const accessionOf = (number: number) => `0000320193-25-${String(number).padStart(6, '0')}`;

describe('filings over the network', () => {
  const at = eachTest('2025-04-10T16:00:00Z');
  let server: VendorServer;
  /** Bodies by path. Other paths give 404. */
  let bodies: Map<string, string | Buffer | ((response: ServerResponse) => void)>;

  beforeEach(async () => {
    bodies = new Map<string, string | Buffer>([
      [QUARTER, datasetZip(sampleTables)],
      [`${INDEXES}/index.json`, folder('form.20250408.idx', 'form.20250409.idx', 'master.idx')],
      [`${INDEXES}/form.20250408.idx`, formIndex([{ accession: accessionOf(8) }])],
      [`${INDEXES}/form.20250409.idx`, formIndex([{ accession: accessionOf(9) }])],
      [FEED, currentFeed([{ accession: accessionOf(10), at: '2025-04-10T09:00:00-04:00' }])],
    ]);
    for (const number of [8, 9, 10]) {
      const accepted = `202504${String(number).padStart(2, '0')}090000`;
      const text = submission(ownershipXml(), { accession: accessionOf(number), accepted });
      bodies.set(pathOf(number), text);
    }
    server = await startVendorServer(({ url }, response) => {
      const body = bodies.get(url.pathname);
      if (body === undefined) response.writeHead(404).end();
      else if (typeof body === 'function') body(response);
      else response.end(body);
    });
    at.context.settings = {
      ...at.context.settings,
      contact: 'me@example.com',
      vendorUrls: { SEC: server.url },
      // The SEC's own pace would slow down these tests.
      vendorLimits: { SEC: { requests: 1000, windowS: 1 } },
    };
  });
  afterEach(() => server.close());

  /** Path of a submission, as the index (numbers below 10) or the feed has it. */
  function pathOf(number: number): string {
    const accession = accessionOf(number);
    const within = number < 10 ? '' : `${accession.replaceAll('-', '')}/`;
    return `/Archives/edgar/data/320193/${within}${accession}.txt`;
  }

  function folder(...names: string[]): string {
    return JSON.stringify({ directory: { item: names.map((name) => ({ name })) } });
  }

  const from = (date: string, options: SourceOptions = {}): SourceOptions => ({
    ...options,
    fromDay: dayFromDate(date),
  });

  const land = (options: SourceOptions) =>
    landAll(fetchForm4Online(options, at.context), at.context);

  const numbersOf = ({ rows }: StagedSegment) =>
    [...new Set(rows.map(({ accession }) => Number(accession?.slice(-6))))].sort((a, b) => a - b);

  const askedPaths = () => server.asked.map(({ url }) => url.pathname);

  it('come as a data set, by the days since it, and today’s from the feed', async () => {
    const landed = await land(from('2025-02-14'));
    expect(numbersOf(landed)).toEqual([1, 2, 8, 9, 10]);
    expect(landed.segments.map(({ origin }) => origin)).toEqual([
      `${server.url}${QUARTER}`,
      `${server.url}${INDEXES}/form.20250408.idx`,
      `${server.url}${INDEXES}/form.20250409.idx`,
      `${server.url}${FEED}?action=getcurrent`,
    ]);
    const first = landed.rows.find(({ accession }) => accession === accessionOf(8));
    expect(first?.filed_at).toBe('2025-04-08 13:00:00');
    expect(landed.segments.flatMap(({ skipped }) => skipped)).toEqual([]);
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  it('are requested with the contact in the User-Agent, and not without one', async () => {
    await land(from('2025-04-10'));
    expect(new Set(server.asked.map(({ headers }) => headers['user-agent']))).toEqual(
      new Set(['tapeworks me@example.com']),
    );
    const asked = server.asked.length;
    at.context.settings = { ...at.context.settings, contact: undefined };
    await expect(land(from('2025-04-10'))).rejects.toThrow(ConfigError);
    expect(server.asked).toHaveLength(asked);
  });

  it('are not requested again if the ledger has them', async () => {
    const { segments, rows } = await land(from('2025-02-14'));
    server.asked.length = 0;
    const storedFilings = {
      origins: segments.map(({ origin }) => origin),
      accessions: rows.map(({ accession }) => String(accession)),
    };
    bodies.set(
      FEED,
      currentFeed([
        { accession: accessionOf(10), at: '2025-04-10T09:00:00-04:00' },
        { accession: accessionOf(8), at: '2025-04-08T09:00:00-04:00' },
      ]),
    );
    const again = await land(from('2025-02-14', { storedFilings }));
    expect(again.rows).toEqual([]);
    // The list of the quarter's days, and the feed of Forms 4 and 5.
    expect(askedPaths().filter((path) => path !== FEED)).toEqual([`${INDEXES}/index.json`]);
  });

  long('come day by day while the newest quarter has no data set yet', async () => {
    bodies.delete(QUARTER);
    const first = '/Archives/edgar/daily-index/2025/QTR1';
    bodies.set(`${first}/index.json`, folder('form.20250331.idx'));
    bodies.set(`${first}/form.20250331.idx`, formIndex([{ accession: accessionOf(9) }]));
    const landed = await land(from('2025-03-28'));
    // The index of a second day lists the filing too, and it is requested once.
    expect(numbersOf(landed)).toEqual([8, 9, 10]);
    expect(askedPaths().filter((path) => path === pathOf(9))).toHaveLength(1);
  });

  it('name a quarter of long ago that has none', async () => {
    const { segments } = await land(from('2004-10-05', { toDay: dayFromDate('2004-11-01') }));
    expect(segments.flatMap(({ skipped }) => skipped)).toEqual([
      { name: '2004q4', reason: 'the SEC has no data set of this quarter' },
    ]);
  });

  it('try every weekday if the folder has no list, and go on past days without an index', async () => {
    bodies.delete(`${INDEXES}/index.json`);
    expect(numbersOf(await land(from('2025-04-03')))).toEqual([8, 9, 10]);
    const days = askedPaths().filter((path) => path.includes('form.'));
    // Saturday the 5th and Sunday the 6th are left out.
    expect(days.map((path) => path.slice(-6, -4))).toEqual(['03', '04', '07', '08', '09', '10']);
  });

  it('are those of the requested companies, by the numbers of the directory', async () => {
    bodies.set(
      `${INDEXES}/form.20250409.idx`,
      formIndex([{ accession: accessionOf(9) }, { accession: accessionOf(7), cik: 789019 }]),
    );
    const tickersByCik = [
      [320193, ['AAPL']],
      [789019, ['MSFT']],
    ] as const;
    const options = { symbols: ['AAPL'], tickersByCik, toDay: dayFromDate('2025-04-09') };
    const landed = await land(from('2025-04-09', options));
    expect(numbersOf(landed)).toEqual([9]);
    expect(askedPaths().filter((path) => path.endsWith('.txt'))).toEqual([pathOf(9)]);
    // A request for one company does not read everything for the others.
    expect(landed.segments[0].origin).toBe(`${server.url}${INDEXES}/form.20250409.idx of AAPL`);
  });

  it('that cannot be read are refused with the reason, and the others come', async () => {
    bodies.set(pathOf(8), submission('<html>'));
    bodies.delete(pathOf(9));
    bodies.set(pathOf(10), Buffer.from([0xff, 0xfe, 0x00]));
    const landed = await land(from('2025-04-08'));
    expect(landed.rows).toEqual([]);
    expect(landed.quarantine).toMatch(/000008.*no ownership document/);
    expect(landed.quarantine).toMatch(/000010.*has no document/);
    expect(landed.segments.flatMap(({ skipped }) => skipped)).toEqual([
      { name: accessionOf(9), reason: 'the SEC does not have it any more' },
    ]);
  });

  it('that came before a failure stay, and no request goes to the SEC after it refused', async () => {
    bodies.set(`${INDEXES}/form.20250409.idx`, (response) =>
      response.writeHead(403).end('Too fast'),
    );
    const segments = fetchForm4Online(from('2025-04-08'), at.context);
    const first = await segments.next();
    expect(first.value).toMatchObject({ accepted: 1 });
    await expect(segments.next()).rejects.toThrow(RateLimitedError);
    const asked = server.asked.length;
    await expect(land(from('2025-04-08'))).rejects.toThrow(/the next may be sent in \d+ s/);
    expect(server.asked).toHaveLength(asked);
  });

  it.each([
    ['index', `${INDEXES}/form.20250408.idx`],
    ['list of a folder', `${INDEXES}/index.json`],
    ['feed', FEED],
    ['data set', QUARTER],
  ])('end with a reason where the %s is something else', async (_what, path) => {
    bodies.set(path, '<html><body>Undeclared Automated Tool</body></html>');
    await expect(land(from('2025-03-28'))).rejects.toThrow(MalformedInputError);
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  long('of the feed come page by page until yesterday', async () => {
    const entry = (number: number, at: string) => ({ accession: accessionOf(number), at });
    const pages = [
      Array.from({ length: 100 }, (_, i) => entry(100 + i, '2025-04-10T09:00:00-04:00')),
      Array.from({ length: 100 }, (_, i) => entry(200 + i, '2025-04-09T09:00:00-04:00')),
      [entry(300, '2025-04-09T08:00:00-04:00')],
    ];
    const queries: URLSearchParams[] = [];
    await server.close();
    server = await startVendorServer(({ url }, response) => {
      if (url.pathname !== FEED) {
        response.writeHead(404).end();
        return;
      }
      queries.push(url.searchParams);
      const page = Number(url.searchParams.get('start')) / 100;
      response.end(currentFeed(url.searchParams.get('type') === '4' ? pages[page] : []));
    });
    at.context.settings = { ...at.context.settings, vendorUrls: { SEC: server.url } };
    await land(from('2025-04-10', { toDay: dayFromDate('2025-04-10') }));
    const starts = queries.map((query) => `${query.get('type')} ${query.get('start')}`);
    expect(starts).toEqual(['4 0', '4 100', '5 0']);
    expect(queries[0].get('owner')).toBe('include');
  });

  it('give the doctor its check in the feed', async () => {
    const http = new HttpClient(at.context.settings);
    const probe = () => probeSource('form4', { http, settings: at.context.settings, nowMs: 0 });
    try {
      expect(await probe()).toBe(1);
      bodies.set(FEED, currentFeed([]));
      await expect(probe()).rejects.toThrow(SourceEmptyError);
      bodies.set(FEED, currentFeed([{ accession: 'x', at: 'now' }]));
      await expect(probe()).rejects.toThrow(/entry has no address of a filing/);
      bodies.set(FEED, '<rss/>');
      await expect(probe()).rejects.toThrow(MalformedInputError);
    } finally {
      await http.close();
    }
  });
});
