import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { newsId } from '../../../../src/base/datasets/news-id.ts';
import { CorruptDataError } from '../../../../src/base/errors.ts';
import { layersKept } from '../../../../src/store/arrow/lists/merge.ts';
import { compareRows, EVERYTHING, type ListRow } from '../../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { freshFolder } from '../../../support/folders.ts';
import { STORE_RUNS } from '../../../support/store-runs.ts';
import { publishLists, row } from '../support/list-fixture.ts';

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

const idsOf = (rows: readonly ListRow[]) => rows.map(({ id }) => id);

/** Two hundred rows of 600 bytes, newest first: several batches. */
const many = Array.from({ length: 200 }, (_, i) =>
  row(1_000_000 - 1000 * i, `n${String(i).padStart(3, '0')}`, { json: `"${'é'.repeat(300)}${i}"` }),
);

describe('a list', () => {
  it('is read back row by row, in pages of any size', async () => {
    const version = await publishLists(dir, 'news', { [EVERYTHING]: many, AAPL: many.slice(3, 5) });
    const list = version.list('news', EVERYTHING);
    for (const size of [1, 7, 20, 200, 500]) {
      const rows: ListRow[] = [];
      for (let page = list.page(undefined, size); page.length > 0; ) {
        rows.push(...page);
        page = list.page(page[page.length - 1], size);
      }
      expect(rows).toEqual(many.map(({ adds, ...rest }) => rest));
    }
    expect([...version.list('news', 'AAPL').rows()].map(({ id }) => id)).toEqual(['n003', 'n004']);
  });

  it('continues after a row that is gone, and from any moment', async () => {
    const list = (await publishLists(dir, 'news', { AAPL: many })).list('news', 'AAPL');
    expect(idsOf(list.page({ timestampMs: 999_500, id: 'gone' }, 2))).toEqual(['n001', 'n002']);
    expect(idsOf(list.page({ timestampMs: 2_000_000, id: '' }, 1))).toEqual(['n000']);
    expect(list.page({ timestampMs: 0, id: '' }, 1)).toEqual([]);
    expect(list.countAfter({ timestampMs: 999_500, id: '' })).toBe(199);
    expect(list.countAfter({ timestampMs: 0, id: '' })).toBe(0);
  });

  it('orders rows of one moment by their ids', async () => {
    const rows = Array.from({ length: 300 }, (_, i) =>
      row(7, `n${String(i).padStart(3, '0')}`, { json: `"${'x'.repeat(300)}"` }),
    );
    const list = (await publishLists(dir, 'news', { AAPL: rows })).list('news', 'AAPL');
    for (const i of [0, 54, 55, 56, 150, 298]) {
      expect(idsOf(list.page({ timestampMs: 7, id: rows[i].id }, 1))).toEqual([rows[i + 1].id]);
    }
  });

  it('is empty for an unknown symbol', async () => {
    const version = await publishLists(dir, 'news', { AAPL: many });
    const list = version.list('news', 'MSFT');
    expect([list.count, list.page(undefined, 5), [...list.rows()]]).toEqual([0, [], []]);
    expect(list.countAfter({ timestampMs: 0, id: '' })).toBe(0);
  });

  it('rejects damaged bytes', async () => {
    const version = await publishLists(dir, 'news', { AAPL: many });
    const path = join(dir, version.manifest.lists!.layers.news[0].rows.name);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('éé')] ^= 1;
    writeFileSync(path, bytes);
    const list = (openPublished(dir) as PublishedVersion).list('news', 'AAPL');
    expect(() => list.page(undefined, 5)).toThrow(CorruptDataError);
    writeFileSync(path, bytes.subarray(0, -8));
    expect(() => openPublished(dir)).toThrow(CorruptDataError);
  });
});

