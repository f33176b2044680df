/** Checks `docs/serving-files.md`, and that the Python package reads the format as the API does. */

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { SERVED_INTERVALS } from '../../../src/base/time/intervals.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import {
  ACTION_TABLE,
  BATCH_TABLE,
  DIRECTORY_TABLE,
  INDEX_TABLE,
  INTRADAY_SERIES_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
} from '../../../src/store/arrow/format/tables.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { compact } from '../../../src/store/arrow/write/compact.ts';
import { compactIntraday } from '../../../src/store/arrow/write/compact-intraday.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { freshFolder } from '../../support/folders.ts';
import { pythonText } from '../../support/python-package.ts';
import { python } from '../../support/tools.ts';
import {
  copyOf,
  intradayFactsOf,
  minutesFrom,
  publishIntraday,
} from './support/intraday-fixture.ts';
import {
  CREATED_MS,
  INDICATORS,
  publishBase,
  rowsOf,
  universeOf,
} from './support/published-fixture.ts';

const DOC = readFileSync(new URL('../../../docs/serving-files.md', import.meta.url), 'utf8');

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

const DUMP = `
import json, sys
from pathlib import Path
from tapeworks.published import BAR_COLUMNS, Published
version = Published(Path(sys.argv[1]))
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
print(json.dumps(dump))
`;

function dumpFromPython(): Record<string, Record<string, (number | null)[]>> {
  return JSON.parse(pythonText(DUMP, [dir]));
}

function expectSameAsPython(): void {
  const version = openPublished(dir) as PublishedVersion;
  const dump = dumpFromPython();
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
      if (interval === '1m' || interval === '5m') continue;
      const columns = version.indicators(name, interval, INDICATORS);
      INDICATORS.forEach((column, i) => {
        const values = [...columns[i]].map((value) => (Number.isNaN(value) ? null : value));
        expect(dump[`${name} ${interval} indicators`][column]).toEqual(values);
      });
    }
  }
}

describe('docs/serving-files.md', () => {
  it('names every column of every table', () => {
    for (const table of [
      SYMBOL_TABLE,
      INTRADAY_SERIES_TABLE,
      ACTION_TABLE,
      DIRECTORY_TABLE,
      INDEX_TABLE,
    ]) {
      for (const name of Object.keys(table)) expect(DOC).toContain(`\`${name}\``);
    }
    for (const name of Object.keys(BATCH_TABLE).filter(
      (column) => !/^(candles|indic)/.test(column),
    ))
      expect(DOC).toContain(`\`${name}\``);
    expect(Object.keys(QUOTE_TABLE)).toContain('timestamp');
  });

  it.skipIf(!python)('is read by Python: base, slices and patches', async () => {
    await publishBase(dir, universeOf(3, 300));
    const publication = new Publication(dir, { indicatorColumns: INDICATORS });
    publication.layer.addToSlice(0, '1d', rowsOf(7, 2, { firstRow: 299 }));
    publication.layer.addToSlice(2, '1w', rowsOf(8, 1, { firstRow: 60 }));
    publication.layer.addBatch(1, '1d', 'patches', rowsOf(9, 120));
    await publication.commit({
      seq: 2,
      storeMark: 'b',
      createdMs: CREATED_MS,
      replacesLayers: false,
      currentYear: 2025,
    });
    expectSameAsPython();
    const version = openPublished(dir) as PublishedVersion;
    await compact(dir, version, 'newest', { createdMs: CREATED_MS, currentYear: 2025 });
    expectSameAsPython();
  });

  it.skipIf(!python)('is read by Python: intraday bars of every tier', async () => {
    await publishBase(dir, universeOf(3, 10));
    const day = dayFromDate('2025-10-29');
    const series = [
      intradayFactsOf('A0', '1m'),
      intradayFactsOf('A1', '1m'),
      intradayFactsOf('A1', '5m'),
    ];
    const bars = minutesFrom(day, 1200, 1);
    const add = (number: number, firstRow: number, end: number) =>
      publishIntraday(
        dir,
        [
          {
            number,
            interval: series[number].interval,
            firstRow,
            bars: copyOf(bars, firstRow, end),
          },
        ],
        { series },
      );
    const folded = async (tier: 'run' | 'day' | 'month', firstLayer: number) =>
      compactIntraday(
        dir,
        openPublished(dir) as PublishedVersion,
        { tier, firstLayer },
        { createdMs: CREATED_MS },
      );
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
    await publishIntraday(dir, [{ number: 2, interval: '5m', firstRow: 40, bars: undefined }]);
    const tiers = readManifest(dir)?.intraday?.layers.map(({ tier }) => tier);
    expect(tiers).toEqual(['month', 'day', 'run', 'slice', 'slice']);
    expectSameAsPython();
  });
});
