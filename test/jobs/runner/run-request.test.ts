import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { BackfillQuestion } from '../../../jobs/runner/backfill-request.ts';
import { EmbeddedRunner } from '../../../jobs/runner/embedded.ts';
import { planBackfill } from '../../../jobs/runner/plan-backfill.ts';
import { runQuestion } from '../../../jobs/runner/run-request.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { sources } from '../../../src/ingest/sources/sources.ts';
import { freshFolder } from '../../store/duckdb/support/fixtures.ts';

const dateOf = (day: number) => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);

/** `backfill --accept` of a plan that was begun without it ended as refused. */
it('what is accepted now is loaded, though its plan was begun without', async () => {
  const dataDir = freshFolder();
  const path = join(dataDir, 'bars.csv');
  const good = Array.from({ length: 1200 }, (_, i) => `A,${dateOf(i)},1,2,1,2,10`);
  const bad = Array.from({ length: 100 }, (_, i) => `B,${dateOf(i)},-1,-1,-1,-1,0`);
  const header = 'symbol,date,open,high,low,close,volume';
  writeFileSync(path, `${[header, ...good, ...bad].join('\n')}\n`);
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
  const runner = new EmbeddedRunner({ settings });
  onTestFinished(() => runner.close());

  const options = { dataset: 'candles', path };
  const question: BackfillQuestion = { mode: 'live', source: 'files', options };
  const told = { verb: 'a test', priority: 'backfill', nowMs: Date.now() } as const;
  const plan = planBackfill(question, options, told);
  // It runs from here on, as it was asked for.
  expect(await runner.enqueue(plan)).toBe(true);
  expect(await runner.isUnfinished(plan.id)).toBe(true);
  const outcome = await runQuestion(runner, { ...question, accept: true }, { settings });
  expect(outcome).toMatchObject({ report: { accepted: 1200, rejected: 100 } });
});

const SOURCES: [source: string, options: SourceOptions, setting: string][] = [
  ['massive', {}, 'TAPEWORKS_MASSIVE_KEY'],
  ['alpaca', { symbols: ['AAPL'] }, 'TAPEWORKS_ALPACA_KEY'],
  ['tiingo', { symbols: ['AAPL'] }, 'TAPEWORKS_TIINGO_KEY'],
  ['eodhd', { symbols: ['AAPL'] }, 'TAPEWORKS_EODHD_KEY'],
  ['finnhub', {}, 'TAPEWORKS_FINNHUB_KEY'],
  ['fmp', {}, 'TAPEWORKS_FMP_KEY'],
  ['sec', { symbols: ['AAPL'] }, 'TAPEWORKS_CONTACT'],
  ['form4', { symbols: ['AAPL'] }, 'TAPEWORKS_CONTACT'],
  ['symbols', {}, 'TAPEWORKS_CONTACT'],
];

// `backfill massive` without a key left 25 dead jobs and an alert of two weeks.
it.each(SOURCES)('%s without its setting queues nothing', async (source, options, setting) => {
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: freshFolder() });
  const runner = new EmbeddedRunner({ settings });
  onTestFinished(() => runner.close());
  const asked = runQuestion(runner, { mode: 'live', source, options }, { settings });
  await expect(asked).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(`set ${setting}`),
  });
  expect(await runner.list()).toEqual([]);
});

it('every source that the table calls keyed is one of those', () => {
  const keyed = sources.filter(({ keyNeeded }) => keyNeeded).map(({ id }) => id);
  expect(SOURCES.map(([source]) => source)).toEqual(expect.arrayContaining(keyed));
});

it('flat files of Massive need no key', async () => {
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: freshFolder() });
  const runner = new EmbeddedRunner({ settings });
  onTestFinished(() => runner.close());
  const options = { path: '/nothing/here.csv.gz' };
  const question = { mode: 'live', source: 'massive', options } as const;
  const outcome = await runQuestion(runner, question, { settings });
  expect(outcome).toMatchObject({ failure: { kind: 'wrong-question' } });
});
