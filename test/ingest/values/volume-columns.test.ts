/**
 * Volumes. A column under a name that was not known became 0 without a word, and one without any
 * value refused every row.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { realdata } from '../../support/realdata.ts';
import { long } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

async function read(text: string, name = 'ABCD.csv') {
  await at.write({ [name]: text });
  const { rows, segment, reasons } = await fetchOne(
    fetchFiles({ path: join(at.folder, name) }, at.context),
  );
  return { volumes: rows.map(({ volume }) => volume), notes: segment.notes, reasons };
}

const file = (names: string, ...values: string[]) =>
  `Date,Open,High,Low,Close,${names}\n${values
    .map((value, i) => `2024-03-0${i + 4},50,51,49,50.12,${value}`)
    .join('\n')}\n`;

/** Reads files as one folder; returns the volumes of each, in their order. */
async function readAll(texts: readonly string[]) {
  const symbols = texts.map((_, i) => `V${String.fromCharCode(65 + i / 26, 65 + (i % 26))}`);
  await at.write(Object.fromEntries(texts.map((text, i) => [`${symbols[i]}.csv`, text])));
  const { rows, segment, reasons } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  const volumes = symbols.map((symbol) => bySymbol.get(symbol)?.map(({ volume }) => volume));
  return { volumes, notes: segment.notes, reasons };
}

describe('a column of shares', () => {
  it('may have other names, units, and be the sum of two', async () => {
    const columns: [name: string, values: string[], volumes: number[]][] = [
      ...[
        ...['Volume', 'Total Volume', 'total_volume', 'Trading Volume', 'Shares Traded', 'Qty'],
        ...['Nbr of Shares', 'Quantity', 'Total Trade Quantity', 'Volume (Shares)', 'real_volume'],
        ...['Total Vol', 'Vol (shares)', 'N. Shares', 'Turnover (shares)'],
      ].map((name): [string, string[], number[]] => [name, ['1000'], [1000]]),
      ['Volume (000)', ['12.3'], [12_300]],
      ['Volume (in thousands)', ['1000'], [1_000_000]],
      ['Vol (M)', ['1.25'], [1_250_000]],
      ['Volume (mln shares)', ['1.25'], [1_250_000]],
      ['Volumen in Tsd.', ['12'], [12_000]],
      ['VolumeK', ['1.25'], [1250]],
      ['Volume (hundreds)', ['12'], [1200]],
      ['Volume (lots of 100)', ['12'], [1200]],
      ['Volume (x10 000)', ['1.25'], [12_500]],
      ['Volume (mn)', ['1.25'], [1_250_000]],
      ['Volume(手)', ['12'], [1200]],
      ['成交量(万股)', ['1.25'], [12_500]],
      ['成交量（万手）', ['1.25'], [1_250_000]],
      ['出来高(千株)', ['12'], [12_000]],
      ['出来高(株)', ['12'], [12]],
      // Was read as millions of shares.
      ['VOLM', ['1234567'], [1_234_567]],
      ['Vol. (mil)', ['1.25'], [1_250_000]],
      ['Vol.', ['42.67M'], [42_670_000]],
      ['Vol.', ['0.35K'], [350]],
      ['Vol.', ['1.2B'], [1_200_000_000]],
      ...['Up,Down', 'UpVol,DownVol', 'Up Volume,Down Volume', 'buy_volume,sell_volume'].map(
        (names): [string, string[], number[]] => [names, ['600,400', '1,2'], [1000, 3]],
      ),
    ];
    const found = await readAll(columns.map(([name, values]) => file(name, ...values)));
    expect(columns.map(([name], i) => [name, found.volumes[i]])).toEqual(
      columns.map(([name, , volumes]) => [name, volumes]),
    );
    expect([found.notes, found.reasons]).toEqual([[], {}]);
  });

  it('of shares wins over a count of ticks', async () => {
    expect((await read(file('tick_volume,spread,real_volume', '7,1,1000'))).volumes).toEqual([
      1000,
    ]);
  });
});

it.each([
  ['1.25', '2.4', '3', true],
  ['1.25', '2', '3', false],
  ['1250125.5', '2400000.5', '3000000.5', false],
  ['1.25M', '2.4M', '3.1M', false],
])('volumes %s, %s and %s may be thousands: %j', async (...row) => {
  const isNoted = row.pop();
  const { notes } = await read(file('Volume', ...(row as string[])));
  const note =
    'most volumes have decimals (1.25) and are taken as shares; if they are thousands or millions, name the column "Volume (000)" or "Volume (M)" (ABCD.csv)';
  expect(notes).toEqual(isNoted ? [note] : []);
});

