import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../support/candle-file.ts';
import { useCliFolder } from '../support/run-cli.ts';

/** Takes the lines of some dates out of a candle file. */
function cutDates(path: string, dates: readonly string[]): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !dates.includes(line.slice(0, 10))).join('\n'));
}

describe('gaps', () => {
  const folder = useCliFolder();

  beforeAll(async () => {
    const input = join(folder.dataDir, 'in');
    mkdirSync(input);
    writeCandleFile(join(input, 'abc.csv'), '2025-01-02', '2025-03-31');
    cutDates(join(input, 'abc.csv'), ['2025-01-17', '2025-01-21', '2025-03-03']);
    writeCandleFile(join(input, 'sound.csv'), '2025-01-02', '2025-03-31');
    writeCandleFile(join(input, 'gone.csv'), '2025-01-02', '2025-02-28');
    // Twenty-five holes, more than a terminal is given, and not evenly apart as long bars are.
    writeCandleFile(join(input, 'thin.csv'), '2025-01-02', '2025-03-31');
    const every = readFileSync(join(input, 'thin.csv'), 'utf8').split('\n').slice(1, -1);
    const cut = every.filter((_, i) => [1, 3, 5].includes(i % 7) && i < 58);
    const dates = cut.map((line) => line.slice(0, 10));
    cutDates(join(input, 'thin.csv'), dates);
    await folder.json('backfill', 'files', 'candles', input);
  });

  it('counts holes and stopped series, and lists each in JSON', async () => {
    const report = await folder.json('gaps');
    expect(report).toMatchObject({
      mode: 'live',
      symbols: 4,
      newestBar: '2025-03-31',
      notFound: [],
      missing: { sessions: 3 + 25, holes: 2 + 25, symbols: 2 },
      stopped: 1,
      flags: null,
    });
    const [abc, gone, thin] = report.series;
    expect(abc).toMatchObject({
      symbol: 'ABC',
      missingSessions: 3,
      stopped: false,
      holes: [
        { from: '2025-01-17', to: '2025-01-21', sessions: 2 },
        { from: '2025-03-03', to: '2025-03-03', sessions: 1 },
      ],
    });
    expect(gone).toMatchObject({
      symbol: 'GONE',
      lastBar: '2025-02-28',
      sessionsBehind: 21,
      stopped: true,
    });
    expect(thin.holes).toHaveLength(25);
  });

  it('starts with the totals on a terminal and ends long lists', async () => {
    const { code, stdout } = await folder.run('gaps');
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[1]).toBe('missing: 28 sessions in 27 holes of 2 symbols');
    expect(lines[5]).toMatch(/^SYMBOL +FROM +TO +SESSIONS$/);
    expect(lines[6]).toMatch(/^ABC +2025-01-17 +2025-01-21 +2$/);
    expect(lines).toContain('… and 7 more');
  });

  it('looks at the symbols that are named, in any spelling, and says which it has not', async () => {
    const report = await folder.json('gaps', '--symbols', 'sound, nope');
    expect(report).toMatchObject({ symbols: 1, series: [], notFound: ['NOPE'] });
  });

  it('changes nothing', async () => {
    const hash = () =>
      createHash('sha256')
        .update(readFileSync(join(folder.dataDir, 'live', 'market.duckdb')))
        .digest('hex');
    const before = hash();
    expect((await folder.json('gaps', '--flags')).flags).toMatchObject({ 'unit-jump': 0 });
    await folder.json('explain', 'ABC', '2025-01-17');
    expect(hash()).toBe(before);
  });

  it('fails before anything was loaded', async () => {
    const { code, stdout, stderr } = await folder.run('gaps', '--mode', 'sandbox');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('run a backfill first');
  });
});
