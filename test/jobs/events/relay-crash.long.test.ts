import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { article, land } from '../../store/duckdb/support/row-fixtures.ts';
import { freshFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { FOLD_EARLY } from '../support/fold-early.ts';
import { publishAndDie } from '../support/publish-and-die.ts';
import { loadAll, publishOf, run } from '../support/store.ts';
import { subscribe, type Told, toldTo } from './told.ts';

useLimits(limits.serving, FOLD_EARLY);

const bars = (symbol: string, count: number, close: number) => ({
  symbol,
  bars: risingBars('2026-03-01', count, close),
});

/**
 * One publish short of a fold, which comes between the swap of the new version and its events;
 * with more articles than the outbox keeps.
 */
async function prepared(dataDir: string): Promise<{ paths: ModePaths; webhooks: string[] }> {
  const paths = modePaths(dataDir, 'live');
  const { deltasMax } = limits.serving;
  for (let day = 0; day <= deltasMax; day++) {
    await publishOf(paths, segmentOf([bars('A', 20 + day, 100), bars('B', 20 + day, 500)]));
  }
  const count = 20 + deltasMax + 1;
  const newest = 100 + count - 1;
  const filters = [{ kind: 'range', name: 'price', min: newest, max: 400 } as const];
  const webhooks = [
    await subscribe(paths),
    await subscribe(paths, { symbols: ['B', 'C'] }),
    await subscribe(paths, {
      events: ['screener.matched'],
      screener: {
        query: `price_min=${newest}`,
        filters,
      },
    }),
    await subscribe(paths, {
      events: ['screener.matched'],
      screener: {
        query: 'where=…',
        filters: [],
        where: `close >= ${newest} and close < 400`,
      },
    }),
  ];
  const articles = Array.from({ length: limits.events.outboxRowsMax }, (_, i) => article(i));
  await loadAll(
    paths,
    segmentOf([bars('A', count, 100), bars('B', count, 500), bars('C', count, 30)]),
    await land('news', articles),
  );
  return { paths, webhooks };
}

const byId = (told: readonly Told[]) => told.toSorted((a, b) => (a.id < b.id ? -1 : 1));

it('events of a publish that is killed are told by the next one, each once', async () => {
  const home = freshFolder();
  const { paths, webhooks } = await prepared(home);
  const keep = join(home, 'keep');
  const copy = (from: string, to: string) => {
    // A process that was killed leaves what belongs to its database beside it.
    for (const ending of ['', '-wal', '-shm']) {
      rmSync(join(to, `accounts.sqlite${ending}`), { force: true });
    }
    rmSync(join(to, 'live'), { recursive: true, force: true });
    for (const name of ['live', 'accounts.sqlite']) {
      cpSync(join(from, name), join(to, name), { recursive: true });
    }
  };
  copy(home, keep);
  const told = () => webhooks.map((webhook) => byId(toldTo(paths, webhook)));
  expect(told()).toEqual([[], [], [], []]);

  const whole = await publishAndDie(home, 0);
  expect(whole.died).toBe(false);
  for (const step of ['add events', 'move position', 'drop outbox']) {
    expect(whole.steps).toContain(step);
  }
  const expected = told();
  expect(expected.map((events) => new Set(events.map(({ type }) => type)))).toEqual([
    new Set(['candles.updated', 'quote.updated', 'news.published', 'data.ready']),
    new Set(['candles.updated', 'quote.updated', 'data.ready']),
    new Set(['screener.matched']),
    new Set(['screener.matched']),
  ]);

  const swap = whole.steps.indexOf('rename file manifest.json');
  for (const step of stepsToDieAt(whole.steps, swap)) {
    copy(keep, home);
    expect(await publishAndDie(home, step)).toMatchObject({ died: true });
    const name = `${step} ${whole.steps[step - 1]}`;
    // Killed before the swap: what is announced is not visible yet.
    if (step - 1 <= swap) expect(told(), name).toEqual([[], [], [], []]);
    await run(paths);
    expect(told(), name).toEqual(expected);
    await run(paths, NOW_MS + 3_600_000);
    expect(told(), `after ${name}`).toEqual(expected);
  }
});

/**
 * The swap, every kind of step after it, and every step of the relay. The short form takes every
 * sixth of those before the relay: what a fold leaves half done is tried by `publish-crash.long.test.ts`.
 */
function stepsToDieAt(steps: readonly string[], swap: number): number[] {
  const met = new Set<string>();
  const firsts = steps.flatMap((step, i) => {
    const kind = step.split(' ', 2).join(' ');
    if (i < swap || met.has(kind)) return [];
    met.add(kind);
    return [i + 1];
  });
  const relayFrom = steps.indexOf('add events') + 1;
  const isOfRelay = (step: number) => step >= relayFrom;
  return [
    ...someOf(
      firsts.filter((step) => !isOfRelay(step)),
      6,
    ),
    ...firsts.filter(isOfRelay),
  ];
}
