/** `chart` over published bars, in a pipe: a test has no terminal. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../support/candle-file.ts';
import { useCliFolder } from '../support/run-cli.ts';

describe('chart', () => {
  const folder = useCliFolder();

  beforeAll(async () => {
    const path = join(folder.dataDir, 'abc.csv');
    writeCandleFile(path, '2025-01-02', '2025-03-31');
    await folder.json('backfill', 'files', 'candles', path);
  });

  it('is a table in a pipe, with the newest bars last', async () => {
    const { code, stdout } = await folder.run('chart', 'abc', '--bars', '3');
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^ABC .* in 3 1d bars, 2025-03-27 to 2025-03-31, /);
    expect(lines[1]).toMatch(/^time +open +high +low +close +volume +sma:20 +rsi$/);
    expect(lines[4]).toMatch(/^2025-03-31 /);
    expect(stdout).not.toContain('\x1b');
  });

  it('has tiny prices without exponents, and fractions of shares', async () => {
    const path = join(folder.dataDir, 'tiny.csv');
    const bar = '0.0000001,0.0000003,0.0000001,0.0000002,0.25';
    writeFileSync(path, `symbol,date,open,high,low,close,volume\nTINY,2025-03-28,${bar}\n`);
    await folder.json('backfill', 'files', 'candles', path);
    const { stdout } = await folder.run('chart', 'TINY', '--indicators', 'none');
    expect(stdout.trimEnd().split('\n').at(-1)?.split(/ +/)).toEqual([
      ...['2025-03-28', '0.0000001', '0.0000003', '0.0000001', '0.0000002', '0.25'],
    ]);
  });

  it('is drawn with --width, in that width and without escapes', async () => {
    const args = ['chart', 'ABC', '--width', '60', '--indicators', 'sma:5,macd'];
    const { code, stdout } = await folder.run(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('• sma:5 ');
    expect(stdout).toContain('⠒ macd ');
    expect(stdout).toContain('┃ rises');
    expect(stdout).not.toContain('\x1b');
    const widths = stdout
      .split('\n')
      .slice(1)
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
  });

  it('shows the whole window from --from on, several bars to a column if need be', async () => {
    const { stdout } = await folder.run('chart', 'ABC', '--from', '2025-01-02', '--width', '40');
    expect(stdout).toMatch(/in \d+ 1d bars, 2025-01-02 to 2025-03-31/);
    expect(stdout).toContain('one column is 2 bars');
    const { bars } = await folder.json(
      ...['chart', 'ABC', '--from', '2025-03-24', '--to', '2025-03-28', '--indicators', 'none'],
    );
    expect(bars).toHaveLength(5);
    expect(Object.keys(bars[0])).toEqual(['timestamp', 'open', 'high', 'low', 'close', 'volume']);
  });

  it('has the values of the API, whole histories included', async () => {
    const { bars } = await folder.json('chart', 'ABC', '--bars', '2', '--indicators', 'sma:40');
    const api = await folder.serve();
    const { headers } = await folder.key('live');
    const path = '/v1/svc/technical/ABC?indicators=sma:40&limit=2&format=csv';
    const { text } = await api.get(path, headers);
    const last = text.trimEnd().split('\r\n').at(-1)?.split(',') ?? [];
    expect(Number(last.at(-1))).toBe(bars[1]['sma:40']);
    expect(Number(last[5])).toBe(bars[1].close);
  });

  it.each([
    [['chart', 'ZZZ'], 1, 'Unknown symbol "ZZZ" in live data'],
    [['chart', 'BTC-USD'], 2, 'which is a cryptocurrency'],
    [['chart', 'ABC', '--mode', 'sandbox'], 1, 'Nothing is published in sandbox mode yet'],
    [['chart', 'ABC', '--indicators', 'smaa'], 2, 'did you mean sma?'],
    [['chart', 'ABC', '--interval', '5m'], 1, '5m bars are made from 1-minute or 5-minute bars'],
    [['chart', 'ABC', '--from', '2026-01-02'], 1, 'ABC has no 1d bars of this time'],
    [['chart', 'ABC', '--width', '5'], 2, '--width must be a whole number from 40 to 500'],
  ])('%j exits %d and says why', async (args, exit, message) => {
    const { code, stdout, stderr } = await folder.run(...args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(message);
  });
});
