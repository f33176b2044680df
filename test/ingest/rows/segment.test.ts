import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RowOf } from '../../../src/base/datasets/dataset.ts';
import type { news } from '../../../src/base/datasets/market.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { type RowsHead, stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { testContext } from '../support/segment-rows.ts';

const NOW = '2026-11-20T22:00:00Z';
const HEAD: RowsHead = { dataset: 'news', source: 'rss', asOfUs: undefined, origin: 'a feed' };

const at = eachTest();

function article(number: number, values: Partial<RowOf<typeof news>> = {}): RowOf<typeof news> {
  return {
    id: null,
    title: `Title ${number}`,
    summary: null,
    source: 'Wire',
    url: `https://example.com/${number}`,
    publishedAt: Date.parse('2026-11-19T14:30:00.250Z') + number,
    symbols: ['AAPL', 'BRK.B'],
    sentiment: 'positive',
    ...values,
  };
}

function land(rows: Parameters<typeof stageDatasetRows>[1], head: Partial<RowsHead> = {}) {
  return stageDatasetRows({ ...HEAD, ...head }, rows, testContext(at.root, NOW));
}

const readParquet = (path: string) =>
  inMemory(async (connection) =>
    (await connection.runAndReadAll('FROM read_parquet($1)', [path])).getRowObjectsJson(),
  );

