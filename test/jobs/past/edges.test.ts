import { copyFileSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import { compact } from '../../../jobs/maintenance/compact.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../../src/base/errors.ts';
import { checkPast } from '../../../src/past/check-past.ts';
import { startTestServer } from '../../api/support/test-server.ts';
import { risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { loadAll } from '../support/store.ts';

const FIRST_MS = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const PATH = '/v1/svc/candles?symbols=SPY&format=csv';

/** Loads a whole history whose prices are those of a number, and publishes it; the load began earlier. */
async function publishPrices(paths: ModePaths, number: number, nowMs: number): Promise<void> {
  const bars = risingBars('2026-01-05', 30 + number, 100 + number);
  const asOf = `2026-05-${String(number).padStart(2, '0')}`;
  await loadAll(paths, segmentOf([{ symbol: 'SPY', bars }], { asOf, name: `prices ${number}` }));
  await publish(paths, { verb: 'test', nowMs: nowMs - HOUR_MS / 2, clock: () => nowMs });
}

/** Loads a bar of another symbol, which changes no bar of SPY, and publishes it. */
async function loadOther(paths: ModePaths, day: string, nowMs: number): Promise<void> {
  const bars = risingBars(day, 1, 50);
  await loadAll(paths, segmentOf([{ symbol: 'QQQ', bars }], { asOf: day, name: day }));
  await publish(paths, { verb: 'test', nowMs });
}

const publishedOnce = sharedFolder();
beforeAll(async () => {
  const paths = modePaths(publishedOnce, 'sandbox');
  for (const i of [1, 2]) await publishPrices(paths, i, FIRST_MS + (i - 1) * HOUR_MS);
});

/** Copies a store that published prices 1 and 2, an hour after each other, first at `FIRST_MS`. */
function publishedTwice() {
  const dataDir = freshFolder();
  cpSync(publishedOnce, dataDir, { recursive: true });
  const paths = modePaths(dataDir, 'sandbox');
  return { dataDir, paths, past: join(paths.serving, 'past.sqlite') };
}

/** Asks a new server for the first close as of moments; the message of an error in place of it. */
async function firstCloses(dataDir: string, nowMs: number, moments: readonly (string | number)[]) {
  const server = await startTestServer(dataDir, nowMs);
  try {
    const found = [];
    for (const moment of moments) {
      const text = typeof moment === 'number' ? new Date(moment).toISOString() : moment;
      const reply = await server.get(`${PATH}&as_of=${text}`);
      const { error } = (reply.json ?? {}) as { error?: { message: string } };
      found.push(error ? error.message : Number(reply.text.split('\r\n')[1].split(',')[6]));
    }
    return found;
  } finally {
    await server.close();
  }
}

/** Asks a new server for all bars as of moments. */
async function textsAsOf(dataDir: string, nowMs: number, moments: readonly number[]) {
  const server = await startTestServer(dataDir, nowMs);
  try {
    const texts: string[] = [];
    for (const moment of moments) {
      const reply = await server.get(`${PATH}&as_of=${new Date(moment).toISOString()}`);
      expect(reply.status).toBe(200);
      texts.push(reply.text);
    }
    return texts;
  } finally {
    await server.close();
  }
}

long('takes a moment, or a date for the end of that day in New York', async () => {
  const { dataDir, paths } = publishedTwice();
  await publishPrices(paths, 3, Date.parse('2026-06-02T03:59:59Z'));
  await publishPrices(paths, 4, Date.parse('2026-06-02T04:00:00Z'));
  const moments = ['2026-06-01', '2026-06-02', FIRST_MS, FIRST_MS + HOUR_MS - 1];
  const more = [FIRST_MS + HOUR_MS, '2026-06-01T23:59:59-04:00', '2026-06-02T00:00:00-04:00'];
  const nowMs = Date.parse('2026-06-02T12:00:00Z');
  expect(await firstCloses(dataDir, nowMs, [...moments, ...more])).toEqual([
    ...[103, 104, 101, 101],
    ...[102, 103, 104],
  ]);
});

it('refuses the future, and moments before the first kept version', async () => {
  const { dataDir } = publishedTwice();
  const nowMs = FIRST_MS + 2 * HOUR_MS;
  const moments = ['2026-06-02', nowMs + 1, FIRST_MS - 1, '2026-05-31', 'yesterday'];
  expect(await firstCloses(dataDir, nowMs, moments)).toEqual([
    'as_of must not lie in the future, got "2026-06-02"',
    'as_of must not lie in the future, got "2026-06-01T14:00:00.001Z"',
    'as_of must not lie before 2026-06-01T12:00:00.000Z, the first version that is kept here, ' +
      'got "2026-06-01T11:59:59.999Z"',
    expect.stringContaining('got "2026-06-01T03:59:59.999Z"'),
    expect.stringContaining('as_of must be a date like'),
  ]);
});

it('keeps the last version of old days, and those between which bars changed', async () => {
  const dataDir = freshFolder();
  const paths = modePaths(dataDir, 'sandbox');
  const session = (row: number) => FIRST_MS + row * HOUR_MS;
  await publishPrices(paths, 1, session(0));
  for (const [i, day] of ['2026-03-02', '2026-03-03', '2026-03-04'].entries()) {
    await loadOther(paths, day, session(i + 1));
  }
  const before = await firstCloses(dataDir, session(5), [session(1), session(2), session(3)]);
  expect(before).toEqual([101, 101, 101]);
  await loadOther(paths, '2026-03-05', session(24 * 9));
  const nowMs = session(24 * 9 + 1);
  const refusal = expect.stringContaining('here that of 2026-06-01T15:00:00.000Z, got');
  expect(await firstCloses(dataDir, nowMs, [session(1), session(2), session(3)])).toEqual([
    ...[refusal, refusal, 101],
  ]);
});

it('is for symbols, not for universes', async () => {
  const { dataDir } = publishedTwice();
  const server = await startTestServer(dataDir, FIRST_MS + 2 * HOUR_MS);
  try {
    for (const path of ['candles?', 'technical?indicators=rsi&']) {
      const reply = await server.get(`/v1/svc/${path}symbols=@all&format=csv&as_of=2026-06-01`);
      expect([reply.status, (reply.json as { error: { message: string } }).error.message]).toEqual([
        400,
        'as_of is for symbols and *, got "@all": it gives what was served then, and the members ' +
          'that were known then are not kept. Give the members of the day as symbols: ' +
          '/v1/svc/universes/all?as_of= lists them as they are known now',
      ]);
    }
  } finally {
    await server.close();
  }
});

long('goes on after a publish that was killed before its swap', async () => {
  const { dataDir, paths, past } = publishedTwice();
  const manifest = join(paths.serving, 'manifest.json');
  copyFileSync(manifest, `${manifest}.kept`);
  await publishPrices(paths, 3, FIRST_MS + 2 * HOUR_MS);
  // Its record is durable, and the manifest is the one before.
  copyFileSync(`${manifest}.kept`, manifest);
  rmSync(`${manifest}.kept`);
  expect(existsSync(past)).toBe(true);
  const moments = [FIRST_MS, FIRST_MS + HOUR_MS, FIRST_MS + 3 * HOUR_MS];
  const nowMs = FIRST_MS + 9 * HOUR_MS;
  expect(await firstCloses(dataDir, nowMs, moments)).toEqual([101, 102, 102]);
  await publishPrices(paths, 4, FIRST_MS + 4 * HOUR_MS);
  const later = [...moments, FIRST_MS + 4 * HOUR_MS];
  expect(await firstCloses(dataDir, nowMs, later)).toEqual([101, 102, 102, 104]);
});

it('begins anew after a publish that did not record, and refuses what lies before', async () => {
  const { dataDir, paths, past } = publishedTwice();
  copyFileSync(past, `${past}.kept`);
  await publishPrices(paths, 3, FIRST_MS + 2 * HOUR_MS);
  copyFileSync(`${past}.kept`, past);
  const nowMs = FIRST_MS + 9 * HOUR_MS;
  const refusal = expect.stringContaining(
    'as_of must not lie before 2026-06-01T14:00:00.000Z, the first version that is kept here',
  );
  const moments = [FIRST_MS, FIRST_MS + 2 * HOUR_MS];
  expect(await firstCloses(dataDir, nowMs, moments)).toEqual([refusal, 103]);
  await publishPrices(paths, 4, FIRST_MS + 3 * HOUR_MS);
  const later = [...moments, FIRST_MS + 3 * HOUR_MS];
  expect(await firstCloses(dataDir, nowMs, later)).toEqual([refusal, 103, 104]);
});

it.each(
  someOf(
    [
      ['the store', { isFull: false }],
      ['the store and all published files', { isFull: true }],
    ],
    2,
  ),
)('gives every byte of older versions after a compaction of %s', async (_, how) => {
  const { dataDir, paths } = publishedTwice();
  const moments = [FIRST_MS, FIRST_MS + HOUR_MS, FIRST_MS + 3 * HOUR_MS];
  const nowMs = FIRST_MS + 9 * HOUR_MS;
  const before = await textsAsOf(dataDir, nowMs, moments);
  expect(new Set(before).size).toBe(2);
  await compact(paths, how, { verb: 'test', nowMs: FIRST_MS + 2 * HOUR_MS });
  expect(await textsAsOf(dataDir, nowMs, moments)).toEqual(before);
  await publishPrices(paths, 3, FIRST_MS + 4 * HOUR_MS);
  await compact(paths, how, { verb: 'test', nowMs: FIRST_MS + 5 * HOUR_MS });
  expect(await textsAsOf(dataDir, nowMs, moments)).toEqual(before);
  expect(await firstCloses(dataDir, nowMs, [FIRST_MS + 6 * HOUR_MS])).toEqual([103]);
});

it('finds a flipped bit in rows that were replaced', async () => {
  const { past } = publishedTwice();
  checkPast(past);
  const database = new DatabaseSync(past);
  const { rows } = database.prepare('SELECT rows FROM replaced').get() as { rows: Uint8Array };
  rows[Math.floor(rows.length / 2)] ^= 1;
  database.prepare('UPDATE replaced SET rows = ?').run(rows);
  database.close();
  expect(() => checkPast(past)).toThrow(CorruptDataError);
});

it('publishes over a damaged file, which it keeps aside', async () => {
  const { dataDir, paths, past } = publishedTwice();
  writeFileSync(past, 'no database');
  const nowMs = FIRST_MS + 9 * HOUR_MS;
  expect(await firstCloses(dataDir, nowMs, [FIRST_MS, FIRST_MS + HOUR_MS])).toEqual([
    expect.not.stringContaining('as_of must'),
    102,
  ]);
  await publishPrices(paths, 3, FIRST_MS + 2 * HOUR_MS);
  expect(existsSync(`${past}.damaged`)).toBe(true);
  expect(await firstCloses(dataDir, nowMs, [FIRST_MS + HOUR_MS, FIRST_MS + 2 * HOUR_MS])).toEqual([
    102, 103,
  ]);
});
