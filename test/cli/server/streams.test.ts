/** Streams of a server with two threads: a publish, a thread that dies, and SIGTERM. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StreamedEvent, Tapeworks } from 'tapeworks/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { openEvents } from '../../api/support/event-reader.ts';
import { loadAll, run } from '../../jobs/support/store.ts';
import { NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const STREAMS = 6;
const EVENTS = ['data.ready', 'quote.updated'] as const;

let folder: CliFolder;
let server: RunningCli;
let apiKey: string;
let log = '';
const crashFile = () => join(folder.dataDir, 'crash');

beforeAll(async () => {
  const preload = fileURLToPath(new URL('../support/crash-thread.mjs', import.meta.url));
  const env: Record<string, string> = { NODE_OPTIONS: `--import ${preload}` };
  folder = createCliFolder(env);
  env.CRASH_FILE = crashFile();
  apiKey = (await folder.key('live')).headers['X-API-Key'];
  server = await folder.start('serve', '--processes', '2');
  server.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
});
afterAll(() => folder.remove());

let days = 5;
/** Publishes one more day of two symbols. */
async function publishDay(): Promise<void> {
  days += 1;
  const paths = modePaths(folder.dataDir, 'live');
  const bars = ['AAPL', 'MSFT'].map((symbol) => ({ symbol, bars: risingBars('2026-06-01', days) }));
  await loadAll(paths, segmentOf(bars, { name: `days-${days}` }));
  await run(paths, NOW_MS + days * 1000);
}

it('a publish reaches every stream once, over the death of a thread', async () => {
  await publishDay();
  const stop = new AbortController();
  const got: StreamedEvent[][] = [];
  let openings = 0;
  const follow = async (events: StreamedEvent[]) => {
    const client = new Tapeworks({ url: server.document.address, apiKey, retries: 20 });
    const options = { signal: stop.signal, onResponse: () => void openings++ };
    for await (const event of client.streamEvents({ events: EVENTS, symbols: 'AAPL' }, options)) {
      events.push(event);
    }
  };
  const ends = Array.from({ length: STREAMS }, () => {
    const events: StreamedEvent[] = [];
    got.push(events);
    return follow(events).catch(() => undefined);
  });
  await expect.poll(() => openings).toBe(STREAMS);
  await publishDay();
  const typesOf = () => got.map((events) => events.map(({ type }) => type).join(' '));
  const once = Array.from({ length: STREAMS }, () => 'quote.updated data.ready');
  await expect.poll(typesOf).toEqual(once);
  const [quotes, ready] = got[0];
  expect(quotes).toMatchObject({ data: { symbols: ['AAPL'], quotes: [{ symbol: 'AAPL' }] } });
  expect(ready).toMatchObject({ data: { mode: 'live', datasets: ['candles'] } });

  writeFileSync(crashFile(), '');
  await expect.poll(() => log).toContain('crashed by a test');
  await publishDay();
  await expect.poll(typesOf).toEqual(once.map((types) => `${types} ${types}`));
  for (const events of got) expect(events.map(({ id }) => id)).toEqual(got[0].map(({ id }) => id));
  stop.abort();
  await Promise.all(ends);
});

it('SIGTERM ends streams at their position, and the process with 0', async () => {
  const headers = { 'X-API-Key': apiKey };
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, () =>
      openEvents(server.document.address, 'events=data.ready', headers),
    ),
  );
  for (const reader of readers) await reader.until(({ lastId }) => lastId !== '');
  expect(await server.stop()).toBe(0);
  for (const { closed, response } of readers) {
    await closed;
    expect(response.complete).toBe(true);
  }
});
