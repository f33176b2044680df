/** From a tick to published rows, with a local server in place of feeds. */

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { EmbeddedRunner } from '../../../jobs/runner/embedded.ts';
import { runSchedules } from '../../../jobs/schedule/run-schedules.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { EVERYTHING } from '../../../src/store/arrow/lists/specs.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { putSandbox } from '../../cli/support/full-sandbox.ts';
import { createCliFolder } from '../../cli/support/run-cli.ts';
import { isLong } from '../../faults/scale.ts';
import { startVendorServer, type VendorServer } from '../../ingest/support/vendor-server.ts';
import { freshFolder } from '../../support/folders.ts';

let server: VendorServer;
/** Told by the feed, a story each. */
let stories: string[] = [];
/** Keeps the feed's answers back, and is told when one is asked for. */
let held: PromiseWithResolvers<void> | undefined;

beforeAll(async () => {
  server = await startVendorServer((_, response) => {
    if (held) return held.resolve();
    const items = stories.map(
      (date) =>
        `<item><title>News of ${date}</title><link>https://wire.example/${date}</link><pubDate>${date}</pubDate></item>`,
    );
    response.end(
      `<rss version="2.0"><channel><title>Wire</title>${items.join('')}</channel></rss>`,
    );
  });
});
afterAll(() => server.close());

const env = () => ({
  TAPEWORKS_SCHEDULE: 'rss',
  TAPEWORKS_RSS_URL: server.url,
  TAPEWORKS_RSS_FEEDS: 'https://a.example/feed',
});

const asked = () => server.asked.length;

function publishedNews(dataDir: string): number {
  const published = openPublished(modePaths(dataDir, 'live').serving);
  const count = published?.list('news', EVERYTHING).count ?? 0;
  published?.close();
  return count;
}

/** Two processes' worth of schedules on one data directory, whose clock the test moves. */
function twoSchedulers(dataDir: string, start: string) {
  let nowMs = Date.parse(start);
  let turn = Promise.withResolvers<void>();
  const stop = new AbortController();
  const settings = settingsFromEnv({ ...env(), TAPEWORKS_DATA_DIR: dataDir });
  const clock = () => nowMs;
  const due: { tick: string; done: Promise<unknown> }[] = [];
  const runners = [1, 2].map(() => new EmbeddedRunner({ settings, clock }));
  const ended = runners.map((runner) =>
    runSchedules({
      ...{ settings, runner, clock, signal: stop.signal },
      wait: () => turn.promise,
      onDue({ task }, tick, runId) {
        const done = runner.finished(runId, {});
        // Maintenance is due as well.
        if (!task) due.push({ tick, done });
      },
      onFailure(_, error) {
        throw error;
      },
    }),
  );
  onTestFinished(async () => {
    stop.abort();
    turn.resolve();
    await Promise.all(ended);
    for (const runner of runners) await runner.close();
  });
  return {
    due,
    /** Both have looked at the clock when the ticks that are due are done. */
    async settled(count: number) {
      while (due.length < count) await delay(5);
      await Promise.all(due.map(({ done }) => done));
    },
    moveTo(time: string) {
      nowMs = Date.parse(time);
      turn.resolve();
      turn = Promise.withResolvers<void>();
    },
  };
}

it('a tick becomes published rows, once for two processes, and the next one what is new', async () => {
  const dataDir = freshFolder();
  const before = asked();
  stories = ['Fri, 20 Nov 2026 12:00:00 GMT'];
  const schedulers = twoSchedulers(dataDir, '2026-11-20T13:02:00Z');
  await schedulers.settled(1);
  expect(publishedNews(dataDir)).toBe(1);
  stories.push('Fri, 20 Nov 2026 13:03:00 GMT');
  schedulers.moveTo('2026-11-20T13:05:01Z');
  await schedulers.settled(2);
  expect(publishedNews(dataDir)).toBe(2);
  expect(schedulers.due.map(({ tick }) => tick)).toEqual([
    '2026-11-20T13:00:00.000Z',
    '2026-11-20T13:05:00.000Z',
  ]);
  expect(asked() - before).toBe(2);
});

it.runIf(isLong)('what a killed process had begun is done by the next one', async () => {
  stories = [new Date(Date.now() - 60_000).toUTCString()];
  held = Promise.withResolvers<void>();
  const cli = createCliFolder(env());
  try {
    const killed = cli.spawn('schedule');
    const isGone = new Promise((resolve) => killed.on('close', resolve));
    await held.promise;
    killed.kill('SIGKILL');
    await isGone;
    held = undefined;
    expect(existsSync(modePaths(cli.dataDir, 'live').market)).toBe(false);
    const running = await cli.start('schedule');
    const night = ['retention', 'roll-up', 'integrity', 'compact'];
    expect(running.document).toEqual({ running: ['news', ...night] });
    while (publishedNews(cli.dataDir) === 0) await delay(50);
    expect(await running.stop()).toBe(0);
    const jobs = await cli.json('jobs', 'list');
    expect(jobs.every(({ state }: { state: string }) => state === 'done')).toBe(true);
  } finally {
    held = undefined;
    await cli.remove();
  }
});

it.runIf(isLong)('the pipeline of start runs them alongside the sandbox', async () => {
  stories = [new Date(Date.now() - 60_000).toUTCString()];
  const cli = createCliFolder(env());
  try {
    await putSandbox(cli);
    const pipeline = cli.spawn('pipeline');
    const ended = new Promise((resolve) => pipeline.on('close', resolve));
    while (publishedNews(cli.dataDir) === 0) await delay(50);
    pipeline.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    await cli.remove();
  }
});

it('switched off, the command says what to do', async () => {
  const cli = createCliFolder({ TAPEWORKS_SCHEDULE: 'off' });
  const { code, stderr } = await cli.run('schedule');
  expect([code, stderr]).toEqual([2, expect.stringContaining('schedule --list')]);
  const rows = await cli.json('schedule', '--list');
  expect(rows[0]).toMatchObject({ name: 'minutes', source: 'alpaca', runs: false });
  await cli.remove();
});
