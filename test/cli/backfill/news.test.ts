/** `backfill rss`, `nasdaq` and `cboe` from feeds and answers to rows that `sql` shows. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newYorkDay } from '../../../src/base/time/calendar.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { startVendorServer, type VendorServer } from '../../ingest/support/vendor-server.ts';
import { CBOE_OPTIONS, NASDAQ_EARNINGS } from '../../ingest/vendors/support/row-samples.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const SYMBOLS = [
  'Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares',
  'AAPL|Apple Inc. - Common Stock|Q|N|N|100|N|N',
  'File Creation Time: 1120202622:03|||||||',
].join('\n');

const story = (title: string, url: string) =>
  `<item><title>${title}</title><link>${url}</link><pubDate>${new Date(Date.now() - 60_000).toUTCString()}</pubDate></item>`;

describe('sources of rows on the command line', () => {
  let folder: CliFolder;
  let server: VendorServer;
  let body: string;

  beforeAll(async () => {
    server = await startVendorServer(({ url }, response) => {
      if (url.pathname.startsWith('/api/calendar')) response.end(NASDAQ_EARNINGS);
      else if (url.pathname.startsWith('/api/global')) {
        response.end(CBOE_OPTIONS.replaceAll('2611', '9911'));
      } else response.end(`<rss version="2.0"><channel><title>Wire</title>${body}</channel></rss>`);
    });
    folder = createCliFolder({
      TAPEWORKS_RSS_URL: server.url,
      TAPEWORKS_NASDAQ_URL: server.url,
      TAPEWORKS_CBOE_URL: server.url,
      TAPEWORKS_RSS_FEEDS: 'https://a.example/feed, https://b.example/feed',
    });
    const path = join(folder.dataDir, 'nasdaqlisted.txt');
    writeFileSync(path, SYMBOLS);
    await folder.json('backfill', 'symbols', path);
  });
  afterAll(async () => {
    await folder.remove();
    await server.close();
  });

  it('fill news, one article a story, by companies of the directory', async () => {
    body = story('Apple raises its outlook again', 'https://wire.example/1?utm_source=a');
    const filled = await folder.json('backfill', 'rss');
    expect(filled).toMatchObject({ segments: 1, accepted: 1, rowsChanged: 1 });
    const rows = await folder.json('sql', 'SELECT id, source, symbols, sentiment FROM news');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^news_[a-z0-9]{26}$/),
        source: 'Wire',
        symbols: ['AAPL'],
        sentiment: 'positive',
      },
    ]);
    expect(await folder.json('backfill', 'rss')).toMatchObject({ segments: 0, rowsChanged: 0 });
    expect(await folder.json('backfill', 'rss', '--plan')).toMatchObject({ requests: 2 });
  });

  it('fill earnings dates and expirations', async () => {
    const today = dateFromDay(newYorkDay(Date.now()));
    // A day of the week, whichever day this runs on.
    const filled = await folder.json(
      'backfill',
      'nasdaq',
      '--from',
      '2026-11-19',
      '--to',
      '2026-11-19',
    );
    expect(filled).toMatchObject({ segments: 1, accepted: 3 });
    expect(await folder.json('backfill', 'cboe', '--symbols', 'AAPL')).toMatchObject({
      segments: 1,
    });
    const dates = await folder.json('sql', 'SELECT DISTINCT date FROM expirations ORDER BY date');
    expect(dates.every(({ date }: { date: string }) => date > today)).toBe(true);
    const { code, stderr } = await folder.run('backfill', 'cboe');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cboe needs --symbols A,B')]);
  });
});
