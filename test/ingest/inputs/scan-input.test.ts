import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits/limits.ts';
import type { InputFile } from '../../../src/ingest/inputs/input-file.ts';
import { scanInput } from '../../../src/ingest/inputs/scan-input.ts';
import { sharedFolder } from '../../support/folders.ts';

const root = sharedFolder();

async function scan(content: string | Buffer, change: Partial<InputFile> = {}) {
  const path = join(root, 'input');
  await writeFile(path, content);
  const bytes = Buffer.byteLength(content);
  return scanInput({
    name: 'a.csv',
    path,
    bytes,
    modifiedUs: 0n,
    isGzip: false,
    isLooseJson: false,
    form: 'csv',
    ...change,
  });
}

describe('a scan', () => {
  it.each([
    ['one line without an end', 'a,b', 1],
    ['lines of either end', 'a\nb\n', 2],
    ['the last line without an end', 'a\r\nb', 2],
    ['no blank lines', 'a\n\n\r\nb\n\n', 2],
    ['a line of blanks', 'a\n  \n', 2],
    ['nothing', '', 0],
    ['only blank lines', '\n\r\n', 0],
  ])('counts %s', async (_what, text, lineCount) => {
    expect((await scan(text)).lineCount).toBe(lineCount);
  });

  it('counts the same when the content comes in pieces, cut anywhere', async () => {
    const text = 'date,open\r\n2017-01-03,1\r\n\r\n2017-01-04,2\r\n';
    const whole = await scan(text);
    // Content above this size is read as a stream, in chunks of one megabyte.
    const padded = `${text.repeat(30_000)}`;
    const streamed = await scan(padded, { bytes: limits.ingest.wholeReadBytesMax + 1 });
    expect(whole).toMatchObject({ lineCount: 3, isPlain: true });
    expect(streamed).toMatchObject({ lineCount: 90_000, isPlain: true });
  });

  it('hashes the content, keeps its ends and drops a byte-order mark from the head', async () => {
    const { sha256, head, tail, isPlain } = await scan('\ufeffdate\n1\n');
    expect(sha256).toBe(createHash('sha256').update('\ufeffdate\n1\n').digest('hex'));
    expect(head).toBe('date\n1\n');
    expect(tail.split('\n').at(-2)).toBe('1');
    expect(isPlain).toBe(true);
  });

  it.each([
    ['quotes', 'a\n"1"\n'],
    ['NUL bytes', 'a\n1\0\n'],
    ['bytes beyond ASCII', 'a\né\n'],
    ['both kinds of line end', 'a\r\n1\n'],
    ['returns within lines', 'a\n1\r2\n'],
    ['a blank line before the header', '\na\n1\n'],
    ['overlong lines', `a\n${'1'.repeat(limits.ingest.lineBytesMax + 1)}\n`],
  ])('does not trust the typed reader with %s', async (_what, text) => {
    expect((await scan(text)).isPlain).toBe(false);
  });

  it('reports that a missing file cannot be read', async () => {
    const path = join(root, 'missing');
    const input: InputFile = {
      name: 'a.csv',
      path,
      bytes: 1,
      modifiedUs: 0n,
      isGzip: false,
      isLooseJson: false,
      form: 'csv',
    };
    await expect(scanInput(input)).rejects.toThrow("it can't be read (not found, ENOENT)");
  });

  it('unpacks gzip, and reports damage', async () => {
    const packed = gzipSync('date\n1\n');
    const unpackTo = join(root, 'unpacked');
    const path = join(root, 'input.gz');
    await writeFile(path, packed);
    const input: InputFile = {
      name: 'a.csv.gz',
      path,
      bytes: packed.length,
      modifiedUs: 0n,
      isGzip: true,
      isLooseJson: false,
      form: 'csv',
    };
    expect((await scanInput(input, unpackTo)).lineCount).toBe(2);
    expect(await readFile(unpackTo, 'utf8')).toBe('date\n1\n');
    await expect(scan(packed.subarray(0, 15), { isGzip: true })).rejects.toThrow(
      'it is damaged: unexpected end of file',
    );
  });
});
