import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

const NASDAQ = `Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares
AAPL|Apple Inc. - Common Stock|Q|N|N|100|N|N
ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N
File Creation Time: 1002201916:10||||||
`;

describe('backfill symbols', () => {
  it('loads a local directory, counted, and publishes it', async () => {
    const path = join(folder.dataDir, 'nasdaqlisted.txt');
    writeFileSync(path, NASDAQ);
    expect(await folder.json('backfill', 'symbols', path)).toMatchObject({
      segments: 1,
      accepted: 1,
      rejectedByReason: { 'test issue': 1 },
      publishedVersion: 1,
    });
    const [row] = await folder.json('sql', 'SELECT symbol, exchange, venue, source FROM symbols');
    expect(row).toEqual({
      symbol: 'AAPL',
      exchange: 'NASDAQ',
      venue: 'Nasdaq',
      source: 'nasdaqtrader',
    });
  });

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