describe('a volume of 0', () => {
  it.each([
    ['x', 'no column of volumes: volume is 0 (ABCD.csv)'],
    // Its sign made it a column that counts money, as that of a volume does, and `Close ($)` too.
    ['VWAP ($)', 'no column of volumes: volume is 0 (ABCD.csv)'],
    ['tick_volume', 'the column "tick_volume" counts ticks, not shares: volume is 0 (ABCD.csv)'],
    ['<TICKVOL>', 'the column "<TICKVOL>" counts ticks, not shares: volume is 0 (ABCD.csv)'],
    [
      'Volume in lots',
      'the column "Volume in lots" counts lots, not shares: volume is 0 (ABCD.csv)',
    ],
    ['Volume (lots)', 'the column "Volume (lots)" counts lots, not shares: volume is 0 (ABCD.csv)'],
    ['Trade Count', 'the column "Trade Count" counts trades, not shares: volume is 0 (ABCD.csv)'],
    [
      '成交量(張)',
      'the unit of the column "Volume (張)" is not known: volume is 0; name it "Volume" if it counts shares (ABCD.csv)',
    ],
    // Dollars were read as shares.
    ['Volume ($)', 'the column "Volume ($)" counts money, not shares: volume is 0 (ABCD.csv)'],
    [
      'Traded Shares (€)',
      'the column "Traded Shares (€)" counts money, not shares: volume is 0 (ABCD.csv)',
    ],
    ['Vol. ($ mln)', 'the column "Vol. ($ mln)" counts money, not shares: volume is 0 (ABCD.csv)'],
    ['Turnover', 'the column "Turnover" counts money, not shares: volume is 0 (ABCD.csv)'],
  ])('has a note where the column is %s', async (name, note) => {
    const { volumes, notes } = await read(file(name, '1000'));
    expect([volumes, notes]).toEqual([[0], [note]]);
  });

  it.each(['Shares', 'Block Qty', 'Net Vol'])(
    'has a note that names a column which looks like the missing one: %s',
    async (name) => {
      const plain = name.toLowerCase().replace(' ', '');
      const { notes } = await read(file(name, '1000'));
      expect(notes).toContain(
        `the column "${plain}" is not read: name it "volume" if it is that (ABCD.csv)`,
      );
    },
  );

  it('is that of a column without a volume in any row', async () => {
    const { volumes, notes, reasons } = await read(file('Volume', '', ''));
    expect([volumes, reasons]).toEqual([[0, 0], {}]);
    expect(notes).toEqual(['a column of volumes without any volume: volume is 0 (ABCD.csv)']);
    const texts = ['N/A', '#N/A', 'null', '<NA>', '-', 'NaN'];
    const others = await readAll(texts.map((text) => file('Volume', text, text)));
    expect(others.volumes.slice(0, texts.length)).toEqual(texts.map(() => [0, 0]));
    expect(others.reasons).toEqual({});
  });

  long('is that of a symbol without any volume, in a file of others with some', async () => {
    const text = file('symbol,Volume', 'ABCD,', 'EFGH,5').replaceAll('2024-03-05', '2024-03-04');
    expect((await read(text, 'all.csv')).volumes).toEqual([0, 5]);
  });

  it('is not given to single rows without one', async () => {
    const { volumes, reasons } = await read(file('Volume', '1000', '', '2000'));
    expect([volumes, reasons]).toEqual([[1000, 2000], { 'volume is missing': 1 }]);
  });

  long('of JSON may be null in every row', async () => {
    const line = '{"date":"2024-03-04","open":1,"high":2,"low":1,"close":2,"volume":null}\n';
    expect((await read(line, 'ABCD.jsonl')).volumes).toEqual([0]);
  });
});

const made = realdata('dialects/made/13');

describe.skipIf(!existsSync(made))('the files of section 13', () => {
  it.each([
    ['ABCD.csv', 1000],
    ['EFGH.csv', 1000],
    ['IJKL.csv', 0],
    ['MNOP.csv', 1_000_000],
  ])('%s has the volume %d', async (name, volume) => {
    const { rows } = await fetchOne(fetchFiles({ path: join(made, name) }, at.context));
    expect(rows[0].volume).toBe(volume);
  });
});