describe('layers of whole lists', () => {
  it('replace a list, and end one', async () => {
    const big = Array.from({ length: 40 }, (_, i) => row(1000 - i, `s${i}`));
    await publishLists(dir, 'insider', {
      AAPL: [row(2, 'a'), row(1, 'b')],
      BIG: big,
      MSFT: [row(1, 'c')],
    });
    const version = await publishLists(dir, 'insider', { AAPL: [row(3, 'd')], MSFT: [] });
    expect(version.lists.layers('insider')).toHaveLength(2);
    expect(idsOf(version.list('insider', 'AAPL').page(undefined, 9))).toEqual(['d']);
    expect(version.list('insider', 'MSFT').count).toBe(0);
    expect(version.list('insider', 'BIG').count).toBe(40);
    const merged = await publishLists(dir, 'insider', { F: big });
    expect(merged.lists.layers('insider')).toHaveLength(1);
    expect(merged.lists.layers('insider')[0].lists).toEqual(['AAPL', 'BIG', 'F']);
  });

  it('can be ordered oldest first', async () => {
    const days = [row(1, ''), row(5, ''), row(9, '')];
    const version = await publishLists(dir, 'expirations', { AAPL: days });
    const list = version.list('expirations', 'AAPL');
    expect(list.page({ timestampMs: 4, id: '' }, 9).map((one) => one.timestampMs)).toEqual([5, 9]);
    expect(list.countAfter({ timestampMs: 5, id: '' })).toBe(1);
  });
});

describe('layers of joined lists', () => {
  const id = (n: number) => newsId(String(n));

  it('find an article by its id, in its newest form', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => row(1000 - i, id(i)));
    await publishLists(dir, 'news', { [EVERYTHING]: rows });
    const version = await publishLists(dir, 'news', {
      [EVERYTHING]: [
        row(2000, id(1)),
        row(999, id(1), { adds: -1, json: '' }),
        row(998, id(2), { adds: 0, json: '"corrected"' }),
        row(997, id(3), { adds: -1, json: '' }),
      ],
    });
    expect(version.lists.layers('news')).toHaveLength(2);
    expect(version.article(id(0))?.timestampMs).toBe(1000);
    expect(version.article(id(1))?.timestampMs).toBe(2000);
    expect(version.article(id(2))?.json).toBe('"corrected"');
    expect(version.article(id(3))).toBeUndefined();
    expect(version.article(id(99))).toBeUndefined();
    expect(version.list('news', EVERYTHING).count).toBe(59);
  });

  it('are the rows added and not removed, however they are layered', async () => {
    const state = fc.uniqueArray(
      fc.record({ n: fc.integer({ min: 0, max: 40 }), ms: fc.integer({ min: 1, max: 9 }) }),
      { selector: ({ n }) => n, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 6 }), async (states) => {
        const path = mkdtempSync(join(dir, 'lists-'));
        let before = new Map<number, number>();
        for (const rows of states) {
          const now = new Map(rows.map(({ n, ms }) => [n, ms]));
          const added = [...now].map(([n, ms]) =>
            row(ms, id(n), { adds: before.get(n) === ms ? 0 : 1 }),
          );
          const gone = [...before]
            .filter(([n, ms]) => now.get(n) !== ms)
            .map(([n, ms]) => row(ms, id(n), { adds: -1, json: '' }));
          const changed = [...added, ...gone].sort((a, b) => compareRows('newest', a, b));
          const version = await publishLists(path, 'news', { [EVERYTHING]: changed });
          before = now;
          const expected = [...now]
            .map(([n, ms]) => row(ms, id(n)))
            .sort((a, b) => compareRows('newest', a, b));
          const list = version.list('news', EVERYTHING);
          expect([...list.rows()]).toEqual(expected.map(({ adds, ...rest }) => rest));
          expect(list.count).toBe(expected.length);
          for (const [i, at] of expected.entries()) {
            expect(list.countAfter(at)).toBe(expected.length - i - 1);
          }
        }
      }),
      { numRuns: STORE_RUNS, seed: 11 },
    );
  });
});

describe('layers below a new one', () => {
  it.each([
    [[], 5, 0],
    [[100], 24, 1],
    [[100], 25, 0],
    [[1000, 100], 24, 2],
    [[1000, 100], 25, 1],
    [[1000, 200], 50, 0],
  ])('of %j rows and %i new ones: %i', (rowCounts, newRows, kept) => {
    expect(layersKept(rowCounts, newRows)).toBe(kept);
  });
});
