import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

const DAYS = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09', '2026-01-12'];

/** Writes a file of ACME whose closes, by day, are as given. */
function writeCloses(name: string, closes: Record<string, number>): string {
  const path = join(folder.dataDir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  const lines = Object.entries(closes).map(([day, close]) => `${day},100,110,90,${close},1000`);
  writeFileSync(path, `${['date,open,high,low,close,volume', ...lines].join('\n')}\n`);
  return path;
}

const load = (path: string, asOf: string) =>
  folder.json('backfill', 'files', 'candles', path, '--as-of', asOf, '--accept', '--basis', 'raw');

it('lists what was changed, when, and by which file, also under a former ticker', async () => {
  const closes = Object.fromEntries(DAYS.map((day) => [day, 100]));
  delete closes['2026-01-08'];
  // A security that is told of before its bars gets its number after the others of the load.
  await folder.run('symbols', 'rename', 'ACMO', 'ACME', '--on', '2026-01-05');
  writeCloses('a/OTHER.csv', closes);
  await load(join(writeCloses('a/ACME.csv', closes), '..'), '2026-02-01');
  expect((await folder.json('corrections', 'acme')).corrections).toEqual([]);
  expect((await folder.run('corrections', 'ACME')).stdout).toBe(
    'ACME 1d (live): no bar was changed since versions are kept\n',
  );
  await load(writeCloses('b/ACME.csv', { '2026-01-06': 101, '2026-01-08': 102 }), '2026-02-02');
  // Newer bars are no corrections.
  await load(writeCloses('c/ACME.csv', { '2026-01-13': 103 }), '2026-02-03');
  const { corrections } = await folder.json('corrections', 'ACME');
  const older = { open: 100, high: 110, low: 90, close: 100, volume: 1000 };
  expect(corrections).toEqual([
    {
      publishedAt: expect.stringMatching(/^20\d\d-/),
      olderSource: 'files',
      newerSource: 'files',
      loads: [
        {
          ...{ seq: 3, kind: 'load', source: 'files', loadedAt: expect.stringMatching(/^20\d\d-/) },
          ...{ origin: expect.stringMatching(/b\/ACME\.csv$/), files: ['ACME.csv'] },
        },
      ],
      bars: [
        { timestamp: '2026-01-06T00:00:00.000Z', older, newer: { ...older, close: 101 } },
        { timestamp: '2026-01-08T00:00:00.000Z', older: null, newer: { ...older, close: 102 } },
      ],
    },
  ]);
  await folder.run('symbols', 'rename', 'ACME', 'ACMX', '--on', '2026-01-14');
  for (const name of ['ACME', 'ACMX']) {
    const after = await folder.json('corrections', name);
    expect([after.symbol, after.corrections]).toEqual(['ACMX', corrections]);
  }
  const { stdout } = await folder.run('corrections', 'ACMX', '--bars', '1');
  const [title, head, by, , row, more] = stdout.split('\n');
  expect(title).toBe('ACMX 1d (live): changed by 1 publish');
  expect(head).toMatch(/: 1 changed, 1 added, 0 removed; source files$/);
  expect(by).toMatch(/^ {2}by load 3: files, .*b\/ACME\.csv$/);
  expect(row.split(/\s+/).slice(1)).toEqual(['2026-01-06', 'close', '100', '101']);
  expect(more).toBe('  and 1 more bars: --bars shows more, --json all');
  // Loads are numbered again.
  await folder.run('rebuild');
  const [{ loads, ...rest }] = (await folder.json('corrections', 'ACMX')).corrections;
  expect({ ...rest, loads: [{ ...loads[0], seq: 3 }] }).toEqual(corrections[0]);
  // Another security gets the ticker and the bars of the last days, and no others.
  await folder.run('symbols', 'rename', 'ACME', 'ACMX', '--on', '2026-01-14', '--undo');
  await folder.run('symbols', 'rename', 'ACME', 'ACMX', '--on', '2026-01-12');
  const [moved] = (await folder.json('corrections', 'ACMX')).corrections;
  const lastDays = ['2026-01-12', '2026-01-13'].map((day) => `${day}T00:00:00.000Z`);
  expect(moved.bars.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual(lastDays);
  expect(moved.bars.map(({ newer }: { newer: unknown }) => newer)).toEqual([null, null]);
});

long('names a load that was removed since, and refuses an unknown symbol', async () => {
  await folder.run('segments', 'drop', '2');
  const { corrections } = await folder.json('corrections', 'ACMX');
  expect(corrections.map(({ bars }: { bars: unknown[] }) => bars.length)).toEqual([2, 2, 2]);
  expect(corrections[0].bars[1].newer).toBe(null);
  expect(corrections[2].loads[0].kind).toBe('drop');
  const { code, stderr } = await folder.run('corrections', 'NONE');
  expect([code, stderr.trim()]).toEqual([1, 'tapeworks: "NONE" is not published in this mode']);
});
