/**
 * Decimal commas. A comma before three digits stood between thousands in every file that
 * semicolons did not cut: "12,345" was read as 12345 beside "9,8".
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { markOfText } from '../../../src/ingest/values/decimal-marks.ts';
import { realdata } from '../../support/realdata.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest();

async function read(name: string, text: string, options: SourceOptions = {}) {
  await at.write({ [name]: text });
  return fetchOne(fetchFiles({ ...options, path: join(at.folder, name) }, at.context));
}

async function valuesOf(name: string, text: string, options?: SourceOptions) {
  const { rows } = await read(name, text, options);
  return rows.map(({ open, high, low, close, volume }) => [open, high, low, close, volume]);
}

const HEADER = 'Date,Open,High,Low,Close,Volume';
/** Lines of days from 2024-03-04 on, with quoted fields. */
function quoted(...rows: string[][]): string {
  const lines = rows.map((row, i) => `"2024-03-0${i + 4}",${row.map((f) => `"${f}"`).join(',')}`);
  return `${HEADER}\n${lines.join('\n')}\n`;
}
function cut(delimiter: string, ...rows: string[][]): string {
  const lines = rows.map((row, i) => [`2024-03-0${i + 4}`, ...row].join(delimiter));
  return `${HEADER.replaceAll(',', delimiter)}\n${lines.join('\n')}\n`;
}

const OPEN = ['12,345', '12,600', '12,100', '12,500', '1000'];

describe('a number', () => {
  it.each([
    ['55,25', 'comma'],
    ['0,500', 'comma'],
    ['1.234,50', 'comma'],
    ['1.234.567', 'comma'],
    ['1 234,50', 'comma'],
    ['3,4K', 'comma'],
    ['170.25', 'point'],
    ['1,234,567', 'point'],
    ['$1,234.50', 'point'],
    ['1 234,50 $', 'comma'],
    ['167,72\u00a0$US', 'comma'],
    ['167.72 US$', 'point'],
    ["1'234.50", 'point'],
    ['185.64 USD', 'point'],
    ['US$ 1.234,50', 'comma'],
    ['185.64 EUR', undefined],
    ['42.67M', 'point'],
    ['12,345', 'either'],
    ['12.345', 'either'],
    ['1234', undefined],
    ['n/a', undefined],
    ['1,23,456', 'point'],
    ['1,23,45', undefined],
    ['12.3万', 'point'],
  ])('%s shows the decimal mark %s', (text, mark) => {
    expect(markOfText(text)).toBe(mark);
  });
});

describe('a file with a number that only a decimal comma explains', () => {
  const rows = [OPEN, ['55,25', '55,75', '55,00', '55,50', '2000']];
  const values = [
    [12.345, 12.6, 12.1, 12.5, 1000],
    [55.25, 55.75, 55, 55.5, 2000],
  ];

  it.each(
    someOf(
      [
        ['quoted', 'ABCD.csv', quoted(...rows)],
        ['cut by tabs', 'ABCD.txt', cut('\t', ...rows)],
        ['cut by semicolons', 'ABCD.csv', cut(';', ...rows)],
        ['cut by bars', 'ABCD.csv', cut('|', ...rows)],
      ],
      2,
    ),
  )('and %s has decimal commas in all rows', async (_, name, text) => {
    expect(await valuesOf(name, text)).toEqual(values);
  });

  long('in its last row alone has them in all rows', async () => {
    const same = Array.from({ length: 400 }, (_, i) => {
      const day = new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
      return `"${day}","12,345","12,600","12,100","12,500","1000"`;
    });
    const text = `${HEADER}\n${same.join('\n')}\n"2021-02-04","12,3","12,6","12,1","12,5","9"\n`;
    const values = await valuesOf('ABCD.csv', text);
    expect([values[0], values.at(-1)]).toEqual([
      [12.345, 12.6, 12.1, 12.5, 1000],
      [12.3, 12.6, 12.1, 12.5, 9],
    ]);
  });

  it('has points, blanks or apostrophes between thousands', async () => {
    const texts = [
      ['1.234,50', '1.300,00', '1.200', '1.250,25', '1.234.567'],
      ['1 234,50', '1\u00a0300,00', '1\u202f200', "1'250,25", '1 234 567'],
    ];
    const row = [1234.5, 1300, 1200, 1250.25, 1_234_567];
    expect(await valuesOf('ABCD.csv', quoted(...texts))).toEqual([row, row]);
  });

  it('may be JSON or Parquet', async () => {
    const lines = rows.map(([open, high, low, close, volume], i) =>
      JSON.stringify({ date: `2024-03-0${i + 4}`, open, high, low, close, volume: +volume / 8 }),
    );
    const whole = values.map((row) => row.with(4, row[4] / 8));
    expect(await valuesOf('ABCD.jsonl', lines.join('\n'))).toEqual(whole);
    await at.write({ 'a.csv': quoted(...rows), 'ABCD.parquet': '' });
    await inMemory((connection) =>
      connection.run(`COPY (SELECT * REPLACE (volume::DOUBLE / 8 AS volume)
        FROM read_csv('${join(at.folder, 'a.csv')}', all_varchar = true))
        TO '${join(at.folder, 'ABCD.parquet')}'`),
    );
    const path = join(at.folder, 'ABCD.parquet');
    const { rows: found } = await fetchOne(fetchFiles({ path }, at.context));
    expect(found.map(({ open, volume }) => [open, volume])).toEqual([
      [12.345, 125],
      [55.25, 250],
    ]);
  });
});

