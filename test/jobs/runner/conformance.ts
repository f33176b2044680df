/** Promises of both runners, tried with real processes: the command line, workers, kills. */

import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maintenanceRun, type Priority } from '../../../jobs/contract/run.ts';
import type { JobState } from '../../../jobs/contract/runner.ts';
import { nameOf, stagingFolder } from '../../../jobs/contract/staged-files.ts';
import { openReader } from '../../../jobs/runner/open-reader.ts';
import { openRunner } from '../../../jobs/runner/open-runner.ts';
import { fetchRun } from '../../../jobs/runner/request.ts';
import { runRequest } from '../../../jobs/runner/run-request.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../../cli/support/run-cli.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { startTiingo, type TiingoServer } from './tiingo-server.ts';
import { warmWorker } from './warm-worker.ts';

export interface RunnerUnderTest {
  env: Record<string, string>;
  /** True if workers do the work and the command only waits. */
  hasWorkers: boolean;
  /** True adds tests whose promise has a short test elsewhere. */
  isLong: boolean;
  /** Removes the data of the test before. */
  reset(): Promise<void>;
}

const PERIOD = ['--from', '2024-01-01', '--to', '2024-01-06'];
/** The same as the numbers of days. */
const DAYS = { fromDay: 19_723, toDay: 19_728 };
const ROWS = 'SELECT symbol, ts, open, close, volume, source FROM candles ORDER BY ALL';
/** Children are of ten symbols each. */
const SYMBOLS = Array.from({ length: 21 }, (_, i) => `S${i + 10}`);

