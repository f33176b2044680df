/** The SEC's data from a local server and from files on disk: requests, errors and staged rows. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import type { Fetched } from '../../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../../src/ingest/contract/source-options.ts';
import { fetchSec, planSec } from '../../../../src/ingest/vendors/sec/source.ts';
import { long } from '../../../support/store-runs.ts';
import { eachTest } from '../../support/each-test.ts';
import {
  type AskedRequest,
  startVendorServer,
  type VendorServer,
} from '../../support/vendor-server.ts';
import { zipOf } from '../../support/zip-file.ts';
import { factsJson, income } from './support/facts-json.ts';

const FACTS = JSON.stringify(
  factsJson([
    {
      filed: '2025-02-01',
      fy: 2024,
      fp: 'FY',
      facts: income('2024-01-01', '2024-12-31', { Revenues: 100, NetIncomeLoss: 10 }),
    },
  ]),
);
const SUBMISSIONS = JSON.stringify({
  cik: '0000000001',
  name: 'Test Corp',
  sic: '7372',
  sicDescription: 'Services-Prepackaged Software',
  tickers: ['TST', 'TST-PA'],
  exchanges: ['NYSE', 'NYSE'],
  addresses: { business: { stateOrCountry: 'X0' } },
  filings: {
    recent: { accessionNumber: [], acceptanceDateTime: [] },
    files: [
      {
        name: 'CIK0000000001-submissions-001.json',
        filingFrom: '2024-01-01',
        filingTo: '2025-12-31',
      },
      {
        name: 'CIK0000000001-submissions-002.json',
        filingFrom: '2001-01-01',
        filingTo: '2009-12-31',
      },
    ],
  },
});
const PAGE = JSON.stringify({
  accessionNumber: ['0000000001-26-000000'],
  acceptanceDateTime: ['2025-02-01T21:05:00.000Z'],
});
const TICKERS = JSON.stringify({
  fields: ['cik', 'name', 'ticker', 'exchange'],
  data: [
    [1, 'Test Corp', 'TST', 'NYSE'],
    [2, 'Fund', 'FND', 'NYSE'],
  ],
});

const PATHS: Record<string, string> = {
  '/files/company_tickers_exchange.json': TICKERS,
  '/api/xbrl/companyfacts/CIK0000000001.json': FACTS,
  '/submissions/CIK0000000001.json': SUBMISSIONS,
  '/submissions/CIK0000000001-submissions-001.json': PAGE,
};

describe('sec', () => {
  const at = eachTest('2026-01-05T12:00:00Z');
  let server: VendorServer;
  let answer: (request: AskedRequest, response: ServerResponse) => void;

  beforeEach(async () => {
    answer = ({ url }, response) => {
      const text = PATHS[url.pathname];
      if (text === undefined) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      else response.end(text);
    };
    server = await startVendorServer((request, response) => answer(request, response));
    at.context.settings = {
      ...at.context.settings,
      contact: 'me@example.com',
      vendorUrls: { SEC: server.url },
      vendorLimits: { SEC: { requests: 1000, windowS: 1 } },
    };
  });
  afterEach(() => server.close());

  const fetch = (options: SourceOptions) => Array.fromAsync(fetchSec(options, at.context));

  const named = (segments: readonly Fetched[]) =>
    segments.map((segment) =>
      'facts' in segment
        ? `facts of ${segment.facts.map(({ symbol }) => symbol)}`
        : `${segment.dataset}: ${'accepted' in segment && segment.accepted}`,
    );

  async function write(name: string, content: string | Buffer): Promise<string> {
    await mkdir(join(at.root, 'in'), { recursive: true });
    await writeFile(join(at.root, 'in', name), content);
    return join(at.root, 'in', name);
  }

  it('reports an unreadable response, not missing facts', async () => {
    const real = answer;
    answer = (request, response) => {
      if (request.url.pathname.includes('companyfacts')) response.end('{"cik": 1}');
      else real(request, response);
    };
    const taken: Fetched[] = [];
    const walk = async () => {
      for await (const one of fetchSec({ symbols: ['TST'] }, at.context)) taken.push(one);
    };
    await expect(walk()).rejects.toMatchObject({
      name: 'MalformedInputError',
      message: expect.stringContaining('companyfacts/CIK0000000001.json: neither company facts'),
    });
    expect(taken.flatMap(({ skipped }) => skipped.map(({ reason }) => reason))).toEqual([
      'neither company facts nor submissions',
    ]);
  });

  it('requests facts, submissions and the pages that hold its filings', async () => {
    const segments = await fetch({ symbols: ['TST'] });
    expect(named(segments)).toEqual(['facts of TST', 'statements: 1', 'filings: 1']);
    expect(segments[0]).toMatchObject({
      source: 'sec',
      facts: [
        {
          symbol: 'TST',
          companyName: 'Test Corp',
          exchange: 'NYSE',
          cik: 1,
          country: 'GB',
          sector: 'Technology',
          industry: 'Services-Prepackaged Software',
        },
      ],
    });
    expect(segments[1]).toMatchObject({
      asOfUs: BigInt(Date.parse('2025-02-01T21:05:00Z')) * 1000n,
    });
    expect(server.asked.map(({ url }) => url.pathname)).toEqual(Object.keys(PATHS));
    expect(server.asked[0].headers['user-agent']).toBe('tapeworks me@example.com');
  });

  it('sends words and an address as they are', async () => {
    at.context.settings = { ...at.context.settings, contact: 'Sample Company admin@example.com' };
    await fetch({ symbols: ['TST'] });
    expect(new Set(server.asked.map(({ headers }) => headers['user-agent']))).toEqual(
      new Set(['Sample Company admin@example.com']),
    );
  });

  it('names unknown symbols and companies without facts, which are no outage', async () => {
    const [facts] = await fetch({ symbols: ['FND', 'NOSUCH'] });
    expect(facts.skipped).toEqual([
      { name: 'FND', reason: 'it has filed no facts' },
      { name: 'NOSUCH', reason: 'the SEC lists no such ticker' },
    ]);
    await expect(fetch({ symbols: ['NOSUCH'] })).rejects.toThrow(
      'the SEC lists none of the tickers',
    );
  });

  it('sends no request without a contact', async () => {
    at.context.settings = { ...at.context.settings, contact: undefined };
    await expect(fetch({ symbols: ['TST'] })).rejects.toThrow('set TAPEWORKS_CONTACT');
    await expect(fetch({ bulk: true })).rejects.toThrow('set TAPEWORKS_CONTACT');
    expect(server.asked).toEqual([]);
  });

  it('pauses after a refusal, and follows no redirect to another host', async () => {
    answer = (_request, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    await expect(fetch({ symbols: ['TST'] })).rejects.toThrow('which is not followed');
    answer = (_request, response) => response.writeHead(403).end('Undeclared automated tool');
    await expect(fetch({ symbols: ['TST'] })).rejects.toThrow('limits the rate of requests');
    const asked = server.asked.length;
    await expect(fetch({ symbols: ['TST'] })).rejects.toThrow('the next may be sent in');
    expect(server.asked).toHaveLength(asked);
  });

  it('names a file of another shape', async () => {
    const page = {
      ...PATHS,
      '/api/xbrl/companyfacts/CIK0000000001.json': '<html>maintenance</html>',
    };
    answer = ({ url }, response) => {
      const text = page[url.pathname as keyof typeof page];
      response.writeHead(text === undefined ? 404 : 200).end(text);
    };
    const [facts] = await fetch({ symbols: ['TST', 'FND'] });
    expect(facts.skipped).toEqual([
      { name: 'FND', reason: 'it has filed no facts' },
      { name: '/api/xbrl/companyfacts/CIK0000000001.json', reason: 'it is not JSON' },
    ]);
  });

  it('does not keep a nightly zip that cannot be read', async () => {
    answer = ({ url }, response) => {
      response.setHeader('etag', '"1"');
      response.end(url.pathname.endsWith('.zip') ? 'PK no zip' : TICKERS);
    };
    await expect(fetch({ bulk: true })).rejects.toMatchObject({ name: 'MalformedInputError' });
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  it('downloads and reads the nightly zips, and clears up', async () => {
    const facts = zipOf([{ name: 'CIK0000000001.json', content: FACTS }]);
    const submissions = zipOf([
      { name: 'CIK0000000001.json', content: SUBMISSIONS },
      { name: 'CIK0000000001-submissions-001.json', content: PAGE },
    ]);
    answer = ({ url }, response) => {
      if (url.pathname.endsWith('companyfacts.zip')) response.end(facts);
      else if (url.pathname.endsWith('submissions.zip')) response.end(submissions);
      else response.end(TICKERS);
    };
    expect(named(await fetch({ bulk: true }))).toEqual([
      'facts of TST',
      'statements: 1',
      'filings: 1',
    ]);
    expect(server.asked).toHaveLength(3);
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  it('tells files apart by content, and names the others', async () => {
    await write('CIK0000000001.json', FACTS);
    await write('about-tst.json', SUBMISSIONS);
    await write('notes.json', '{"a": 1}');
    await write('form4.xml', '<ownershipDocument/>');
    const segments = await fetch({ paths: [join(at.root, 'in')] });
    expect(named(segments)).toEqual(['facts of TST,TST.PRA', 'statements: 1', 'filings: 1']);
    expect(segments[0].skipped.map(({ name }) => name)).toEqual(['form4.xml', 'notes.json']);
  });

  it('finds zips in a folder, and members of other names', async () => {
    await write(
      'mine.zip',
      zipOf([
        { name: 'facts-of-tst.json', content: FACTS },
        { name: 'tickers.json', content: TICKERS },
      ]),
    );
    const segments = await fetch({ paths: [join(at.root, 'in')] });
    expect(named(segments)).toEqual(['facts of TST', 'statements: 1', 'filings: 1']);
    expect(segments[0].skipped).toEqual([]);
  });

  long('takes tickers from a list, else from the store, else loses the rows', async () => {
    const facts = await write('CIK0000000001.json', FACTS);
    const tickers = await write('company_tickers_exchange.json', TICKERS);
    expect(named(await fetch({ paths: [facts, tickers] }))).toEqual([
      'facts of TST',
      'statements: 1',
      'filings: 1',
    ]);
    const tickersByCik = [[1, ['OLD']]] as const;
    expect(named(await fetch({ paths: [facts], tickersByCik }))).toEqual([
      'facts of OLD',
      'statements: 1',
      'filings: 1',
    ]);
    // A run that loads nothing is refused.
    const [lost, ...rest] = await fetch({ paths: [facts] });
    expect(rest).toEqual([]);
    expect(lost.skipped).toEqual([
      {
        name: 'CIK0000000001',
        reason:
          'no ticker is known: give submissions or the SEC’s company_tickers.json too, or run ' +
          'backfill symbols first',
        isRefused: true,
      },
    ]);
    const other = await write('CIK0000000002.json', FACTS.replace('"cik":1', '"cik":2'));
    const [one] = await fetch({ paths: [facts, other], tickersByCik });
    expect(one.skipped).toMatchObject([{ name: 'CIK0000000002' }]);
    expect(one.skipped[0].isRefused).toBeUndefined();
    const plain = { 0: { cik_str: 1, ticker: 'TST', title: 'Test Corp' } };
    const list = await write('company_tickers.json', JSON.stringify(plain));
    expect(named(await fetch({ paths: [facts, list] }))).toEqual([
      'facts of TST',
      'statements: 1',
      'filings: 1',
    ]);
    await expect(fetch({ paths: [list] })).rejects.toThrow(
      `no company's file in ${list}: it has a list of tickers, which npx tapeworks backfill symbols ${list} loads`,
    );
    await expect(fetch({ paths: [list, tickers] })).rejects.toThrow('it has 2 lists of tickers');
  });

  it('names damaged members and those of another company, and reads the others', async () => {
    const path = await write(
      'facts.zip',
      zipOf([
        { name: 'CIK0000000001.json', content: FACTS },
        { name: 'CIK0000000002.json', content: FACTS },
        { name: 'CIK0000000003.json', content: FACTS.slice(0, 100) },
        { name: 'CIK0000000004.json', content: FACTS, declaredCrc: 1 },
        { name: 'CIK0000000005.json', content: Buffer.from([0x7b, 0xff, 0x7d]) },
        { name: '../CIK0000000006.json', content: FACTS },
        { name: 'readme.json', content: '{}' },
      ]),
    );
    const segments = await fetch({ paths: [path], tickersByCik: [[1, ['TST']]] });
    expect(named(segments)).toEqual(['facts of TST', 'statements: 1', 'filings: 1']);
    expect(segments[0].skipped.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      '../CIK0000000006.json: its name leads out of the zip',
      'readme.json: not company facts, submissions or tickers of the SEC',
      'CIK0000000002.json: it is of CIK 1, not of 2',
      'CIK0000000003.json: it is not JSON',
      'CIK0000000004.json: it is damaged: its checksum does not match',
      'CIK0000000005.json: the answer is not UTF-8',
    ]);
  });

  it('looks through a zip of more members than the limit for companies of the other paths', async () => {
    const facts = await write('CIK0000000001.json', FACTS);
    const people = [3, 4, 5].map((cik) => ({ name: `CIK000000000${cik}.json`, content: '{}' }));
    const company = { name: 'CIK0000000001.json', content: SUBMISSIONS };
    const submissions = await write('submissions.zip', zipOf([...people, company]));
    const membersMax = vi.spyOn(limits.ingest, 'zipMembersMax', 'get').mockReturnValue(3 as never);
    const segments = await fetch({ paths: [submissions, facts] }).finally(() =>
      membersMax.mockRestore(),
    );
    expect(named(segments)).toEqual(['facts of TST,TST.PRA', 'statements: 1', 'filings: 1']);
    expect(segments[0].skipped).toEqual([]);
  });

  it('reads many companies on threads, in the same order', async () => {
    // Enough bytes to start threads.
    const padding = ' '.repeat(limits.ingest.scanThreadBytesMin / 4);
    const members = [1, 2, 3, 4, 5].map((cik) => ({
      name: `CIK000000000${cik}.json`,
      content: FACTS.replace('"cik":1', `"cik":${cik}`) + padding,
    }));
    const path = await write('facts.zip', zipOf(members));
    const tickersByCik = [1, 2, 3, 4, 5].map((cik) => [cik, [`T${cik}`]] as const);
    expect(named(await fetch({ paths: [path], tickersByCik }))).toEqual([
      'facts of T1,T2,T3,T4,T5',
      'statements: 5',
      'filings: 5',
    ]);
  });

  it('counts the requests of a run', () => {
    expect(planSec({ symbols: ['A', 'B'] }, at.context.nowMs)).toEqual({
      requests: 7,
      bars: 0,
      rows: 800,
    });
    expect(planSec({ bulk: true }, at.context.nowMs)).toMatchObject({
      requests: 3,
      downloadBytes: 3e9,
    });
    expect(() => planSec({ paths: ['x'] }, at.context.nowMs)).toThrow(
      'files on disk need no requests',
    );
  });
});