describe('a file with a number that only a decimal point explains', () => {
  it.each([
    ['1,234.50', ['1,234.50', '1,300', '1,200', '1,250', '4,787,699']],
    ['170.25 beside volumes', ['170.25', '171', '170', '170.5', '4,787']],
    ['$1,234', ['$1,234', '$1,300.5', '$1,200', '$1,250', '7']],
  ])('%s has commas between thousands', async (_, row) => {
    const numbers = row.map((text) => Number(text.replace(/[$,]/g, '')));
    expect(await valuesOf('ABCD.csv', quoted(row))).toEqual([numbers]);
  });

  long('or with commas in volumes alone has them between thousands', async () => {
    expect(await valuesOf('ABCD.csv', quoted(['150', '152', '149', '151', '4,787']))).toEqual([
      [150, 152, 149, 151, 4787],
    ]);
    expect(
      await valuesOf('ABCD.csv', quoted(['1.505', '1.525', '1.495', '1.515', '4,787'])),
    ).toEqual([[1.505, 1.525, 1.495, 1.515, 4787]]);
  });
});

describe('a file whose numbers could have either decimal mark', () => {
  const reason =
    'it may hold numbers with decimal points ("12,345" is 12345) or numbers with decimal commas ("12,345" is 12.345): say which with --decimal point|comma';

  it.each([
    ['ABCD.csv', quoted(OPEN)],
    ['ABCD.txt', cut('\t', OPEN)],
    ['ABCD.csv', cut(';', OPEN)],
    ['ABCD.jsonl', '{"date":"2024-03-04","open":"12,345","high":"13","low":"12","close":"13"}\n'],
  ])('is refused: %s', async (name, text) => {
    await expect(read(name, text)).rejects.toThrow(reason);
  });

  // Whole prices show no mark: 150.123 of a German portal was a volume of 150.
  it('or has points before three digits in all of its volumes', async () => {
    const text = cut(',', ['50', '52', '49', '51', '150.123'], ['51', '53', '50', '52', '90.250']);
    await expect(read('ABCD.csv', text)).rejects.toThrow('say which with --decimal point|comma');
    expect((await valuesOf('ABCD.csv', text, { decimal: 'comma' }))[0][4]).toBe(150_123);
    expect((await valuesOf('ABCD.csv', text, { decimal: 'point' }))[0][4]).toBe(150.123);
    const millions = text.replace('150.123', '1.150.123');
    expect((await valuesOf('ABCD.csv', millions)).map((row) => row[4])).toEqual([
      1_150_123, 90_250,
    ]);
    const fractions = text.replace('150.123', '150.5');
    expect((await valuesOf('ABCD.csv', fractions)).map((row) => row[4])).toEqual([150.5, 90.25]);
  });

  it('is read once --decimal decides', async () => {
    const file = quoted(OPEN);
    expect(await valuesOf('ABCD.csv', file, { decimal: 'comma' })).toEqual([
      [12.345, 12.6, 12.1, 12.5, 1000],
    ]);
    expect(await valuesOf('ABCD.csv', file, { decimal: 'point' })).toEqual([
      [12_345, 12_600, 12_100, 12_500, 1000],
    ]);
  });

  it('is refused if its numbers contradict each other', async () => {
    const rows = [OPEN, ['55,25', '56', '55', '56', '1'], ['170.25', '171', '170', '170', '1']];
    await expect(read('ABCD.csv', quoted(...rows))).rejects.toThrow(
      'it may hold numbers with decimal points ("170.25" has a decimal point, but "55,25" has a decimal comma)',
    );
  });
});

it('a number of the other mark is a refused row once --decimal decides', async () => {
  const text = quoted(['55,25', '56', '55', '56', '1'], ['170.25', '171', '170', '171', '1']);
  const { rows, reasons } = await read('ABCD.csv', text, { decimal: 'comma' });
  expect([rows.map(({ open }) => open), reasons]).toEqual([[55.25], { 'open is not a number': 1 }]);
});

const made = realdata('dialects/made');

describe.skipIf(!existsSync(made))('the files of section 9', () => {
  const files = (path: string) => fetchOne(fetchFiles({ path: join(made, path) }, at.context));

  it('KO.csv has decimal commas', async () => {
    const { rows } = await files('comma/KO.csv');
    expect(rows[0]).toMatchObject({ open: 55.125, high: 55.5, low: 54.875, close: 55.25 });
  });

  it.each(['07/ABCD.txt', '07/EFGH.csv'])('%s is refused as ambiguous', async (path) => {
    await expect(files(path)).rejects.toThrow('say which with --decimal point|comma');
  });
});
