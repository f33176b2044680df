/** Finds files whose contents do not match their name, by their first bytes. */

import type { FileForm } from './input-file.ts';

const FORMATS: readonly [magic: string, fault: string][] = [
  ['PK\x03\x04', 'it is a zip file: give it a name that ends in .zip'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'it is an Excel workbook (.xls): save the sheet as CSV'],
  ['\x1f\x8b', 'it is gzipped: give it a name that ends in .gz'],
  ['PAR1', 'it is a Parquet file: give it a name that ends in .parquet'],
  ['BZh', 'it is compressed by bzip2: unpack it'],
  ['\x28\xb5\x2f\xfd', 'it is compressed by zstd: unpack it'],
  ['\xfd7zXZ\0', 'it is compressed by xz: unpack it'],
  ['7z\xbc\xaf\x27\x1c', 'it is a 7z archive: unpack it'],
  ['%PDF-', 'it is a PDF document'],
  ['SQLite format 3\0', 'it is an SQLite database'],
];

const UTF32 = 'it is UTF-32 text: save it as UTF-8';
const UTF16 = 'it is UTF-16 text: save it as UTF-8';
const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body)\b/i;
/** Share of NUL bytes in ASCII text encoded as UTF-16 is one half; no other text has a quarter. */
const NUL_SHARE_OF_UTF16 = 0.25;

/** @returns why the file can't be of this form, worded to follow its name. */
export function kindFault(head: Buffer, form: FileForm): string | undefined {
  const text = head.toString('latin1');
  const [, fault] = FORMATS.find(([magic]) => text.startsWith(magic)) ?? [];
  if (form === 'parquet') {
    if (text.startsWith('PAR1')) return undefined;
    return fault ?? 'it is not a Parquet file';
  }
  if (text.startsWith('PK') && fault) return zipFault(text) ?? fault;
  if (fault) return fault;
  if (text.startsWith('\xff\xfe\0\0') || text.startsWith('\0\0\xfe\xff')) return UTF32;
  if (text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff')) return UTF16;
  const nuls = nulCount(head);
  if (nuls > 0 && nuls === head.length) return 'it holds nothing but NUL bytes';
  if (nuls > 0 && nuls >= head.length * NUL_SHARE_OF_UTF16) return UTF16;
  if (WEB_PAGE.test(text.replace(/^\xef\xbb\xbf/, ''))) {
    return 'it is a web page: a download may have given an error or a login instead of data';
  }
  return undefined;
}

/** Workbooks are zips whose first members have these names. */
function zipFault(text: string): string | undefined {
  if (/\[Content_Types\]\.xml|xl\/|_rels\//.test(text)) {
    return 'it is an Excel workbook (.xlsx): save the sheet as CSV';
  }
  if (text.includes('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')) {
    return 'it is a spreadsheet (.ods): save the sheet as CSV';
  }
  return undefined;
}

function nulCount(bytes: Buffer): number {
  return bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
}