export function describeRunner(name: string, runner: RunnerUnderTest): void {
  describe(name, () => {
    /** Registers a test whose promise has a short test elsewhere. */
    const long = runner.isLong ? it : () => {};
    let vendor: TiingoServer;
    let folder: CliFolder;
    const started: ChildProcess[] = [];
    const warm = warmWorker();
    afterAll(() => warm.end());

    beforeEach(async () => {
      await runner.reset();
      vendor = await startTiingo();
      folder = createCliFolder({ ...vendor.env, ...runner.env }, QUICK_CLI);
    });
    afterEach(async () => {
      for (const child of started.splice(0)) child.kill('SIGKILL');
      await warm.stop();
      await folder.remove();
      await vendor.close();
    });

    function spawned(...args: string[]): ChildProcess {
      const child = folder.spawn(...args);
      child.stdout?.resume();
      child.stderr?.resume();
      started.push(child);
      return child;
    }
    /** For tests that kill it. */
    const spawnWorker = () => (runner.hasWorkers ? spawned('worker') : undefined);
    const startWorker = () => {
      const { PATH = '' } = process.env;
      const own = { TAPEWORKS_DATA_DIR: folder.dataDir, TAPEWORKS_LOG_LEVEL: 'silent' };
      if (runner.hasWorkers) warm.start({ PATH, ...own, ...vendor.env, ...runner.env });
    };
    const backfill = (symbols: readonly string[]) => [
      ...['backfill', 'tiingo', '--symbols', symbols.join(',')],
      ...PERIOD,
    ];
    const paths = () => modePaths(folder.dataDir, 'live');
    const stored = async (sql: string) => (await queryMarket(paths(), sql)).rows;
    const storedRows = () => stored(ROWS);
    const version = () => readManifest(paths().serving)?.version;
    const settings = () =>
      settingsFromEnv({ ...vendor.env, ...runner.env, TAPEWORKS_DATA_DIR: folder.dataDir });
    const openJobs = () => openRunner(settings());
    async function listed(state?: JobState) {
      await using jobs = await openReader(settings());
      return await jobs.jobs(state);
    }
    /** Runs a backfill in this process. */
    async function backfillHere(symbols: string[]) {
      const jobs = await openJobs();
      const request = { mode: 'live', source: 'tiingo', options: { symbols, ...DAYS } } as const;
      const outcome = await runRequest(jobs, request, { settings: settings() });
      await jobs.close();
      return 'report' in outcome ? outcome.report : outcome;
    }

    /** Registers a test that one runner is enough for. */
    const withWorkers = runner.hasWorkers ? it : long;
    const alone = runner.hasWorkers ? long : it;

    withWorkers('fetches every part once, loads them and publishes once', async () => {
      startWorker();
      const report = await folder.json(...backfill(SYMBOLS));
      expect(report).toMatchObject({ segments: 21, accepted: 84, deadJobs: [] });
      expect(vendor.asked().toSorted()).toEqual(SYMBOLS);
      expect(version()).toBe(1);
      expect(await storedRows()).toHaveLength(84);
      expect((await listed()).map(({ state }) => state)).toEqual(Array(4).fill('done'));
    });

    long('repeats tries after passing failures', async () => {
      startWorker();
      // One job's own tries, then the job fails once.
      vendor.fail('S12', [500, 500, 500, 500]);
      expect(await backfillHere(['S11', 'S12'])).toMatchObject({ accepted: 8 });
      expect(vendor.asked().filter((symbol) => symbol === 'S12')).toHaveLength(5);
    });

    alone('publishes in part where a task fails, reports it, and retries it', async () => {
      startWorker();
      vendor.fail('S25', [403]);
      const failed = await folder.run(...backfill(SYMBOLS), '--json');
      expect(failed.code).toBe(1);
      const report = JSON.parse(failed.stdout);
      // What came before the refusal is kept.
      expect(report).toMatchObject({ segments: 16, accepted: 64 });
      expect(report.deadJobs).toHaveLength(1);
      expect(report.deadJobs[0]).toMatchObject({
        kind: 'refused',
        title: expect.stringContaining('S20 … S29'),
      });
      const dead = await folder.json('jobs', 'list', '--dead');
      expect(dead).toMatchObject([{ id: report.deadJobs[0].id, mode: 'live', failures: 1 }]);
      expect(dead[0].reason).toContain('status 403');
      const { id, title } = report.deadJobs[0];
      await using reader = await openReader(settings());
      const ended = {
        ...{ source: 'tiingo', state: 'done', accepted: 64, refused: 0, version: 1 },
        ...{ tasks: { all: 3, done: 2, failed: 1 }, failedTasks: [{ id, title }] },
      };
      expect(await reader.runs()).toMatchObject([ended]);
      const figures = await reader.figures();
      expect(figures.ended).toMatchObject([ended]);
      const counts = figures.jobs.filter(({ count }) => count > 0);
      expect(counts.map(({ queue, state, count }) => `${queue} ${state} ${count}`).sort()).toEqual([
        'fetch dead 1',
        'fetch done 2',
        'load done 1',
      ]);
      expect(JSON.stringify([failed, dead])).not.toContain('not-a-real-key');

      const [again] = await folder.json('jobs', 'retry', dead[0].id);
      expect(again).toMatchObject({ deadJobs: [] });
      expect(await storedRows()).toHaveLength(84);
      expect(await listed('dead')).toEqual([]);
    });

    long('retries a task whose staged result is missing', async () => {
      const jobs = await openJobs();
      const run = await runOf(SYMBOLS, 'backfill');
      // All children are done, and the last one waits.
      vendor.hold('S30');
      await jobs.enqueue(run);
      startWorker();
      await vendor.untilAsked('S30');
      while ((await listed('done')).length < 2) await delay(50);
      rmSync(join(stagingFolder(paths(), run.id), nameOf(run.createdMs, '1', 'json')));
      vendor.release('S30');
      const outcome = await jobs.finished(run.id, {});
      const deadJobs = [{ title: expect.stringContaining('S20 … S29'), kind: 'store' }];
      expect(outcome).toMatchObject({ report: { segments: 11, deadJobs } });
      const [id] = 'report' in outcome ? outcome.report.deadJobs.map((job) => job.id) : [];
      const [again] = await jobs.retry([id]);
      expect(await jobs.finished(again, {})).toMatchObject({ report: { segments: 10 } });
      expect(await storedRows()).toHaveLength(84);
      expect(await listed('dead')).toEqual([]);
      await jobs.close();
    });

    long('fails with the reason where all tasks have failed', async () => {
      startWorker();
      vendor.fail('S11', [403]);
      const { code, stderr } = await folder.run(...backfill(['S11']));
      expect(code).toBe(1);
      expect(stderr).toContain('Tiingo');
      expect(stderr).toContain('status 403');
    });

    // In both runners, test/jobs/backfills shows it of requested ones.
    long(
      'continues after a kill while it fetches, and fetches no finished task again',
      async () => {
        vendor.hold('S30');
        const worker = spawnWorker();
        const command = spawned(...backfill(SYMBOLS));
        await vendor.untilAsked('S30');
        // The other children are done when their last symbol is.
        await Promise.all([vendor.untilAsked('S19'), vendor.untilAsked('S29')]);
        while ((await listed('done')).length < 2) await delay(50);
        (worker ?? command).kill('SIGKILL');
        vendor.release('S30');
        startWorker();
        const report = await backfillHere(SYMBOLS);
        expect(report).toMatchObject({ segments: 21, deadJobs: [] });
        expect(await storedRows()).toHaveLength(84);
        const asked = vendor.asked();
        for (const symbol of SYMBOLS.slice(0, 20)) {
          expect(asked.filter((one) => one === symbol)).toEqual([symbol]);
        }
      },
    );

    long('continues after a kill while it loads', async () => {
      const worker = spawnWorker();
      const command = folder.spawn(...backfill(SYMBOLS));
      command.stdout?.resume();
      started.push(command);
      await said(command, 'load:');
      (worker ?? command).kill('SIGKILL');
      startWorker();
      const report = await backfillHere(SYMBOLS);
      expect(report).toMatchObject({ segments: 21, deadJobs: [] });
      expect(await storedRows()).toHaveLength(84);
      expect(vendor.asked()).toHaveLength(21);
      const ledger = await stored('SELECT count(*)::INTEGER AS n FROM segments');
      expect(ledger).toEqual([{ n: 21 }]);
    });

    it('runs once where two commands request the same at the same time', async () => {
      startWorker();
      vendor.hold('S11');
      const first = folder.json(...backfill(['S10', 'S11']));
      await vendor.untilAsked('S11');
      const second = spawnedJson(folder, backfill(['S10', 'S11']));
      await second.waits;
      vendor.release('S11');
      const reports = [await first, await second.document];
      // Each command has waited for a time of its own.
      for (const report of reports) delete report.seconds;
      for (const report of reports) delete report.rowsPerSecond;
      expect(reports[1]).toEqual(reports[0]);
      expect(vendor.asked()).toEqual(['S10', 'S11']);
      expect(version()).toBe(1);
    });

    const runOf = (symbols: string[], priority: Priority, tick?: string) => {
      const options = { symbols, ...DAYS };
      const request = { mode: 'live', source: 'tiingo', options, tick } as const;
      return fetchRun(request, options, { verb: 'a test', priority, nowMs: Date.now() });
    };

    alone('lets quotes overtake a backfill', async () => {
      const jobs = await openJobs();
      const backfilled = Array.from({ length: 60 }, (_, i) => `B${i + 10}`);
      vendor.hold('B10');
      await jobs.enqueue(await runOf(backfilled, 'backfill'));
      const quotes = await runOf(['QQ'], 'quotes');
      await jobs.enqueue(quotes);
      startWorker();
      expect(await jobs.finished(quotes.id, {})).toMatchObject({ report: { accepted: 4 } });
      // Four children run at a time.
      expect(vendor.asked().indexOf('QQ')).toBeLessThan(4);
      expect(vendor.asked()).toContain('B10');
      await jobs.close();
    });

    long('finds a place for quotes where a backfill waits for its vendor', async () => {
      const jobs = await openJobs();
      startWorker();
      for (const first of ['B10', 'B20', 'B30', 'B40']) vendor.hold(first);
      await jobs.enqueue(
        await runOf(
          Array.from({ length: 60 }, (_, i) => `B${i + 10}`),
          'backfill',
        ),
      );
      await Promise.all(['B10', 'B20', 'B30'].map((symbol) => vendor.untilAsked(symbol)));
      const quotes = await runOf(['QQ'], 'quotes');
      await jobs.enqueue(quotes);
      expect(await jobs.finished(quotes.id, {})).toMatchObject({ report: { accepted: 4 } });
      await jobs.close();
    });

    it('runs a tick only once', async () => {
      const jobs = await openJobs();
      startWorker();
      const tick = await runOf(['S10'], 'quotes', '2024-01-05T21:30:00.000Z');
      expect(await jobs.enqueue(tick)).toBe(true);
      expect(await jobs.finished(tick.id, {})).toMatchObject({ report: { accepted: 4 } });
      expect(await jobs.enqueue(tick)).toBe(false);
      expect(await jobs.isUnfinished(tick.id)).toBe(false);
      expect(vendor.asked()).toEqual(['S10']);
      await jobs.close();
    });

    it('runs tasks of maintenance', async () => {
      const jobs = await openJobs();
      startWorker();
      const task = maintenanceRun({ mode: 'live', task: 'retention' }, Date.now());
      await jobs.enqueue(task);
      const did = { landings: 0, files: 0 };
      expect(await jobs.finished(task.id, {})).toMatchObject({ report: { did } });
      await jobs.close();
    });

    long('fetches again at a later request', async () => {
      startWorker();
      await backfillHere(['S10']);
      const again = await backfillHere(['S10']);
      expect(again).toMatchObject({ segments: 1, alreadyLoaded: 1 });
      expect(vendor.asked()).toEqual(['S10', 'S10']);
    });

    long('reads local files in place', async () => {
      startWorker();
      const path = `${folder.dataDir}/abc.csv`;
      writeFileSync(path, 'Date,Open,High,Low,Close,Volume\n2024-01-02,1,2,1,2,10\n');
      expect(await folder.json('backfill', 'files', 'candles', path)).toMatchObject({
        segments: 1,
        accepted: 1,
      });
      expect(await storedRows()).toMatchObject([{ symbol: 'ABC', close: 2 }]);
    });

    long('holds a load that fails a sanity check until it is accepted', async () => {
      startWorker();
      const path = `${folder.dataDir}/abc.csv`;
      const bad = '2024-01-02,-1,-1,-1,-1,10\n'.repeat(999);
      writeFileSync(path, `Date,Open,High,Low,Close,Volume\n2024-01-02,1,2,1,2,10\n${bad}`);
      const refused = await folder.run('backfill', 'files', 'candles', path);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('999 of 1000 rows were rejected (99.9 %, at most 1 %)'),
      ]);
      const [{ id, kind }] = await listed('dead');
      expect(kind).toBe('doubtful');
      expect(await folder.json('jobs', 'retry', id, '--accept')).toMatchObject([{ accepted: 1 }]);
      expect(await storedRows()).toMatchObject([{ symbol: 'ABC', close: 2 }]);
    });

    long('keeps the pace of a vendor over all processes', async () => {
      const env = { ...vendor.env, ...runner.env, TAPEWORKS_TIINGO_LIMIT: '4/1' };
      const paced = createCliFolder({ ...env, TAPEWORKS_DATA_DIR: folder.dataDir }, QUICK_CLI);
      try {
        const workers = runner.hasWorkers ? ['1', '2'].map(() => paced.spawn('worker')) : [];
        for (const worker of workers) {
          worker.stderr?.resume();
          started.push(worker);
        }
        await Promise.all([
          paced.json(...backfill(SYMBOLS.slice(0, 8))),
          paced.json(...backfill(SYMBOLS.slice(8, 16))),
        ]);
      } finally {
        await paced.remove();
      }
      const moments = vendor.askedMs();
      expect(moments).toHaveLength(16);
      // Sixteen at four a second take three seconds; each process for itself would need one.
      expect(moments[15] - moments[0]).toBeGreaterThan(2000);
    });
  });
}

