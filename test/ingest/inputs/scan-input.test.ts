import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import type { InputFile } from '../../../src/ingest/inputs/input-file.ts';
import { scanInput } from '../../../src/ingest/inputs/scan-input.ts';
import { inputParts, PLAIN_SCAN, scanParts } from '../../../src/ingest/inputs/scan-inputs.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';

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

const MB = 1024 * 1024;

function fileOf(name: string, bytes: number, path = name): InputFile {
  return { name, path, bytes, modifiedUs: 0n, isGzip: false, isLooseJson: false, form: 'csv' };
}

test('parts grow from 128 MB threefold, in the order of the files', () => {
  const files = Array.from({ length: 20 }, (_, i) => fileOf(`${i}.csv`, 64 * MB));
  const parts = inputParts(files);
  expect(parts.map(({ length }) => length)).toEqual([2, 6, 12]);
  expect(parts.flat()).toEqual(files);
});

test('a file above the size of a part is a part of its own', () => {
  const parts = inputParts([fileOf('a', 500 * MB), fileOf('b', 1), fileOf('c', 700 * MB)]);
  expect(parts.map((part) => part.map(({ name }) => name))).toEqual([['a'], ['b'], ['c']]);
});

test('an empty list is one part', () => {
  expect(inputParts([])).toEqual([[]]);
});

test.each(['a few', 'many'])('scans of %s bytes come part by part, in order', async (amount) => {
  const folder = freshFolder();
  // Above 8 MB, worker threads do the scanning.
  const lines = amount === 'many' ? 600_000 : 3;
  const files = await Promise.all(
    [lines, 2, 1, lines + 1, 5].map(async (count, i) => {
      const path = join(folder, `${i}.csv`);
      const content = '2020-01-02,1,1\n'.repeat(count);
      await writeFile(path, content);
      return fileOf(`${i}.csv`, content.length, path);
    }),
  );
  const parts = [files.slice(0, 2), files.slice(2)];
  const seen: unknown[] = [];
  for await (const part of scanParts(parts, folder, {}, PLAIN_SCAN)) {
    seen.push(part.map((file) => ('scan' in file ? file.scan.lineCount : file.damage)));
  }
  expect(seen).toEqual([
    [lines, 2],
    [1, lines + 1, 5],
  ]);
});
