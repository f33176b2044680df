/** Finds files whose contents do not match their name, by their first bytes. */

import { constants, gunzipSync } from 'node:zlib';
import type { FileForm } from './input-file.ts';

interface Kind {
  /** First bytes, as Latin-1; one of them is there. */
  starts: readonly string[];
  /** Matches within the head, where the first bytes do not decide. */
  has?: RegExp;
  fault: string;
}

const DBN =
  'it is a DBN file of Databento: save it as CSV, with databento.read_dbn(…).to_csv(…) for example';
const ZIP = 'PK\x03\x04';

/** Files of tables in forms that are not read, with how to save them in one that is. */
const TABLES: readonly Kind[] = [
  {
    starts: ['ARROW1\0', 'FEA1', '\xff\xff\xff\xff'],
    fault:
      'it is an Arrow file (Feather): save it as Parquet, with pandas.read_feather(…).to_parquet(…) for example',
  },
  {
    starts: [
      ...['\x80\x02', '\x80\x03', '\x80\x04', '\x80\x05'],
      // Protocols 0 and 1 are texts.
      ...['ccopy_reg\n', 'cpandas.', 'cnumpy.', 'ccollections\n', '(dp0\n', '(lp0\n'],
    ],
    fault:
      'it is a Python pickle: save it as Parquet, with pandas.read_pickle(…).to_parquet(…) for example',
  },
  {
    starts: ['\x89HDF\r\n\x1a\n'],
    fault:
      'it is an HDF5 file: save it as Parquet, with pandas.read_hdf(…).to_parquet(…) for example',
  },
  {
    starts: ['DBN\x01', 'DBN\x02', 'DBN\x03'],
    fault: DBN,
  },
  {
    // The size of the header follows.
    starts: ['SCID\x38\0\0\0'],
    fault: 'it is an intraday file of Sierra Chart (.scid): export it there to a text file',
  },
  {
    starts: [''],
    has: /^.{8}DUCK/s,
    fault:
      'it is a DuckDB database: save the table as Parquet, with COPY … TO … (FORMAT parquet) for example',
  },
  {
    starts: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    fault: 'it is an Excel workbook (.xls): save the sheet as CSV',
  },
  {
    starts: ['<?xml', '\xef\xbb\xbf<?xml'],
    has: /urn:schemas-microsoft-com:office:spreadsheet/,
    fault: 'it is an Excel workbook (XML): save the sheet as CSV',
  },
  {
    starts: [ZIP],
    has: /\[Content_Types\]\.xml|xl\/|_rels\/|docProps\//,
    fault: 'it is an Excel workbook (.xlsx): save the sheet as CSV',
  },
  {
    starts: [ZIP],
    has: /mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/,
    fault: 'it is a spreadsheet (.ods): save the sheet as CSV',
  },
  {
    starts: [ZIP],
    // The name of the first member.
    has: /^.{30}[\w.-]{1,100}\.npy/s,
    fault: 'it is a NumPy file (.npz): save its columns as CSV with a header',
  },
  {
    starts: ['\x93NUMPY'],
    fault: 'it is a NumPy file (.npy): save its columns as CSV with a header',
  },
  {
    starts: ['Obj\x01'],
    fault:
      'it is an Avro file: save it as Parquet, with polars.read_avro(…).write_parquet(…) for example',
  },
  {
    starts: ['ORC'],
    has: /^ORC[^\t\r\n -~]/,
    fault:
      'it is an ORC file: save it as Parquet, with pandas.read_orc(…).to_parquet(…) for example',
  },
  {
    starts: ['<stata_dta>'],
    fault: 'it is a Stata file: save it as CSV, with export delimited for example',
  },
  {
    starts: ['SQLite format 3\0'],
    fault:
      'it is an SQLite database: save the table as CSV, with sqlite3 -csv -header FILE "SELECT …" for example',
  },
  {
    starts: ['PARE'],
    has: /^PARE.{0,3}[^\t\r\n -~]/s,
    fault: 'it is an encrypted Parquet file: write it without encryption',
  },
];

