import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { listZip } from '../../../src/ingest/inputs/list-zip.ts';
import { scanInput } from '../../../src/ingest/inputs/scan-input.ts';
import { scanInputs } from '../../../src/ingest/inputs/scan-inputs.ts';
import { eachTest } from '../support/each-test.ts';
import { testContext } from '../support/segment-rows.ts';
import { type TestMember, zipOf } from '../support/zip-file.ts';

const csv = 'date,open,high,low,close,volume\n2017-01-03,1,2,1,2,5\n';
const at = eachTest();
let path: string;
beforeEach(async () => {
  path = join(at.root, 'a.zip');
});

/** Outcome of each data member: its number of lines, or its fault. */
async function outcomes(members: readonly TestMember[]) {
  await writeFile(path, zipOf(members));
  const { files, skipped } = await listZip(path);
  const scanned = await scanInputs(files, at.root, testContext(at.root, '2026-11-20T22:00:00Z'));
  const read = scanned.map((file) => [
    file.input.name,
    'damage' in file ? file.damage : file.scan.lineCount,
  ]);
  return { read: Object.fromEntries(read), skipped };
}

describe('a zip', () => {
  it('gives its data files, packed or stored, and names the others', async () => {
    const { read, skipped } = await outcomes([
      { name: 'd/', content: '' },
      { name: 'd/aapl.us.txt', content: csv },
      { name: 'd/msft.csv', content: csv, deflate: false },
      { name: 'd/empty.csv', content: '' },
      { name: 'd/readme.md', content: 'x' },
      // A folder with these ended with exit 1, though macOS puts them into every zip.
      { name: '__MACOSX/d/._msft.csv', content: '\0\x05\x16\x07' },
      { name: 'd/._msft.zip', content: '\0\x05\x16\x07' },
      { name: 'locked.csv', content: csv, encrypted: true },
      { name: 'lzma.csv', content: csv, method: 14 },
    ]);
    expect(read).toEqual({ 'd/aapl.us.txt': 2, 'd/msft.csv': 2, 'd/empty.csv': 0 });
    expect(skipped).toEqual([
      { name: 'd/readme.md', reason: 'not a .csv, .txt, .tsv, .json, .jsonl or .parquet file' },
      { name: '__MACOSX/d/._msft.csv', reason: 'a leftover of macOS' },
      { name: 'd/._msft.zip', reason: 'a leftover of macOS' },
      { name: 'locked.csv', reason: 'encrypted', isRefused: true },
      {
        name: 'lzma.csv',
        reason: 'compressed by method 14, which is not known',
        isRefused: true,
      },
    ]);
  });

  it('streams large members, packed or stored', async () => {
    const members = [
      { name: 'a.csv', content: csv },
      { name: 'b.csv', content: csv, deflate: false },
      { name: 'c.csv', content: csv, declaredCrc: 1 },
    ];
    await writeFile(path, zipOf(members));
    const { files } = await listZip(path);
    const large = files.map((file) => ({ ...file, bytes: limits.ingest.wholeReadBytesMax + 1 }));
    const [a, b, c] = await Promise.all(large.map((file) => scanInput(file).catch(String)));
    expect([a, b]).toEqual(await Promise.all(files.slice(0, 2).map((file) => scanInput(file))));
    expect(c).toContain('it is damaged: its checksum does not match');
  });

  it('names members that are damaged and reads the others', async () => {
    const { read } = await outcomes([
      { name: 'good.csv', content: csv },
      { name: 'crc.csv', content: csv, declaredCrc: 1 },
      { name: 'bomb.csv', content: csv.repeat(1000), declaredBytes: 100 },
    ]);
    expect(read).toEqual({
      'good.csv': 2,
      'crc.csv': 'it is damaged: its checksum does not match',
      'bomb.csv': expect.stringMatching(/^it is damaged: Cannot create a Buffer larger/),
    });
  });

  // One such name once made the whole zip unreadable.
  it('skips members whose names lead outside, writes no file there, and reads the others', async () => {
    const evil = ['../evil.csv', '/evil.csv', 'd/..\\..\\evil.csv', 'C:\\evil.csv'];
    const members = ['a.csv', ...evil, 'd/b.csv'].map((name) => ({ name, content: csv }));
    const { read, skipped } = await outcomes(members);
    expect(read).toEqual({ 'a.csv': 2, 'd/b.csv': 2 });
    expect(skipped).toEqual(
      evil.map((name) => ({
        name: name.replaceAll('\\', '/'),
        reason: 'its name leads out of the zip',
        isRefused: true,
      })),
    );
    expect((await readdir(at.root)).toSorted()).toEqual(['0.csv', '1.csv', 'a.zip']);
  });

  it('is refused when it is truncated', async () => {
    await outcomes([{ name: 'a.csv', content: csv }]);
    await writeFile(path, (await readFile(path)).subarray(0, -10));
    await expect(listZip(path)).rejects.toThrow(/cannot be read: it is truncated or damaged/);
  });
});
