/** Raw bars and a file that says what happened to the shares give every adjustment. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCliFolder } from '../support/run-cli.ts';

const ACTIONS = 'symbol,type,exDate,numerator,denominator,amount\n';
const cli = useCliFolder();

function written(name: string, text: string): string {
  const path = join(cli.dataDir, name);
  writeFileSync(path, text);
  return path;
}

/** Rows of an export, header and line ends apart. */
async function exported(symbol: string, adjustment: string): Promise<string[][]> {
  const path = join(cli.dataDir, 'out.csv');
  await cli.json(
    ...['export', 'candles', '--format', 'csv', '--out', path, '--force'],
    ...['--symbols', symbol, '--adjustment', adjustment],
  );
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\r\n');
  return lines.map((line) => line.split(','));
}

describe('a file of corporate actions next to raw bars', () => {
  beforeAll(async () => {
    const bars = [
      'symbol,date,open,high,low,close,volume',
      'XYZ,2026-11-16,100,104,96,102,1000',
      'XYZ,2026-11-17,102,104,98,100,1000',
      'XYZ,2026-11-18,49,51,48,50,4000',
      'XYZ,2026-11-19,50,52,49,51,4000',
    ];
    await cli.json('backfill', 'files', 'candles', written('bars.csv', `${bars.join('\n')}\n`));
  });

  it('makes split prices derivable that were refused before, and states its rows', async () => {
    const before = await cli.run(
      ...['export', 'candles', '--format', 'csv', '--out', join(cli.dataDir, 'no.csv')],
      ...['--adjustment', 'split'],
    );
    expect(before.code).not.toBe(0);
    const path = written(
      'a.csv',
      `${ACTIONS}XYZ,split,2026-11-18,2,1,\nXYZ,dividend,2026-11-19,,,0.5\nXYZ,dividend,x,,,1\n`,
    );
    const report = await cli.json('backfill', 'files', 'corporate-actions', path);
    expect(report).toMatchObject({ segments: 1, accepted: 2, rejected: 1, seriesChanged: 1 });
    expect(report.rejectedByReason).toEqual({ 'exDate is not a date like 2026-01-31': 1 });
    const again = await cli.json('backfill', 'files', 'corporate-actions', path);
    expect(again).toMatchObject({ alreadyLoaded: 1, seriesChanged: 0 });
  });

  it('gives them', async () => {
    const closes = async (adjustment: string) =>
      (await exported('XYZ', adjustment)).map((row) => Number(row[6]));
    expect(await closes('raw')).toEqual([102, 100, 50, 51]);
    expect(await closes('split')).toEqual([51, 50, 50, 51]);
    // Half a dollar on a close of 50 the day before.
    expect(await closes('all')).toEqual([51 * 0.99, 49.5, 49.5, 51]);
  });

  it('is listed by SQL with its source', async () => {
    const rows = await cli.json(
      'sql',
      'SELECT symbol, type, ex_date::VARCHAR AS day, source FROM corporate_actions ORDER BY ex_date',
    );
    expect(rows).toEqual([
      { symbol: 'XYZ', type: 'split', day: '2026-11-18', source: 'files' },
      { symbol: 'XYZ', type: 'dividend', day: '2026-11-19', source: 'files' },
    ]);
  });
});