/** Files that hold others, or no table. */
const OTHERS: readonly Kind[] = [
  { starts: [ZIP], fault: 'it is a zip file: give it a name that ends in .zip' },
  { starts: ['\x1f\x8b'], fault: 'it is gzipped: give it a name that ends in .gz' },
  { starts: ['PAR1'], fault: 'it is a Parquet file: give it a name that ends in .parquet' },
  { starts: ['BZh'], fault: 'it is compressed by bzip2: unpack it' },
  { starts: ['\x28\xb5\x2f\xfd'], fault: 'it is compressed by zstd: unpack it' },
  { starts: ['\xfd7zXZ\0'], fault: 'it is compressed by xz: unpack it' },
  { starts: ['7z\xbc\xaf\x27\x1c'], fault: 'it is a 7z archive: unpack it' },
  { starts: ['<?xml', '\xef\xbb\xbf<?xml'], fault: 'it is XML: save its rows as CSV' },
  { starts: ['%PDF-'], fault: 'it is a PDF document' },
];

const UTF32 = 'it is UTF-32 text: save it as UTF-8';
const UTF16 = 'it is UTF-16 text: save it as UTF-8';
const BINARY = 'it is not text: save it as CSV or Parquet with the program that wrote it';
const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body|table)\b/i;
/** Share of NUL bytes in ASCII text encoded as UTF-16 is one half; no other text has a quarter. */
const NUL_SHARE_OF_UTF16 = 0.25;

/** @returns why the file can't be of this form, worded to follow its name. */
export function kindFault(head: Buffer, form: FileForm): string | undefined {
  const text = head.toString('latin1');
  if (form === 'parquet' && text.startsWith('PAR1')) return undefined;
  const fault = faultAmong(TABLES, text) ?? faultAmong(OTHERS, text);
  if (fault) return fault;
  if (form === 'parquet') return 'it is not a Parquet file';
  if (text.startsWith('\xff\xfe\0\0') || text.startsWith('\0\0\xfe\xff')) return UTF32;
  if (encodingOf(head) !== undefined) return UTF16;
  const [even, odd] = nulCounts(head);
  const nuls = even + odd;
  if (nuls > 0 && nuls === head.length) return 'it holds nothing but NUL bytes';
  if (nuls > 0 && nuls >= head.length * NUL_SHARE_OF_UTF16) return BINARY;
  if (WEB_PAGE.test(text.replace(/^\xef\xbb\xbf/, ''))) {
    return 'it is a web page: a download may have given an error or a login instead of data';
  }
  return undefined;
}

export type Encoding = 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Returns the encoding of a text whose first bytes show UTF-16, by its mark or its NUL bytes. */
export function encodingOf(head: Buffer): Encoding | undefined {
  const text = head.subarray(0, 4).toString('latin1');
  if (text.startsWith('\xff\xfe\0\0') || text.startsWith('\0\0\xfe\xff')) return undefined;
  if (text.startsWith('\xff\xfe')) return 'utf-16le';
  if (text.startsWith('\xfe\xff')) return 'utf-16be';
  const [even, odd] = nulCounts(head);
  const nuls = even + odd;
  if (nuls === 0 || nuls === head.length || nuls < head.length * NUL_SHARE_OF_UTF16)
    return undefined;
  // They are the upper half of each character, on one side.
  if (Math.min(even, odd) > nuls / 10) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** @returns why a file of any name is not read, if it holds a table or is packed. */
export function unnamedKindFault(head: Buffer, name: string): string | undefined {
  return otherTableFault(head, name) ?? faultAmong(OTHERS, head.toString('latin1'));
}

/**
 * @returns why a table is not read, packed or not, if its form is one of those; `head` may be that
 *   of any file.
 */
export function otherTableFault(head: Buffer, name: string): string | undefined {
  // Databento packs all its files so; no zstd is at hand to look inside.
  if (/\.dbn\.zst$/i.test(name)) return DBN;
  return faultAmong(TABLES, head.toString('latin1')) ?? faultAmong(TABLES, unpacked(head));
}

/** Text of the start of a gzipped file; empty for another one. */
function unpacked(head: Buffer): string {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return '';
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
  } catch {
    return '';
  }
}

function faultAmong(kinds: readonly Kind[], text: string): string | undefined {
  return kinds.find(
    ({ starts, has }) =>
      starts.some((start) => text.startsWith(start)) && (has?.test(text) ?? true),
  )?.fault;
}

/** Counts NUL bytes at even and at odd places. */
function nulCounts(bytes: Buffer): [even: number, odd: number] {
  const counts: [number, number] = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) counts[at % 2]++;
  return counts;
}