/** Resolves when a process has written a text to stderr. */
function said(child: ChildProcess, text: string): Promise<void> {
  let all = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      all += chunk;
      if (all.includes(text)) resolve();
    });
    child.once('exit', () => reject(new Error(`ended before it said "${text}": ${all}`)));
  });
}

function spawnedJson(folder: CliFolder, args: readonly string[]) {
  const child = folder.spawn(...args, '--json');
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  const document = new Promise((resolve, reject) => {
    child.once('close', () => {
      try {
        resolve(JSON.parse(stdout));
      } catch (error) {
        reject(error);
      }
    });
  });
  // Of either runner: it waits for another process, or shows how far the plan is.
  const waits = Promise.race([said(child, 'waiting for'), said(child, 'fetch:')]);
  return { document, waits };
}

/** Jobs on a real Redis, with real workers. */
export function describeRedisRunner(): void {
  describe.skipIf(!redisServer)('with Redis', () => {
    let redis: RunningRedis;
    const env: Record<string, string> = {};
    beforeAll(async () => {
      redis = await startRedis();
      env.TAPEWORKS_REDIS_URL = redis.url;
    });
    afterAll(() => redis.remove());

    describeRunner('the runner on Redis', {
      env,
      hasWorkers: true,
      isLong: true,
      async reset() {
        const client = new Redis(redis.url);
        await client.flushall();
        client.disconnect();
      },
    });
  });
}
