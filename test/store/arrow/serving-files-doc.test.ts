/** Checks `docs/serving-files.md`, and that the Python package reads the format as the API does. */

import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { isIntradaySeries, SERVED_INTERVALS } from '../../../src/base/time/intervals.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import * as tables from '../../../src/store/arrow/format/tables.ts';
import { EVERYTHING, LIST_NAMES } from '../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { compact } from '../../../src/store/arrow/write/compact.ts';
import { compactIntraday } from '../../../src/store/arrow/write/compact-intraday.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { sharedFolder } from '../../support/folders.ts';
import { pythonText } from '../../support/python-package.ts';
import { python } from '../../support/tools.ts';
import {
  copyOf,
  intradayFactsOf,
  minutesFrom,
  publishIntraday,
} from './support/intraday-fixture.ts';
import { publishLists, row } from './support/list-fixture.ts';
import { MINUTES } from './support/minute-kinds.ts';
import {
  CREATED_MS,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  rowsOf,
  universeOf,
} from './support/published-fixture.ts';

const DOC = readFileSync(new URL('../../../docs/serving-files.md', import.meta.url), 'utf8');

const DUMP = `
import json, sys
from pathlib import Path
from tapeworks.published import BAR_COLUMNS, Published
dumps = []
for folder in sys.argv[1:]:
    version = Published(Path(folder))
    names = version.manifest["indicatorColumns"]
    dump = {}
    for name in version.symbols:
        for interval in ("1d", "1w", "1M", "1m", "5m"):
            parts = version.series(name, interval)
            if not parts:
                continue
            columns = {"ts": [time for part in parts for time in version.times(part)]}
            for kind, wanted in (("candles", BAR_COLUMNS), ("indicators", names)):
                if kind == "indicators" and interval in ("1m", "5m"):
                    continue
                pieces = [version.columns(part, wanted, kind == "indicators") for part in parts]
                for piece in pieces:
                    for column in piece:
                        column.validate(full=True)
                for i, column in enumerate(wanted):
                    columns[column] = [value for piece in pieces for value in piece[i].to_pylist()]
                dump[f"{name} {interval} {kind}"] = dict(columns)
    if "lists" in version.manifest:
        for key in (("news",), ("news", "AAPL"), ("insider", "AAPL"), ("insider", "F")):
            dump[" ".join(key)] = [row["json"] for row in version.records(*key)]
    dumps.append(dump)
print(json.dumps(dumps))
`;

type Columns = Record<string, (number | null)[]>;

/** Compares bars and indicators with those that Python has read. */
function expectSame(folder: string, dump: Record<string, Columns>): void {
  const version = openPublished(folder) as PublishedVersion;
  for (const name of version.symbols) {
    for (const interval of SERVED_INTERVALS) {
      const bars = version.bars(name, interval);
      const candles = dump[`${name} ${interval} candles`];
      if (!candles) {
        expect(bars.close.length).toBe(0);
        continue;
      }
      expect(candles.ts).toEqual([...bars.timestampUs].map(Number));
      for (const column of ['open', 'high', 'low', 'close', 'volume'] as const) {
        expect(candles[column]).toEqual([...bars[column]]);
      }
      if (isIntradaySeries(interval)) continue;
      const columns = version.indicators(name, interval, INDICATORS);
      INDICATORS.forEach((column, i) => {
        const values = [...columns[i]].map((value) => (Number.isNaN(value) ? null : value));
        expect(dump[`${name} ${interval} indicators`][column]).toEqual(values);
      });
    }
  }
}

/** Publishes a base with slices and patches over it. */
async function publishDays(folder: string): Promise<void> {
  await publishBase(folder, universeOf(3, 300));
  const publication = new Publication(folder, { indicatorColumns: INDICATORS });
  publication.layer.addToSlice(0, '1d', rowsOf(7, 2, { firstRow: 299 }));
  publication.layer.addToSlice(2, '1w', rowsOf(8, 1, { firstRow: 60 }));
  publication.layer.addBatch(1, '1d', 'patches', rowsOf(9, 120));
  await publication.commit(LAYER_ADDED);
}

