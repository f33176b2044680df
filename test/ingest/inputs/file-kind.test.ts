/** Beginnings of files as their programs wrote them, and texts that only resemble them. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { kindFault } from '../../../src/ingest/inputs/file-kind.ts';
import { listInputs } from '../../../src/ingest/inputs/list-inputs.ts';
import { freshFolder } from '../../support/folders.ts';
import { zipOf } from '../support/zip-file.ts';

const WORKBOOK_2003 =
  '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n' +
  '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">';

const WRITTEN: readonly [writer: string, head: Buffer, fault: string][] = [
  ['pyarrow, Feather 2', hex('4152524f57310000ffffffff9005000010'), 'an Arrow file (Feather)'],
  ['pyarrow, Feather 1', hex('46454131000000000080f82deb0d060000'), 'an Arrow file (Feather)'],
  ['pyarrow, a stream', hex('ffffffff900500001000000000000a000e'), 'an Arrow file (Feather)'],
  ['pickle, protocol 0', hex('63636f70795f7265670a5f7265636f6e73'), 'a Python pickle'],
  ['pickle, protocol 2', hex('80026370616e6461730a44617461467261'), 'a Python pickle'],
  ['pickle, protocol 4', hex('800495313d0000000000008c0670616e64'), 'a Python pickle'],
  ['pickle, protocol 5', hex('8005953b3d0000000000008c0670616e64'), 'a Python pickle'],
  ['pytables', hex('894844460d0a1a0a000000000008080004'), 'an HDF5 file'],
  ['databento_dbn', hex('44424e03c0000000584e41532e49544348'), 'a DBN file of Databento'],
  ['Sierra Chart', hex('5343494438000000280000000100000000'), 'Sierra Chart (.scid)'],
  ['Excel 97', hex('d0cf11e0a1b11ae1000000000000000000'), 'an Excel workbook (.xls)'],
  ['Excel 2003', Buffer.from(WORKBOOK_2003), 'an Excel workbook (XML)'],
  ['Excel', zipOf([{ name: '[Content_Types].xml', content: '<Types/>' }]), '(.xlsx)'],
  ['openpyxl', zipOf([{ name: 'docProps/app.xml', content: '<Properties/>' }]), '(.xlsx)'],
  ['numpy.savez', zipOf([{ name: 'close.npy', content: '\x93NUMPY' }]), 'a NumPy file (.npz)'],
  ['numpy.save', hex('934e554d5059010076007b276465736372'), 'a NumPy file (.npy)'],
  ['fastavro', hex('4f626a0104146176726f2e636f6465630c73'), 'an Avro file'],
  ['pyarrow, ORC', hex('4f52431d000a0b0a00000000001204080110'), 'an ORC file'],
  ['pandas, Stata', Buffer.from('<stata_dta><header><release>118</release>'), 'a Stata file'],
  ['SQLite', hex('53514c69746520666f726d617420330010'), 'an SQLite database'],
  ['DuckDB', hex('c1a2b3d4e5f607084455434b43000000'), 'a DuckDB database'],
  ['pyarrow, encrypted', hex('50415245150415c02515a4214c15d80415'), 'an encrypted Parquet file'],
  ['MATLAB', Buffer.concat([Buffer.from('MATLAB 5.0'), hex('000100494d0e00000000f0')]), 'not text'],
];

const TEXTS = [
  'DBN,2024-01-02,1,2,1,2,5\n',
  'ORCL,2024-01-02,1,2,1,2,5\n',
  'SCID,2024-01-02,1,2,1,2,5\n',
  'PARE,2024-01-02,1,2,1,2,5\n',
  'ORC;2024-01-02;8,5;9;8;9;5\n',
  'FEA,2024-01-02,1,2,1,2,5\n',
  'copy_reg\nclose\n',
  'close\n1.5\n',
  '(d,o,h,l,c)\n',
  '\x80,1\n',
  'date,open,high,low,close,volume\n2017-01-03,1,2,1,2,5\n',
];

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

describe('a file of another kind', () => {
  it.each(WRITTEN)('by %s is named for what it is, with any ending', async (_, head, fault) => {
    const folder = freshFolder();
    for (const form of ['csv', 'jsonl'] as const) {
      expect(kindFault(head, form)).toContain(fault);
    }
    if (fault === 'not text') return;
    expect(kindFault(head, 'parquet')).toContain(fault);
    await writeFile(join(folder, 'bars'), head);
    await expect(listInputs(join(folder, 'bars'))).rejects.toThrow(fault);
    const { files, skipped } = await listInputs(folder);
    expect(files).toEqual([]);
    expect(skipped).toEqual([{ name: 'bars', reason: expect.stringContaining(fault) }]);
  });

  // The advice was to give a name that ends in .gz to one that does.
  it('is named where it is packed', async () => {
    const folder = freshFolder();
    const pickle = gzipSync(Buffer.from('\x80\x05\x95 pandas', 'latin1'));
    await writeFile(join(folder, 'bars.pkl.gz'), pickle);
    await writeFile(join(folder, 'xnas.ohlcv-1d.dbn.zst'), Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    const faults = { 'bars.pkl.gz': 'Python pickle', 'xnas.ohlcv-1d.dbn.zst': 'DBN file' };
    for (const [name, fault] of Object.entries(faults)) {
      await expect(listInputs(join(folder, name))).rejects.toThrow(fault);
    }
    expect((await listInputs(folder)).skipped).toEqual(
      Object.entries(faults).map(([name, fault]) => {
        return { name, reason: expect.stringContaining(fault) };
      }),
    );
  });

  it('is named in a zip by its ending and its first bytes', async () => {
    const path = join(freshFolder(), 'all.zip');
    const written = zipOf([{ name: 'close.npy', content: '' }]);
    const content = { 'a.npz': written, 'b.NPZ': 'text', 'notes.md': written };
    const members = Object.entries(content).map(([name, text]) => ({ name, content: text }));
    await writeFile(path, zipOf(members));
    expect((await listInputs(path)).skipped).toEqual([
      { name: 'a.npz', reason: expect.stringContaining('it is a NumPy file (.npz)') },
      ...['b.NPZ', 'notes.md'].map((name) => {
        return { name, reason: 'not a .csv, .txt, .tsv, .json, .jsonl or .parquet file' };
      }),
    ]);
  });

  it('is refused if it is packed, since it may hold data', async () => {
    const folder = freshFolder();
    const inner = zipOf([{ name: 'AAPL.csv', content: 'date,open' }]);
    await writeFile(join(folder, 'all.zip'), zipOf([{ name: 'AAPL.zip', content: inner }]));
    await writeFile(join(folder, 'old.tar.gz'), 'x');
    await writeFile(join(folder, 'bars.csv.zst'), 'x');
    expect((await listInputs(folder, undefined, true)).skipped).toEqual([
      { name: 'all.zip/AAPL.zip', reason: 'a zip within a zip: unpack it', isRefused: true },
      { name: 'bars.csv.zst', reason: 'a .zst file: unpack it', isRefused: true },
      { name: 'old.tar.gz', reason: 'a .gz file: unpack it', isRefused: true },
    ]);
  });

  it('says how to save it in a form that loads', () => {
    for (const [, head] of WRITTEN) {
      expect(kindFault(head, 'csv')).toMatch(/: (?:save|write|export) it|: save (?:the|its) /);
    }
  });

  it('is not what begins alike', () => {
    expect(TEXTS.map((text) => kindFault(Buffer.from(text), 'csv'))).toEqual(
      TEXTS.map(() => undefined),
    );
    expect(kindFault(Buffer.from('PAR1\x15\0\x15\xc0'), 'parquet')).toBeUndefined();
  });
});

it('reads .pq and .parq as Parquet', async () => {
  const folder = freshFolder();
  for (const name of ['AAPL.pq', 'MSFT.PARQ', 'SPY.parquet']) {
    await writeFile(join(folder, name), 'PAR1');
  }
  const { files } = await listInputs(folder);
  expect(files.map(({ name, form }) => [name, form])).toEqual([
    ['AAPL.pq', 'parquet'],
    ['MSFT.PARQ', 'parquet'],
    ['SPY.parquet', 'parquet'],
  ]);
});

it.each([
  ["<?xml version='1.0'?>\n<data><row>", 'it is XML'],
  ['<table border="1" class="dataframe">', 'it is a web page'],
])('%j of pandas is named under the name of a CSV file', (text, fault) => {
  expect(kindFault(Buffer.from(text), 'csv')).toContain(fault);
});
