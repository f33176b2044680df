/** The examples of `docs/webhooks.md` have the fields of what is told. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { emitIngestFailed } from '../../../jobs/events/ingest-failed.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { EVENT_TYPE_NAMES } from '../../../src/store/accounts/webhooks/event-record.ts';
import { freshPaths, NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { article, land, target } from '../../store/duckdb/support/row-fixtures.ts';
import { loadAll, publishOf, run } from '../support/store.ts';
import { subscribe, toldTo } from './told.ts';

const DOC = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');

/** Names of fields at every depth; of a list those of its first element. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf);
  if (typeof value !== 'object' || value === null) return '';
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, fieldsOf(own)]));
}

const shapeOf = ({ type, data }: { type: string; data: unknown }) =>
  JSON.stringify([type, fieldsOf(data)]);

it('an example of every event that a publish or a failed run tells', async () => {
  const paths = freshPaths();
  const bars = [{ symbol: 'AAPL', bars: risingBars('2026-06-01', 5) }];
  await publishOf(paths, segmentOf(bars));
  const filters = [{ kind: 'range', name: 'price', min: 105, max: 1000 } as const];
  const all = await subscribe(paths, {
    events: EVENT_TYPE_NAMES,
    screener: { query: 'q', filters },
  });
  const filedAt = Date.parse('2026-06-30T10:00:00Z');
  const day = dayFromDate('2026-06-15');
  const period = { symbol: 'AAPL', date: day, period: 'quarterly', filedAt };
  const grade = { symbol: 'AAPL', firm: 'F', action: 'upgrade', publishedAt: filedAt };
  const trade = { symbol: 'AAPL', insiderName: 'COOK', transactionType: 'sell', filedAt };
  const report = { symbol: 'AAPL', date: day + 60, time: 'unknown', asOf: filedAt };
  await loadAll(
    paths,
    segmentOf([{ symbol: 'AAPL', bars: risingBars('2026-06-01', 10) }], { name: 'later' }),
    await land('statements', [{ ...period, revenue: 1 }]),
    await land('balance-sheet', [{ ...period, cash: 1 }]),
    await land('insider', [{ ...trade, accession: '0000320193-25-000071', line: 1 }]),
    await land('news', [article(1)]),
    await land('analyst-consensus', [{ symbol: 'AAPL', asOf: filedAt, buy: 1 }]),
    await land('analyst-targets', [target()]),
    await land('upgrades-downgrades', [grade]),
    await land('earnings-calendar', [report]),
  );
  await run(paths, NOW_MS + 1000);
  const plan = { id: 'p', mode: 'live', source: 's', verb: 'v', priority: 'daily' } as const;
  const failure = { kind: 'unavailable', reason: 'r' } as const;
  await emitIngestFailed(paths, { ...plan, createdMs: NOW_MS, childCount: 0 }, [failure], NOW_MS);

  const examples = DOC.split('\n')
    .filter((line) => line.startsWith('{"type": "'))
    .map((line) => shapeOf(JSON.parse(line)));
  expect(examples.sort()).toEqual(toldTo(paths, all).map(shapeOf).sort());
  for (const type of EVENT_TYPE_NAMES) expect(DOC).toContain(`| \`${type}\` |`);
});
