/** Folders of pieces once became one symbol `2024`, and AAPL_D.csv a preferred share. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();
beforeEach(async () => {
  await mkdir(at.folder);
});

const header = 'Date,Open,High,Low,Close,Volume';
const bars = (close: number, day = '2024-03-04') =>
  `${header}\n${day},${close},${close},${close},${close},5\n`;

/** Loads a path and returns `symbol close` of each row, and the reasons of the files left out. */
async function load(path: string, options: SourceOptions = {}) {
  const loaded = await fetchAll(fetchFiles({ path, ...options }, at.context));
  const rows = loaded.flatMap((one) => one.rows.map(({ symbol, close }) => `${symbol} ${close}`));
  const skipped = loaded.flatMap(({ segment }) => segment.skipped);
  return {
    rows: rows.sort(),
    skipped: skipped.map(({ name, reason }) => `${name}: ${reason}`).sort(),
  };
}

describe('a folder of pieces', () => {
  const pieces = {
    'AAA/2023.csv': bars(10, '2023-03-06'),
    'AAA/2024.csv': bars(11),
    'BBB/2024.csv': bars(20),
  };

  it('is the symbol of its name, in a zip too', async () => {
    await at.write(pieces);
    const zip = join(at.root, 'a.zip');
    await writeFile(
      zip,
      zipOf(Object.entries(pieces).map(([name, content]) => ({ name, content }))),
    );
    for (const path of [at.folder, zip]) {
      expect(await load(path)).toEqual({ rows: ['AAA 10', 'AAA 11', 'BBB 20'], skipped: [] });
    }
    const loaded = await fetchAll(fetchFiles({ path: at.folder }, at.context));
    const words = loaded.flatMap(({ segment: { readings = [] } }) =>
      readings.map(({ reading }) => reading.symbol?.words),
    );
    expect(new Set(words)).toEqual(new Set(['by the name of the folder']));
  });

  it('is not made one symbol by --symbol, but its pieces are', async () => {
    await at.write(pieces);
    await expect(load(at.folder, { symbol: 'ZZZ' })).rejects.toThrow(
      '--symbol ZZZ says whose candles a single file holds',
    );
    const { rows } = await load(join(at.folder, 'AAA'), { symbol: 'ZZZ' });
    expect(rows).toEqual(['ZZZ 10', 'ZZZ 11']);
  });

  it('is refused where no folder names a symbol', async () => {
    await at.write({ 'AAPL.csv': bars(1), 'data/2024.csv': bars(2), 'prices.csv': bars(3) });
    const reason =
      'its name is a number or a common word, and no ticker; say whose candles it holds with --symbol, in a column "symbol" or by a folder such as symbol=AAPL';
    expect(await load(at.folder)).toEqual({
      rows: ['AAPL 1'],
      skipped: [`data/2024.csv: ${reason}`, `prices.csv: ${reason}`],
    });
    expect((await load(join(at.folder, 'prices.csv'), { symbol: 'LOW' })).rows).toEqual(['LOW 3']);
  });
});

describe('folders of keys', () => {
  it('name the symbol, in all forms, from inside too', async () => {
    const parquet = join(at.root, 'x.parquet');
    await inMemory((connection) =>
      connection.run(
        `COPY (SELECT DATE '2024-03-04' AS date, 3.0 AS open, 3.0 AS high, 3.0 AS low, 3.0 AS close) TO '${parquet}'`,
      ),
    );
    await at.write({
      'symbol=AAA/year=2024/month=3/part-0.csv': bars(1),
      'symbol=BRK%2FB/year=2024/x.json':
        '[{"date":"2024-03-04","open":2,"high":2,"low":2,"close":2}]',
      'symbol=CCC/data_0.parquet': await readFile(parquet),
      'symbol=DATA/daily.ndjson': '{"date":"2024-03-04","open":4,"high":4,"low":4,"close":4}\n',
    });
    expect((await load(at.folder)).rows).toEqual(['AAA 1', 'BRK.B 2', 'CCC 3', 'DATA 4']);
    expect((await load(join(at.folder, 'symbol=AAA'))).rows).toEqual(['AAA 1']);
  });
});

describe('words beside a ticker', () => {
  it('are a series of Stooq beside its column of open interest', async () => {
    const stooq = `${header},OpenInt\n2024-03-04,6,6,6,6,5,0\n`;
    await at.write({ 'all_d.txt': stooq, 'aapl_d.txt': bars(7) });
    expect((await load(at.folder)).rows).toEqual(['AAPL 7', 'ALL.PRD 6']);
  });

  it('are no part of it', async () => {
    await at.write({
      'AAPL_D.csv': bars(1),
      'HistoricalData_MSFT (1).csv': bars(2),
      'ABCR.O.csv': bars(3),
      'abr_a.us.txt': bars(4),
      'BRK_B.csv': bars(5),
    });
    expect(await load(at.folder)).toEqual({
      rows: ['AAPL 1', 'ABCR 3', 'ABR.PRA 4', 'MSFT 2'],
      skipped: [
        'BRK_B.csv: by its name it may be class B (BRK.B) or series B of a preferred share (BRK.PRB); say whose candles it holds with --symbol',
      ],
    });
  });
});
