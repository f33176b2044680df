/** Feeds from a local server and from files: requests, errors and staged articles. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../../src/ingest/contract/source-options.ts';
import { fetchRss, source } from '../../../../src/ingest/vendors/rss/source.ts';
import { eachTest } from '../../support/each-test.ts';
import { fetchRows } from '../../support/landed-rows.ts';
import {
  type AskedRequest,
  startVendorServer,
  type VendorServer,
} from '../../support/vendor-server.ts';
import { ATOM, RSS } from './feed-samples.ts';

type Answer = (request: AskedRequest, response: ServerResponse) => void;

const COMPANIES = [{ symbol: 'AAPL', companyName: 'Apple Inc.' }];

const at = eachTest();
let server: VendorServer;
let answers: Record<string, string | Answer>;

beforeEach(async () => {
  answers = {};
  server = await startVendorServer((request, response) => {
    const answer = answers[request.url.pathname];
    if (answer === undefined) response.writeHead(404).end('Not found.');
    else if (typeof answer === 'string') response.end(answer);
    else answer(request, response);
  });
  at.context.settings = { ...at.context.settings, vendorUrls: { RSS: server.url } };
});
afterEach(() => server.close());

const feed = (path: string) => `https://site.example${path}`;
const fetch = (paths: string[], options: SourceOptions = {}) =>
  fetchRows(fetchRss({ paths: paths.map(feed), companies: COMPANIES, ...options }, at.context));

function rss(...items: string[]): string {
  return `<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`;
}

function item(title: string, url: string, time = 'Fri, 20 Nov 2026 09:30:00 GMT'): string {
  return `<item><title>${title}</title><link>${url}</link><pubDate>${time}</pubDate></item>`;
}

const TITLE = 'Apple raises its outlook after a strong quarter';

describe('rss', () => {
  it('stages articles of RSS and Atom with symbols and sentiment', async () => {
    answers = { '/rss': RSS, '/atom': ATOM };
    const { segments, rows } = await fetch(['/rss', '/atom']);
    expect(segments).toMatchObject([{ dataset: 'news', source: 'rss', accepted: 3, rejected: 0 }]);
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual({
      id: expect.stringMatching(/^news_[a-z0-9]{26}$/),
      title: 'Acme & Sons raises its outlook – again',
      summary: 'The maker of anvils (NASDAQ: ACME) now expects more .',
      source: 'Example Wire',
      url: 'https://wire.example/acme-outlook?utm_source=rss',
      published_at: '2026-11-19 14:30:00',
      symbols: ['ACME'],
      sentiment: 'positive',
    });
    expect(rows.map(({ source }) => source).sort()).toEqual([
      'Example & Co',
      'Example Wire',
      'Other Wire',
    ]);
  });

  it('makes one article of a story in several feeds, whatever their order', async () => {
    const copy = item(
      TITLE,
      'https://copy.example/9?utm_source=x',
      'Fri, 20 Nov 2026 11:00:00 GMT',
    );
    answers = {
      '/a': rss(
        item(TITLE, 'https://wire.example/1'),
        item(TITLE, 'https://wire.example/1?utm_x=2'),
      ),
      '/b': rss(copy.replace('</item>', '<category domain="tickers">MSFT</category></item>')),
    };
    const { rows } = await fetch(['/a', '/b']);
    expect(rows).toMatchObject([{ url: 'https://wire.example/1', symbols: ['AAPL', 'MSFT'] }]);
    await rm(at.context.paths.feeds);
    expect((await fetch(['/b', '/a'])).rows).toEqual(rows);
  });

  it('requests only changes again, and keeps ids over runs', async () => {
    const validators = { etag: '"1"', 'last-modified': 'Fri, 20 Nov 2026 09:30:00 GMT' };
    let items = [item(TITLE, 'https://wire.example/1')];
    answers['/a'] = ({ headers }, response) => {
      const isKnown = headers['if-none-match'] === '"1"' && items.length === 1;
      response.writeHead(isKnown ? 304 : 200, validators).end(isKnown ? '' : rss(...items));
    };
    const [first] = (await fetch(['/a'])).rows;
    expect(await fetch(['/a'])).toEqual({ segments: [], rows: [] });
    expect(server.asked[1].headers).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': validators['last-modified'],
    });
    items = [
      item(TITLE.replace('raises', 'lowers'), 'https://wire.example/1'),
      item('Something else happened to somebody', 'https://wire.example/2'),
    ];
    const { rows } = await fetch(['/a']);
    expect(rows).toHaveLength(2);
    expect(rows.find(({ id }) => id === first.id)).toMatchObject({
      title: TITLE.replace('raises', 'lowers'),
      published_at: first.published_at,
    });
  });

  it('yields everything again if the segment was not taken', async () => {
    answers['/a'] = (_, response) => {
      response.setHeader('etag', '"1"');
      response.end(rss(item(TITLE, 'https://wire.example/1')));
    };
    const stopped = fetchRss({ paths: [feed('/a')] }, at.context);
    await stopped.next();
    await stopped.return(undefined);
    expect((await fetch(['/a'])).rows).toHaveLength(1);
    expect(server.asked[1].headers['if-none-match']).toBeUndefined();
  });

  it("requests Yahoo's headlines of symbols, which are about them", async () => {
    answers['/rss/2.0/headline'] = rss(item('A title that names nobody', 'https://y.example/1'));
    const { rows } = await fetch([], { symbols: ['BRK.B'] });
    expect(rows).toMatchObject([{ symbols: ['BRK.B'] }]);
    expect(Object.fromEntries(server.asked[0].url.searchParams)).toEqual({
      s: 'BRK-B',
      region: 'US',
      lang: 'en-US',
    });
  });

  it('recognizes funds by their tickers if the directory lists them', async () => {
    const title = 'Traders leave $SPY and $NOPE behind for bonds';
    answers['/a'] = rss(item(title, 'https://wire.example/1'));
    const { rows } = await fetch(['/a'], { knownSymbols: ['AAPL', 'SPY'] });
    expect(rows).toMatchObject([{ symbols: ['SPY'] }]);
  });

  it('reads files, in the encoding that they declare', async () => {
    const path = join(at.root, 'feed.xml');
    const text = rss(item('Société Générale gagne du terrain', 'https://wire.example/1'));
    await writeFile(path, `<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
    const { rows } = await fetchRows(fetchRss({ paths: [path] }, at.context));
    expect(rows).toMatchObject([{ title: 'Société Générale gagne du terrain', source: 'Wire' }]);
    expect(server.asked).toEqual([]);
  });

  it('names the feed of an entry that it refuses, and a feed that fails', async () => {
    answers = {
      '/a': rss(
        item(TITLE, 'https://wire.example/1'),
        item('Undated', 'https://wire.example/2', ''),
      ),
      '/bomb': `<!DOCTYPE r [<!ENTITY a "aaaa">]>${rss()}`,
      '/utf8': (_, response) => response.end(Buffer.from(rss(item('Société', 'x')), 'latin1')),
      '/large': (_, response) => {
        response.writeHead(200, { 'content-length': 200 * 1024 * 1024 });
        response.write('x');
      },
    };
    const { segments } = await fetch(['/a', '/bomb', '/utf8', '/large', '/gone']);
    expect(segments).toMatchObject([{ accepted: 1, rejected: 1 }]);
    expect(segments[0].skipped).toEqual([
      {
        name: feed('/bomb'),
        reason: expect.stringContaining('declares entities of its own, which are refused'),
      },
      { name: feed('/utf8'), reason: expect.stringContaining('not in its encoding') },
      { name: feed('/large'), reason: expect.stringContaining('larger than 16777216 bytes') },
      { name: feed('/gone'), reason: expect.stringContaining('answered with status 404') },
    ]);
    const quarantine = join(at.context.paths.quarantine, `${segments[0].id}.csv`);
    expect(await readFile(quarantine, 'utf8')).toMatch(
      /https:\/\/site\.example\/a.*2.*publishedAt is missing/,
    );
  });

  it('fails, and requests the feed again, if no entry of it can be read', async () => {
    answers['/a'] = (_, response) => {
      response.setHeader('etag', '"1"');
      response.end(rss(item(TITLE, 'https://wire.example/1')).replaceAll('title>', 'headline>'));
    };
    for (const asked of [1, 2]) {
      const walk = fetchRss({ paths: [feed('/a')] }, at.context);
      expect((await walk.next()).value).toMatchObject({ accepted: 0, rejected: 1 });
      await expect(walk.next()).rejects.toMatchObject({
        name: 'MalformedInputError',
        message: expect.stringContaining('title is missing, and none of 1 entries is good'),
      });
      expect(server.asked).toHaveLength(asked);
      expect(server.asked[asked - 1].headers).not.toHaveProperty('if-none-match');
    }
  });

  it('fails with the first error if every feed fails', async () => {
    answers['/blocked'] = (_, response) => response.writeHead(403).end('Who are you?');
    await expect(fetch(['/blocked', '/gone'])).rejects.toMatchObject({
      name: 'SourceBlockedError',
    });
    await expect(fetch([])).rejects.toThrow('rss needs feeds');
    await expect(fetchRows(fetchRss({ paths: ['/nowhere.xml'] }, at.context))).rejects.toThrow(
      'feeds must be addresses or files, got "/nowhere.xml"',
    );
    const folder = import.meta.dirname;
    await expect(fetchRows(fetchRss({ paths: [folder] }, at.context))).rejects.toThrow(
      `feeds must be addresses or files, got the folder "${folder}"`,
    );
  });

  it('plans a request a feed', () => {
    expect(source.dryRun({ paths: [feed('/a'), 'file.xml'], symbols: ['AAPL'] }, 0)).toMatchObject({
      requests: 2,
      bars: 0,
    });
  });
});
