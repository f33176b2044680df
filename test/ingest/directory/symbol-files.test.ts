/** Facts for the directory from symbol files. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fetchSymbolFiles } from '../../../src/ingest/directory/symbol-files.ts';
import { templateText } from '../../../src/ingest/rows/template.ts';
import { eachTest } from '../support/each-test.ts';

const at = eachTest();

beforeEach(async () => {
  await mkdir(join(at.root, 'in'));
});

async function factsOf(name: string, content: string) {
  const path = join(at.root, 'in', name);
  await writeFile(path, content);
  const [told] = await Array.fromAsync(fetchSymbolFiles({ path }, at.context));
  return told;
}

describe('files of symbols', () => {
  it('have a note on names in a column of another name', async () => {
    const { facts, notes } = await factsOf('a.csv', 'symbol,name\nAAPL,Apple Inc.\n');
    expect(facts).toMatchObject([{ symbol: 'AAPL', companyName: null }]);
    expect(notes).toEqual(['the column "name" is not read: name it "companyName" if it is that']);
  });

  it('give the facts of the template, with numbers as numbers', async () => {
    const { source, facts } = await factsOf('a.csv', templateText('symbols'));
    expect(source).toBe('files');
    expect(facts).toEqual([
      {
        symbol: 'AAPL',
        companyName: 'Apple Inc.',
        exchange: 'NASDAQ',
        type: 'stock',
        country: 'US',
        sector: 'Technology',
        industry: 'Electronic Computers',
        cik: 320_193,
      },
    ]);
  });

  it('name any columns in any order, the last row of a symbol counts, and bad ones are kept', async () => {
    const lines = [
      '{"Ticker": 1, "sector": "Energy", "symbol": "brk-b", "exchange": "nyse"}',
      '{"symbol": "BRK.B", "sector": "Financial Services"}',
      '{"symbol": "KO", "country": "USA"}',
      '{"symbol": "PEP", "exchange": "LSE"}',
    ];
    const { facts, rejectedByReason } = await factsOf('b.jsonl', lines.join('\n'));
    expect(facts).toMatchObject([
      { symbol: 'BRK.B', sector: 'Financial Services', exchange: null, cik: null },
    ]);
    expect([...rejectedByReason.keys()].sort()).toEqual([
      'a later row has the same symbol',
      'country is not two capital letters',
      'exchange is none of NYSE, NASDAQ, AMEX',
    ]);
    const [name] = await readdir(at.context.paths.quarantine);
    expect(await readFile(join(at.context.paths.quarantine, name), 'utf8')).toContain('USA');
  });

  it('are refused where no row is good', async () => {
    await expect(factsOf('c.csv', 'symbol,type\nKO,share\n')).rejects.toMatchObject({
      name: 'SourceEmptyError',
      message: expect.stringContaining('1 row: type is none of stock'),
    });
    await expect(factsOf('d.csv', 'name\nCoke\n')).rejects.toThrow('has no good row');
  });
});
