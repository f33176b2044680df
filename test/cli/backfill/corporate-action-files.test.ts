/** Raw bars and a file that says what happened to the shares give every adjustment. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
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
    const bars = ['XYZ', 'XYW', 'XYV'].flatMap((symbol) => [
      `${symbol},2026-11-16,100,104,96,102,1000`,
      `${symbol},2026-11-17,102,104,98,100,1000`,
      `${symbol},2026-11-18,49,51,48,50,4000`,
      `${symbol},2026-11-19,50,52,49,51,4000`,
    ]);
    const text = `symbol,date,open,high,low,close,volume\n${bars.join('\n')}\n`;
    await cli.json('backfill', 'files', 'candles', written('bars.csv', text));
  });

  it('makes split prices derivable that were refused before, and states its rows', async () => {
    const before = await cli.run(
      ...['export', 'candles', '--format', 'csv', '--out', join(cli.dataDir, 'no.csv')],
      ...['--adjustment', 'split'],
    );
    expect(before.code).not.toBe(0);
    const path = written(
      'a.csv',
      `${ACTIONS}XYZ,split,2026-11-18,2,1,\nXYZ,dividend,2026-11-19,,,0.5\nXYZ,split,2027-01-04,2,1,\n`,
    );
    const report = await cli.json('backfill', 'files', 'corporate-actions', path);
    expect(report).toMatchObject({ segments: 1, accepted: 2, rejected: 1, seriesChanged: 1 });
    const again = await cli.json('backfill', 'files', 'corporate-actions', path);
    expect(again).toMatchObject({ alreadyLoaded: 1, seriesChanged: 0 });
  });

  it('gives no adjustment that a refused row leaves open, and fails', async () => {
    const rows = 'XYW,split,2026-11-18,2,1,\nXYW,dividend,x,,,1\n';
    const path = written('w-actions.csv', ACTIONS + rows);
    const { code, stdout } = await cli.run('backfill', 'files', 'corporate-actions', path);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'its dividends are not complete, so they are not used: a row is refused, ' +
        'exDate is not a date like 2026-01-31 (XYW)',
    );
    expect((await exported('XYW', 'split')).map((row) => Number(row[6]))).toEqual([51, 50, 50, 51]);
    const all = await cli.run(
      ...['export', 'candles', '--format', 'csv', '--out', join(cli.dataDir, 'no.csv')],
      ...['--symbols', 'XYW', '--adjustment', 'all'],
    );
    expect([all.code === 0, all.stderr]).toEqual([
      false,
      expect.stringContaining('its dividends are not known from 2026-11-16 to 2026-11-19'),
    ]);
  });

  it('adjusts symbols that are declared complete, whether they have actions or not', async () => {
    const path = written('v-actions.csv', `${ACTIONS}XYW,split,2026-11-18,2,1,\n`);
    await cli.json(
      ...['backfill', 'files', 'corporate-actions', path, '--complete', '--complete-for', '*'],
    );
    const closes = async (symbol: string) =>
      (await exported(symbol, 'all')).map((row) => Number(row[6]));
    expect(await closes('XYV')).toEqual([102, 100, 50, 51]);
    expect(await closes('XYW')).toEqual([51, 50, 50, 51]);
  });

  long('names a dividend that the price does not show in the report of the load', async () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
    const lines = days.map((day) => `XYU,${day},51,52,50,51,1\n`);
    const bars = `symbol,date,open,high,low,close,volume\n${lines.join('')}`;
    const actions = `${ACTIONS}XYU,dividend,2026-11-17,,,60\n`;
    const load = async (dataset: string, name: string, text: string) =>
      (await cli.json('backfill', 'files', dataset, written(name, text))).notes;
    const said = expect.stringContaining(
      'the price does not fall as a dividend says (XYU 60 on 2026-11-17)',
    );
    await load('candles', 'u.csv', bars);
    expect(await load('corporate-actions', 'u-actions.csv', actions)).toContainEqual(said);
    expect(await load('candles', 'u.csv', `${bars}XYU,2026-11-20,51,51,51,51,1\n`)).toEqual([]);
    await load('corporate-actions', 't-actions.csv', actions.replaceAll('XYU', 'XYT'));
    expect(await load('candles', 't.csv', bars.replaceAll('XYU', 'XYT'))).toContainEqual(
      expect.stringContaining('(XYT 60 on 2026-11-17)'),
    );
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
      'SELECT symbol, type, ex_date::VARCHAR AS day, source FROM corporate_actions ' +
        "WHERE symbol = 'XYZ' ORDER BY ex_date",
    );
    expect(rows).toEqual([
      { symbol: 'XYZ', type: 'split', day: '2026-11-18', source: 'files' },
      { symbol: 'XYZ', type: 'dividend', day: '2026-11-19', source: 'files' },
    ]);
  });
});
