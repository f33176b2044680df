/**
 * A list of actions of many symbols of which one contradicts its bars was held whole: the splits of
 * all other symbols were missing until somebody accepted the wrong one, too.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();
const DAYS = ['2025-11-10', '2025-11-11', '2025-11-12', '2025-11-13', '2025-11-14'];
const SYMBOLS = Array.from({ length: 12 }, (_, i) => `S${10 + i}`);

function written(name: string, lines: readonly string[]): string {
  const path = join(cli.dataDir, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Traded prices that halve on the third day, but for one symbol. */
const barLines = SYMBOLS.flatMap((symbol) =>
  DAYS.map((day, i) => {
    const close = i >= 2 && symbol !== 'S15' ? 50 : 100;
    return `${symbol},${day},${close},${close},${close},${close},1000`;
  }),
);
const bars = written('bars.csv', ['Symbol,Date,Open,High,Low,Close,Volume', ...barLines]);
const actions = written('actions.csv', [
  'symbol,type,exDate,numerator,denominator,amount',
  ...SYMBOLS.map((symbol) => `${symbol},split,2025-11-12,2,1,`),
  ...SYMBOLS.map((symbol) => `${symbol},dividend,2025-11-14,,,0.5`),
]);

const load = (...options: string[]) =>
  cli.run('backfill', 'files', 'corporate-actions', actions, ...options);

async function splitsOf(): Promise<string[]> {
  const sql = "SELECT symbol FROM corporate_actions WHERE type = 'split' ORDER BY 1";
  return (await cli.json('sql', sql)).map(({ symbol }: { symbol: string }) => symbol);
}

it('holds the actions of one symbol, and loads those of the others', async () => {
  expect((await cli.run('backfill', 'files', 'candles', bars)).code).toBe(0);
  const held = await load();
  expect(held.code).toBe(1);
  expect(held.stderr).toMatch(
    /1 symbol is held .* the other 11 of .*actions\.csv are published: .*S15 2:1 on 2025-11-12 \(100, then 100\)/,
  );
  expect(await splitsOf()).toEqual(SYMBOLS.filter((symbol) => symbol !== 'S15'));
  const { held: list, segments } = await cli.json('segments', 'list');
  expect(list).toMatchObject([{ symbols: [{ symbol: 'S15' }] }]);
  expect(segments[0]).toMatchObject({ accepted: 22, rejected: 0 });
});

long('rebuilds them', async () => {
  expect((await cli.run('rebuild')).code).toBe(0);
  expect(await splitsOf()).toHaveLength(11);
});

long('accepts the held symbol', async () => {
  expect((await load('--accept', 'S15')).code).toBe(0);
  expect(await splitsOf()).toEqual(SYMBOLS);
  expect((await load()).stdout).toContain('nothing new');
  expect((await cli.json('segments', 'list')).held).toEqual([]);
});
