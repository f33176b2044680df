import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { csvFields } from '../../../src/ingest/inputs/csv-line.ts';
import { type CsvRecord, csvRecords } from '../../../src/ingest/inputs/csv-records.ts';
import { lineBatches } from '../../../src/ingest/inputs/file-lines.ts';
import { freshFolder } from '../../support/folders.ts';

let root: string;
beforeEach(() => {
  root = freshFolder();
});

async function put(text: string): Promise<string> {
  const path = join(root, 'in.csv');
  await writeFile(path, text);
  return path;
}

async function records(text: string): Promise<CsvRecord[]> {
  return Array.fromAsync(csvRecords(await put(text)));
}

const fieldsOf = async (text: string) =>
  (await records(text)).map((record) => ('fields' in record ? record.fields : record.reason));

describe('the records of a CSV file', () => {
  // A headline with a semicolon was cut there, and its row refused.
  it('are cut by the delimiter of the header alone', async () => {
    const text = 'title,source\nRates; yields | a\tbond,Wire\n';
    expect(await fieldsOf(text)).toEqual([
      ['title', 'source'],
      ['Rates; yields | a\tbond', 'Wire'],
    ]);
    for (const delimiter of [';', '\t', '|']) {
      const cut = await fieldsOf(['title,source', 'a,b'].join('\n').replaceAll(',', delimiter));
      expect(cut).toEqual([
        ['title', 'source'],
        ['a', 'b'],
      ]);
    }
  });

  it('may hold quotes, line ends and blank lines between quotes', async () => {
    const text = '\ufeffa,b\r\n\r\n "x, ""y""" , "line 1\r\n\r\nline 3" \r\n';
    expect(await records(text)).toMatchObject([
      { line: 1, fields: ['a', 'b'] },
      { line: 3, fields: ['x, "y"', 'line 1\n\nline 3'] },
    ]);
  });

  // Such a headline once ended the load of all files.
  it('have a quote within a field as a character', async () => {
    expect(await fieldsOf('a,b\nFed "pauses" again,5" screen\n')).toEqual([
      ['a', 'b'],
      ['Fed "pauses" again', '5" screen'],
    ]);
  });

  it('that are broken are reported one by one, and the next line begins a new record', async () => {
    const long = 'x'.repeat(limits.ingest.lineBytesMax + 1);
    const text = `a,b\n"x"y,1\n1,"open\n2,2\n${long},3\n4,4\n`;
    expect(await fieldsOf(text)).toEqual([
      ['a', 'b'],
      'quotes do not match',
      'quotes do not match',
      ['2', '2'],
      `line is longer than ${limits.ingest.lineBytesMax} characters`,
      ['4', '4'],
    ]);
  });
});

describe('lines', () => {
  it('of any length are kept up to the limit only', async () => {
    const path = await put(`a\n${'1'.repeat(5_000_000)}\r\n\nb`);
    const lines = (await Array.fromAsync(lineBatches(path))).flat();
    expect(lines.map(({ number, text }) => [number, text.length])).toEqual([
      [1, 1],
      [2, limits.ingest.lineBytesMax + 1],
      [3, 0],
      [4, 1],
    ]);
  });
});

it.each([
  ['a,b,,d', ['a', 'b', '', 'd']],
  [' a , b', ['a', 'b']],
  ['"a","1,234.50","say ""hi""",', ['a', '1,234.50', 'say "hi"', '']],
  ['a,"b', ['a', '"b']],
  ['', ['']],
])('cuts %s', (line, fields) => {
  expect(csvFields(line, ',')).toEqual(fields);
});
