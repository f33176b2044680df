import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

describe('backfill symbols', () => {
  it('asks for a contact before it goes to the network', async () => {
    const { code, stderr } = await folder.run('backfill', 'symbols');
    expect(code).not.toBe(0);
    expect(stderr).toContain('set TAPEWORKS_CONTACT to your e-mail address');
  });

  it('refuses a file that is no directory', async () => {
    const path = join(folder.dataDir, 'other.txt');
    writeFileSync(path, 'a,b\n1,2\n');
    const { code, stderr } = await folder.run('backfill', 'symbols', path);
    expect(code).toBe(2);
    expect(stderr).toContain('nasdaqlisted.txt');
  });
});

// A folder of map files of LEAN ended with EISDIR.
it('symbols load reads the CSV files of a folder', async () => {
  const maps = join(folder.dataDir, 'map_files');
  mkdirSync(maps);
  const none = await folder.run('symbols', 'load', maps);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has none')]);
  writeFileSync(join(maps, 'meta.csv'), '20120518,fb\n20220608,fb\n20501231,meta\n');
  writeFileSync(join(maps, 'aapl.csv'), '19980102,aapl\n20501231,aapl\n');
  writeFileSync(join(maps, 'readme.txt'), 'maps\n');
  const loaded = await folder.json('symbols', 'load', maps);
  expect(loaded).toMatchObject({ stated: 1, refused: [] });
});