/** Publishes intraday bars of every tier. */
async function publishMinutes(folder: string): Promise<void> {
  await publishBase(folder, universeOf(3, 10));
  const series = [
    intradayFactsOf('A0', '1m'),
    intradayFactsOf('A1', '1m'),
    intradayFactsOf('A1', '5m'),
  ];
  const bars = minutesFrom(dayFromDate('2025-10-29'), 1200, 1);
  const add = (number: number, firstRow: number, end: number) => {
    const { interval } = series[number];
    const addition = { number, interval, firstRow, bars: copyOf(bars, firstRow, end) };
    return publishIntraday(folder, [addition], { series });
  };
  const folded = (tier: 'run' | 'day' | 'month', firstLayer: number) => {
    const version = openPublished(folder) as PublishedVersion;
    return compactIntraday(folder, version, { tier, firstLayer }, { createdMs: CREATED_MS });
  };
  await add(0, 0, 1000);
  await add(1, 0, 900);
  await folded('month', 0);
  await add(0, 1000, 1010);
  await add(2, 0, 50);
  await folded('day', 1);
  await add(1, 890, 950);
  await add(0, 1010, 1011);
  await folded('run', 2);
  await add(0, 1011, 1012);
  await publishIntraday(folder, [{ number: 2, interval: '5m', firstRow: 40, bars: undefined }]);
  const tiers = readManifest(folder)?.intraday?.layers.map(({ tier }) => tier);
  expect(tiers).toEqual(['month', 'day', 'run', 'slice', 'slice']);
}

/** Publishes months of every kind of numbers; JSON has none for those that are none. */
async function publishKinds(folder: string): Promise<void> {
  const kinds = Object.entries(MINUTES).filter(([kind]) => !kind.includes('none'));
  await publishBase(folder, universeOf(kinds.length, 3));
  const series = kinds.map((_, i) => intradayFactsOf(`A${i}`, i % 2 === 0 ? '1m' : '5m'));
  const additions = kinds.map(([, barsOf], number) => {
    const bars = barsOf(1100 + number, seededRandom(number));
    return { number, interval: series[number].interval, firstRow: 0, bars };
  });
  await publishIntraday(folder, additions, { series });
  const version = openPublished(folder) as PublishedVersion;
  const compaction = { tier: 'month', firstLayer: 0 } as const;
  await compactIntraday(folder, version, compaction, { createdMs: CREATED_MS });
}

/** Publishes lists of one layer and of several. */
async function publishRows(folder: string): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, i) => row(1000 - i, `n${i}`));
  await publishLists(folder, 'news', { [EVERYTHING]: rows, AAPL: rows.slice(5) });
  await publishLists(folder, 'insider', { AAPL: rows, F: rows.slice(1) });
  await publishLists(folder, 'insider', { F: [row(5, 'x')] });
  await publishLists(folder, 'news', {
    [EVERYTHING]: [row(2000, 'new'), row(990, 'n10', { adds: -1, json: '' })],
    AAPL: [row(990, 'n10', { adds: 0, json: '"corrected"' })],
  });
}

it('docs/serving-files.md names every list, and every column of every table', () => {
  const named = Object.entries(tables).filter(([name]) => name.endsWith('_TABLE'));
  // Those of quotes, companies and figures are fields that other pages describe.
  const described = named.filter(([name]) => !/^(QUOTE|COMPANY|FIGURE)/.test(name));
  expect(described.length).toBeGreaterThan(10);
  const columns = described.flatMap(([, table]) => Object.keys(table));
  for (const name of [...LIST_NAMES, ...columns]) {
    if (!/^(candles|indicators)_/.test(name)) expect(DOC).toContain(`\`${name}\``);
  }
});

describe.skipIf(!python)('is read by Python', () => {
  const [days, compacted, minutes, lists, kinds] = Array.from({ length: 5 }, sharedFolder);
  const older = fileURLToPath(new URL('../../fixtures/serving-format-4', import.meta.url));
  let dumps: Record<string, never>[];
  beforeAll(async () => {
    await publishDays(days);
    cpSync(days, compacted, { recursive: true });
    const version = openPublished(compacted) as PublishedVersion;
    await compact(compacted, version, 'newest', { createdMs: CREATED_MS, currentYear: 2025 });
    await publishMinutes(minutes);
    await publishRows(lists);
    await publishKinds(kinds);
    dumps = JSON.parse(pythonText(DUMP, [days, compacted, minutes, lists, kinds, older]));
  });

  it('base, slices and patches, and their compaction', () => {
    expectSame(days, dumps[0]);
    expectSame(compacted, dumps[1]);
  });

  it('intraday bars of every tier', () => expectSame(minutes, dumps[2]));

  it('packed bars of every kind', () => expectSame(kinds, dumps[4]));

  it('files of the format before, whose months are plain', () => {
    expectSame(older, dumps[5]);
    expect(Object.keys(dumps[5])).toContain('A1 1m candles');
  });

  it('lists of one layer and of several', () => {
    const version = openPublished(lists) as PublishedVersion;
    const textsOf = (name: 'news' | 'insider', key: string) =>
      [...version.list(name, key).rows()].map(({ json }) => json);
    expect(dumps[3]).toEqual({
      news: textsOf('news', EVERYTHING),
      'news AAPL': textsOf('news', 'AAPL'),
      'insider AAPL': textsOf('insider', 'AAPL'),
      'insider F': textsOf('insider', 'F'),
    });
  });
});
