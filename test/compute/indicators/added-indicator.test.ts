/** An indicator is one file and one row: adding both to the program is all it takes. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runChanged } from '../../support/changed-program.ts';
import { freshFolder } from '../../support/folders.ts';

const CATALOGUE = 'src/compute/indicators/catalogue.ts';

/** Mean price by volume since the first bar: reads columns that no other indicator reads. */
const kernel = `import { divide, multiply, total } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

export const avwap = indicator({
  name: 'avwap',
  title: 'Mean price by volume',
  params: [],
  outputs: ['avwap'],
  mainOutput: 'avwap',
  isPublished: true,
  columns: ({ open, volume }) => ({
    avwap: divide(total(multiply(open, volume)), total(volume)),
  }),
});
`;

/** Publishes a store, then one more day, and requests the new indicator. */
const SCRIPT = `
import { publish } from './jobs/publish/publish.ts';
import { technicalColumns } from './src/api/routes/technical/columns.ts';
import { parsedQuery } from './src/api/routes/technical/query.ts';
import { modePaths } from './src/base/config/data-dir.ts';
import { indicatorByName } from './src/compute/indicators/catalogue.ts';
import { openPublished } from './src/store/arrow/read/reader.ts';
import { loadCandleBatch } from './src/store/duckdb/load/load-candles.ts';
import { openMarketForWriting } from './src/store/duckdb/connection/open.ts';
import { risingBars, segmentOf } from './test/store/duckdb/support/segments.ts';

const paths = modePaths(process.argv[1], 'live');
const deps = { verb: 'test', nowMs: Date.parse('2026-07-01T12:00:00Z') };
const spec = indicatorByName('avwap');
const results = [];
for (const days of [40, 41]) {
  const market = await openMarketForWriting(paths, deps);
  const bars = risingBars('2026-01-05', days);
  const segment = segmentOf([{ symbol: 'AAPL', bars }], { name: String(days) });
  await loadCandleBatch(market, [{ segment }], deps.nowMs);
  market.close();
  const { kind } = await publish(paths, deps);
  const version = openPublished(paths.serving);
  for (const interval of ['1d', '1w', '1M']) {
    const whole = version.bars('AAPL', interval);
    const [published] = version.indicators('AAPL', interval, ['avwap']);
    const expected = spec.compute(whole, {}).avwap;
    const query = parsedQuery('indicators=avwap&format=csv&limit=all&interval=' + interval, undefined);
    const { indicators } = technicalColumns(version, 'AAPL', query);
    const isSame = (column) =>
      column.length === expected.length && column.every((value, i) => Object.is(value, expected[i]));
    results.push({ kind, interval, rows: expected.length, isSame: isSame(published), isRead: isSame(indicators[0].outputs[0]) });
  }
  version.close();
}
console.log(JSON.stringify(results));
`;

/** Runs the script in a program that has the indicator. */
function runAdded(): unknown {
  const catalogue = readFileSync(new URL(`../../../${CATALOGUE}`, import.meta.url), 'utf8');
  const texts = {
    'src/compute/indicators/averages/avwap.ts': kernel,
    [CATALOGUE]: catalogue
      .replace(/^import /m, "import { avwap } from './averages/avwap.ts';\nimport ")
      .replace(/(indicatorCatalogue: [^=]*= \[[^\]]*?),?\s*\]/, '$1, avwap]'),
  };
  return runChanged(texts, SCRIPT, [freshFolder()]);
}

const rowsOf = (kind: string, days: number, weeks: number, months: number) =>
  [days, weeks, months].map((rows, i) => ({
    kind,
    interval: ['1d', '1w', '1M'][i],
    rows,
    isSame: true,
    isRead: true,
  }));

describe('an indicator that is added as a file and a row', () => {
  it('is published, continues from its state, and is served', () => {
    expect(runAdded()).toEqual([...rowsOf('base', 40, 6, 2), ...rowsOf('layer', 41, 6, 2)]);
  });
});