describe('rows of a dataset', () => {
  it('are staged as Parquet under the names of their table', async () => {
    const { parquetPath, accepted, asOfUs, id } = await land([{ row: article(1) }]);
    expect(await readParquet(parquetPath)).toEqual([
      {
        id: expect.stringMatching(/^news_[a-z0-9]{26}$/),
        title: 'Title 1',
        summary: null,
        source: 'Wire',
        url: 'https://example.com/1',
        published_at: '2026-11-19 14:30:00.251',
        symbols: ['AAPL', 'BRK.B'],
        sentiment: 'positive',
      },
    ]);
    expect(accepted).toBe(1);
    expect(asOfUs).toBe(BigInt(Date.parse('2026-11-19T14:30:00.251Z')) * 1000n);
    expect(parquetPath).toBe(join(at.root, 'segments', `${id}.parquet`));
  });

  it('are the same segment in any order, and another one with more content', async () => {
    const rows = [article(1), article(2), article(3)];
    const first = await land(rows.map((row) => ({ row: { ...row } })));
    const turned = await land(rows.toReversed().map((row) => ({ row: { ...row } })));
    const fewer = await land(rows.slice(1).map((row) => ({ row: { ...row } })));
    const later = await land(
      rows.map((row) => ({ row: { ...row } })),
      { asOfUs: 1n },
    );
    expect(turned.id).toBe(first.id);
    expect(new Set([first.id, fewer.id, later.id]).size).toBe(3);
  });

  it('of one key count once: the last one counts and the others are refused', async () => {
    const { accepted, rejectedByReason, parquetPath } = await land([
      { row: article(1) },
      { row: article(1) },
      { row: article(1, { title: 'Corrected' }) },
      { row: article(2) },
      { row: article(2) },
    ]);
    expect(accepted).toBe(2);
    expect([...rejectedByReason]).toEqual([
      ['a later row has the same id', 2],
      ['the same row comes again later', 1],
    ]);
    const titles = (await readParquet(parquetPath)).map(({ title }) => title);
    expect(titles.sort()).toEqual(['Corrected', 'Title 2']);
  });

  it('that are bad are quarantined with their reason, place and text', async () => {
    const { id, accepted, rejected, rejectedByReason } = await land([
      { row: article(1) },
      { row: article(2, { url: 'ftp://x' }), name: 'b.xml', line: 7, text: '<item>two</item>' },
      { reason: 'item is not XML', name: 'c.xml', line: 1, text: '<ite' },
      { row: article(3, { publishedAt: Date.parse('2026-11-22T00:00:00Z') }) },
    ]);
    expect([accepted, rejected]).toEqual([1, 3]);
    expect(Object.fromEntries(rejectedByReason)).toEqual({
      'url is not a web address': 1,
      'item is not XML': 1,
      'publishedAt is still to come': 1,
    });
    const lines = (await readFile(join(at.root, 'quarantine', `${id}.csv`), 'utf8')).split('\n');
    expect(lines).toContain('rss,b.xml,7,url is not a web address,<item>two</item>');
    expect(lines).toContain('rss,c.xml,1,item is not XML,<ite');
  });

  // Who was not read from a list had left the index by it.
  it('of lists count as a whole or not at all', async () => {
    const member = (symbol: string, date: string | null, from: string | null = null) => ({
      ...{ index: 'mine', title: null, symbol, from: from && dayFromDate(from) },
      ...{ to: null, date: date && dayFromDate(date) },
    });
    const bad = { reason: 'symbol is not a ticker', line: 3, text: '?' };
    const { accepted, rejectedByReason, skipped } = await land(
      [
        { row: member('AAA', '2024-01-31'), name: 'lists.csv', line: 2, text: 'AAA' },
        { ...bad, name: 'lists.csv' },
        { row: member('BBB', null, '2024-01-31'), name: 'days.csv', line: 2, text: 'BBB' },
        { ...bad, name: 'days.csv' },
      ],
      { dataset: 'members' },
    );
    expect([accepted, Object.fromEntries(rejectedByReason)]).toEqual([
      1,
      {
        'a list counts as a whole, and line 3 is refused: symbol is not a ticker': 1,
        'symbol is not a ticker': 2,
      },
    ]);
    // The run fails, because a universe lacks a member.
    const reason = 'it is loaded without 1 refused row: symbol is not a ticker';
    expect(skipped).toEqual([{ name: 'days.csv', line: 3, reason, isRefused: true }]);
  });

  it('are marked in the quarantine if a spreadsheet would run them', async () => {
    const texts = ['=HYPERLINK("http://x")', '+1', '-2', '@SUM(A1)', '＝1', '\tx', 'plain', 'a=b'];
    const { id } = await land(
      texts.map((text, at) => ({ reason: 'item is not XML', name: '=file', line: at + 1, text })),
    );
    const path = join(at.root, 'quarantine', `${id}.csv`);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(1);
    expect(lines).toEqual([
      `rss,'=file,1,item is not XML,"'=HYPERLINK(""http://x"")"`,
      "rss,'=file,2,item is not XML,'+1",
      "rss,'=file,3,item is not XML,'-2",
      "rss,'=file,4,item is not XML,'@SUM(A1)",
      "rss,'=file,5,item is not XML,'＝1",
      "rss,'=file,6,item is not XML,'\tx",
      "rss,'=file,7,item is not XML,plain",
      "rss,'=file,8,item is not XML,a=b",
    ]);
  });

  it('have nothing in the quarantine that a terminal would obey', async () => {
    const text = '\u001b[31mred\u009b2J \u202etxt\u2069 \u007f\u2028é';
    const { id } = await land([{ reason: `item "${text}"`, name: `a${text}.csv`, line: 1, text }]);
    const [, line] = (await readFile(join(at.root, 'quarantine', `${id}.csv`), 'utf8')).split('\n');
    const shown = '\ufffd[31mred\ufffd2J \ufffdtxt\ufffd \ufffd\ufffdé';
    expect(line).toBe(`rss,a${shown}.csv,1,"item ""${shown}""",${shown}`);
  });

  it('that are all bad make an empty segment', async () => {
    const { accepted, parquetPath } = await land([{ reason: 'item is not XML', text: 'x' }]);
    expect(accepted).toBe(0);
    expect(existsSync(parquetPath)).toBe(true);
    expect(await readParquet(parquetPath)).toEqual([]);
  });

  it('may come one by one from a source that waits', async () => {
    async function* slowly() {
      for (let number = 1; number <= 3; number++) {
        await Promise.resolve();
        yield { row: article(number) };
      }
    }
    expect((await land(slowly())).accepted).toBe(3);
  });

  it('keep every bit of their numbers and every letter of their texts', async () => {
    const row = {
      symbol: 'AAPL',
      firm: 'Crédit “Ünion” \n\t"quoted", 株',
      analystName: null,
      target: 0.1 + 0.2,
      rating: null,
      publishedAt: 0,
    };
    const { parquetPath } = await land([{ row }], { dataset: 'analyst-targets' });
    const [stored] = await readParquet(parquetPath);
    expect([stored.firm, stored.target]).toEqual([row.firm, 0.1 + 0.2]);
  });
});
