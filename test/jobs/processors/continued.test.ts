/** A run whose process was killed reports, when it is continued, what an undisturbed one reports. */

import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { fetchTask } from '../../../jobs/processors/fetch.ts';
import { loadAndPublish } from '../../../jobs/processors/load.ts';
import { type BackfillRequest, requestedRun } from '../../../jobs/runner/request.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import { freshFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';
import { runOf } from './travelling-run.ts';

useLimits(limits.sanity, { rowsMin: 100 });

const NOW_MS = Date.UTC(2024, 5, 3, 12);
const HEAD = 'symbol,date,open,high,low,close,volume';
const bars = (symbol: string, close = 2) =>
  ['02', '03', '04'].map((day) => `${symbol},2024-01-${day},${close},9,1,${close},10`);
const MINUTES = ['04:00', '09:30', '09:31', '15:59', '18:00'].map(
  (time) => `AA,2024-01-02 ${time}:00,1,2,1,2,10`,
);
/** More than the allowed share of the rows of 5 symbols is refused. */
const DOUBTFUL = [
  ...Array.from({ length: 100 }, (_, i) => `D${i},2024-01-02,1,2,1,2,10`),
  ...Array.from({ length: 5 }, (_, i) => `D${i},2024-01-03,-1,2,1,2,10`),
];

const PUBLISHED = 'move position';

/** Files of a run by name, when its process dies, and options of its request. */
const CASES: Record<
  string,
  [files: Record<string, string[]>, dies: 'at commits' | 'after publish', options?: object]
> = {
  'daily bars that disagree, and minutes': [
    {
      'a.csv': [HEAD, ...bars('AA'), 'AA,2024-01-05,-1,2,1,2,10'],
      'b.csv': [HEAD, ...bars('AA', 3)],
      'm.csv': [HEAD.replace('date', 'timestamp'), ...MINUTES],
    },
    'at commits',
  ],
  'held symbols': [
    { 'doubtful.csv': [HEAD, ...DOUBTFUL], 'a.csv': [HEAD, ...bars('AA')] },
    'after publish',
  ],
  actions: [
    {
      'actions.csv': [
        'symbol,type,exDate,numerator,denominator,amount',
        ...['AA,split,2024-01-03,2,1,', 'AA,dividend,2024-01-04,,,40'],
      ],
    },
    'after publish',
    { dataset: 'corporate-actions' },
  ],
  articles: [
    {
      'news.csv': [
        'publishedAt,title,source,url,symbols',
        ...['n1', 'n2'].map((id) => `2024-01-02T12:00:00Z,T,S,https://a.example/${id},AA`),
      ],
    },
    'at commits',
    { dataset: 'news' },
  ],
};

let vendor: TiingoServer;
beforeAll(async () => {
  vendor = await startTiingo();
});
afterAll(() => vendor.close());
afterEach(() => onFailpoint(undefined));

type Prepared = { dataDir: string; run: Run };

async function filesRun(files: Record<string, string[]>, options: object): Promise<Prepared> {
  const dataDir = freshFolder();
  const folder = join(dataDir, 'input');
  mkdirSync(folder);
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    // Two files that are equally new have a note.
    utimesSync(join(folder, name), NOW_MS / 1000, NOW_MS / 1000);
  }
  const request: BackfillRequest = {
    ...{ mode: 'live', source: 'files' },
    options: { dataset: 'candles', path: folder, ...options },
  };
  const how = { verb: 'test', priority: 'backfill', nowMs: NOW_MS } as const;
  return {
    dataDir,
    run: await requestedRun(request, { paths: modePaths(dataDir, 'live'), ...how }),
  };
}

async function vendorRun(): Promise<Prepared> {
  const dataDir = freshFolder();
  const run = { ...runOf(3), createdMs: NOW_MS };
  const settings = settingsOf(dataDir);
  for (const [index, { slice }] of run.tasks.entries()) {
    const task = { plan: run.id, createdMs: NOW_MS, index, source: run.source, slice };
    await fetchTask(task, { paths: modePaths(dataDir, 'live'), settings, nowMs: NOW_MS });
  }
  return { dataDir, run };
}

const settingsOf = (dataDir: string) =>
  settingsFromEnv({ ...vendor.env, TAPEWORKS_DATA_DIR: dataDir });

/** Runs the load; its process dies at one of its commits, or after it has published. */
async function attempt({ dataDir, run }: Prepared, nowMs: number, diesAt?: number | string) {
  const dead = new AbortController();
  let commits = 0;
  onFailpoint((name) => {
    if (name === 'rows committed') commits++;
    const isLast = name === PUBLISHED ? diesAt === name : commits === diesAt;
    if (!isLast || dead.signal.aborted) return;
    dead.abort(new Error('killed'));
    throw new Error('killed');
  });
  const { tasks, shared, ...head } = run;
  const deps = { verb: 'test', nowMs, signal: dead.signal, settings: settingsOf(dataDir) };
  const paths = modePaths(dataDir, 'live');
  const report = await loadAndPublish(head, new Map(), { ...deps, paths }).then(
    ({ plan, publishedVersion, ...rest }) => JSON.stringify(rest),
    (error) => JSON.stringify(error.message),
  );
  onFailpoint(undefined);
  return { commits, report: JSON.parse(report.replaceAll(dataDir, '')) };
}

long.each([...Object.keys(CASES), 'tasks of a vendor'])(
  'a killed and continued run of %s reports what an undisturbed one reports',
  async (name) => {
    const [files, dies, options = {}] = CASES[name] ?? [];
    const prepared = () => (files ? filesRun(files, options) : vendorRun());
    const { commits, report } = await attempt(await prepared(), NOW_MS);
    const numbers = someOf(
      Array.from({ length: commits }, (_, i) => i + 1),
      5,
    );
    expect(commits).toBeGreaterThan(0);
    for (const diesAt of dies === 'after publish' ? [PUBLISHED] : numbers) {
      const killed = await prepared();
      await attempt(killed, NOW_MS, diesAt);
      const continued = await attempt(killed, NOW_MS + 60_000);
      expect(continued.report, `died at ${diesAt}`).toEqual(report);
    }
  },
);
