/** Published figures of companies, over many publishes of a synthetic store. */

import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FigureName } from '../../../../src/base/companies/figures.ts';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  MANIFEST_NAME,
  readManifest,
  textFromManifest,
} from '../../../../src/store/arrow/format/manifest.ts';
import type { FigureLayer } from '../../../../src/store/arrow/format/manifest-types.ts';
import { fileChecks } from '../../../../src/store/arrow/read/check-files.ts';
import { scaled } from '../../../faults/scale.ts';
import { preparedStore } from '../../../jobs/support/prepared-store.ts';
import {
  expectAsFromScratch,
  inStore,
  loadAll,
  published,
  run,
} from '../../../jobs/support/store.ts';
import { finished } from '../../../screens/run/support/finished.ts';
import { long } from '../../../support/store-runs.ts';
import { freshPaths, oneFile, rename } from '../../duckdb/support/fixtures.ts';
import { land } from '../../duckdb/support/row-fixtures.ts';

function count(symbol: string, filed: string, shares: number): DatasetRow {
  const filedAt = Date.parse(filed);
  return { symbol, date: dayFromDate(filed.slice(0, 10)), filedAt, kind: 'cover', shares };
}

async function addShares(paths: ModePaths, ...rows: DatasetRow[]): Promise<void> {
  await loadAll(paths, await land('shares', rows));
  await run(paths);
}

/** Counts of each symbol by date of filing. */
function historiesOf(paths: ModePaths, symbols: readonly string[]): unknown[][] {
  using version = published(paths);
  return symbols.map((symbol) =>
    version.figures
      .history(symbol)
      .map(({ knownMs, figures }) => [
        new Date(knownMs).toISOString().slice(0, 10),
        figures.shares,
      ]),
  );
}

function knownBy(paths: ModePaths, symbols: readonly string[], moment: string | undefined) {
  const names: readonly FigureName[] = ['shares'];
  const ms = moment === undefined ? Number.POSITIVE_INFINITY : Date.parse(moment);
  const { knownMs, figures } = finished(published(paths).figures.knownBy(symbols, ms, names));
  const dates = Array.from(knownMs, (one) =>
    Number.isNaN(one) ? null : new Date(one).toISOString().slice(0, 10),
  );
  return [dates, [...figures.shares]];
}

const SYMBOLS = Array.from({ length: 40 }, (_, i) => `S${String(i).padStart(2, '0')}`);

