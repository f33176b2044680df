import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerReader } from '../../../jobs/ledger/ledger-reader.ts';
import { EmbeddedRunner } from '../../../jobs/runner/embedded.ts';
import { type BackfillRequest, backfillId } from '../../../jobs/runner/request.ts';
import { backfillRequest } from '../../../jobs/runner/run-request.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { sources } from '../../../src/ingest/sources/sources.ts';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';

const dateOf = (day: number) => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);

const settingsOf = (dataDir: string) => settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });

/** Writes 1,200 good rows and 100 bad ones: a load that the sanity checks hold. */
function suspectRequest(dataDir: string): BackfillRequest {
  const path = join(dataDir, 'bars.csv');
  const good = Array.from({ length: 1200 }, (_, i) => `A,${dateOf(i)},1,2,1,2,10`);
  const bad = Array.from({ length: 100 }, (_, i) => `B,${dateOf(i)},-1,-1,-1,-1,0`);
  const header = 'symbol,date,open,high,low,close,volume';
  writeFileSync(path, `${[header, ...good, ...bad].join('\n')}\n`);
  return { mode: 'live', source: 'files', options: { dataset: 'candles', path } };
}

/** `backfill --accept` next to the same command without it ended as refused. */
long('loads with --accept what the same command loads without it', async () => {
  const dataDir = freshFolder();
  const settings = settingsOf(dataDir);
  const request = suspectRequest(dataDir);
  const first = backfillRequest(request, { settings });
  const accepted = await backfillRequest({ ...request, accept: true }, { settings });
  expect(await first).toMatchObject({ failure: { kind: 'doubtful' } });
  expect(accepted).toMatchObject({ report: { accepted: 1200, rejected: 100 } });
});

describe('a local load', () => {
  it('is in the list of jobs while it runs, when it has failed and when it is done', async () => {
    const dataDir = freshFolder();
    const settings = settingsOf(dataDir);
    const request = suspectRequest(dataDir);
    const states: string[] = [];
    const onProgress = () => {
      void ledgerReader(settings)
        .jobs()
        .then((jobs) => states.push(...jobs.map(({ state }) => state)));
    };
    await backfillRequest(request, { settings, onProgress });
    expect(new Set(states)).toEqual(new Set(['waiting']));
    const id = backfillId(request);
    expect(await ledgerReader(settings).jobs()).toMatchObject([
      { id, state: 'dead', kind: 'doubtful' },
    ]);
    await backfillRequest({ ...request, accept: true }, { settings });
    expect(await ledgerReader(settings).jobs()).toMatchObject([
      { id, state: 'done', verb: 'backfill files' },
    ]);
  });

  it('that was stopped is continued by the next command, and by a runner', async () => {
    const dataDir = freshFolder();
    const settings = settingsOf(dataDir);
    const request = suspectRequest(dataDir);
    const accept = { ...request, accept: true };
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('stopped'));
    const stopped = backfillRequest(accept, { settings, onProgress, signal: stop.signal });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await ledgerReader(settings).jobs()).toMatchObject([{ state: 'waiting' }]);
    const runner = new EmbeddedRunner({ settings });
    onTestFinished(() => runner.close());
    expect(await runner.resume()).toBe(1);
    const outcome = await runner.finished(backfillId(request), {});
    expect(outcome).toMatchObject({ report: { accepted: 1200 } });
    const again = await backfillRequest(accept, { settings });
    expect(again).toMatchObject({ report: { alreadyLoaded: 1 } });
  });
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
  const settings = settingsOf(freshFolder());
  const asked = backfillRequest({ mode: 'live', source, options }, { settings });
  await expect(asked).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(`set ${setting}`),
  });
  expect(await ledgerReader(settings).jobs()).toEqual([]);
});

it('every source that the table calls keyed is one of those', () => {
  const keyed = sources.filter(({ keyNeeded }) => keyNeeded).map(({ id }) => id);
  expect(SOURCES.map(([source]) => source)).toEqual(expect.arrayContaining(keyed));
});

it('flat files of Massive need no key', async () => {
  const settings = settingsOf(freshFolder());
  const options = { path: '/nothing/here.csv.gz' };
  const request = { mode: 'live', source: 'massive', options } as const;
  const outcome = await backfillRequest(request, { settings });
  expect(outcome).toMatchObject({ failure: { kind: 'wrong-question' } });
});