describe('published figures', () => {
  const withFigures = preparedStore((paths) =>
    addShares(
      paths,
      count('A', '2025-02-01', 1),
      count('A', '2025-05-01T20:00:00Z', 2),
      count('B', '2025-04-01', 3),
    ),
  );
  const ALL_OF_A = [
    ['2025-02-01', 1],
    ['2025-05-01', 2],
  ];

  it('are read as known by a moment, the newest of each symbol', async () => {
    const paths = await withFigures();
    const { NaN: Null } = Number;
    expect(knownBy(paths, ['B', 'X', 'A'], undefined)).toEqual([
      ['2025-04-01', null, '2025-05-01'],
      [3, Null, 2],
    ]);
    expect(knownBy(paths, ['A', 'B'], '2025-05-01T19:59:59.999Z')).toEqual([
      ['2025-02-01', '2025-04-01'],
      [1, 3],
    ]);
    expect(knownBy(paths, ['A', 'B'], '2025-05-01T20:00:00Z')[1]).toEqual([2, 3]);
    expect(knownBy(paths, ['A', 'B'], '2025-02-01')[1]).toEqual([1, Null]);
    expect(knownBy(paths, ['A', 'B'], '2025-01-31')[1]).toEqual([Null, Null]);
  });

  it('of many publishes are those of one, in few layers', async () => {
    const paths = freshPaths();
    await addShares(paths, ...SYMBOLS.map((symbol) => count(symbol, '2025-01-02', 1)));
    let layersMost = 0;
    for (let i = 0; i < scaled(5, 8); i++) {
      const month = String(i + 1).padStart(2, '0');
      const filers = SYMBOLS.filter((_, s) => (s * 7 + i * 3) % 20 < (i % 3) + 1);
      await addShares(paths, ...filers.map((symbol) => count(symbol, `2025-${month}-15`, i + 2)));
      layersMost = Math.max(layersMost, published(paths).figures.layers.length);
    }
    expect(layersMost).toBeGreaterThan(1);
    expect(layersMost).toBeLessThan(5);
    await expectAsFromScratch(paths, (some) => historiesOf(some, SYMBOLS));
    const { figures } = published(paths);
    expect(knownBy(paths, SYMBOLS, '2025-04-30')[1]).toEqual(
      SYMBOLS.map((symbol) => {
        const rows = figures.history(symbol);
        const known = rows.findLast(({ knownMs }) => knownMs <= Date.parse('2025-04-30'));
        return known!.figures.shares;
      }),
    );
  });

  long('of many companies that filed are written without those of the others', async () => {
    const paths = freshPaths();
    const symbols = Array.from({ length: 900 }, (_, i) => `S${String(i).padStart(3, '0')}`);
    await addShares(paths, ...symbols.map((symbol) => count(symbol, '2025-02-03', 1)));
    const [first] = published(paths).figures.layers;
    const filers = symbols.filter((_, i) => i % 9 === 0);
    await addShares(paths, ...filers.map((symbol) => count(symbol, '2025-05-05', 2)));
    const layers = published(paths).figures.layers.map(({ layer }) => layer);
    expect(layers).toEqual([first.layer, expect.objectContaining({ rowCount: 2 * filers.length })]);
    expect(historiesOf(paths, ['S009', 'S010'])).toEqual([
      [
        ['2025-02-03', 1],
        ['2025-05-05', 2],
      ],
      [['2025-02-03', 1]],
    ]);
  });

  long('go with a company to its new ticker', async () => {
    const paths = freshPaths();
    await loadAll(paths, oneFile([['2025-06-02', 10]], { basis: 'raw' }, 'A'));
    await addShares(paths, count('A', '2025-05-01', 1), count('B', '2025-05-01', 1));
    await inStore(paths, (db) => rename(db, 'A', 'N', '2025-06-03'));
    await run(paths);
    expect(historiesOf(paths, ['A', 'N'])).toEqual([[], [['2025-05-01', 1]]]);
    expect(knownBy(paths, ['A', 'N'], undefined)[1]).toEqual([Number.NaN, 1]);
  });

  it.each([
    ['none', () => undefined],
    ['other figures', (layer: FigureLayer) => ({ ...layer, columnCount: layer.columnCount! - 1 })],
  ])('are added to a version of an older program with %s by the next publish', async (_, of) => {
    const paths = await withFigures();
    const manifest = readManifest(paths.serving)!;
    const figures = manifest.figures!.flatMap((layer) => of(layer) ?? []);
    const { figures: __, ...older } = manifest;
    const stored = figures.length > 0 ? { ...older, figures } : older;
    writeFileSync(join(paths.serving, MANIFEST_NAME), textFromManifest(stored));
    expect(historiesOf(paths, ['A'])).toEqual([[]]);
    await loadAll(paths, oneFile([['2025-06-02', 10]], { basis: 'raw' }, 'A'));
    await run(paths);
    expect(historiesOf(paths, ['A'])).toEqual([ALL_OF_A]);
  });

  it('that are damaged are found when they are read, and by the nightly check', async () => {
    const paths = await withFigures();
    const version = published(paths);
    const [{ rows }] = version.manifest.figures!;
    const path = join(paths.serving, rows.name);
    const bytes = readFileSync(path);
    const place = bytes.indexOf(Buffer.from(new Float64Array([1]).buffer));
    const fd = openSync(path, 'r+');
    writeSync(fd, Uint8Array.of(1), 0, 1, place);
    closeSync(fd);
    expect(() => version.figures.history('A')).toThrow(CorruptDataError);
    expect(version.damage).toBeInstanceOf(CorruptDataError);
    const check = fileChecks(paths.serving, version.manifest).find(
      ({ name }) => name === rows.name,
    );
    await expect(check!.check()).rejects.toThrow('does not match its checksum');
  });
});
