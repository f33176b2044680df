/** A bad row in a good response, and a response whose format has changed. */

import { describe, expect, it } from 'vitest';
import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import { readableRowCount, requireReadable } from '../../../src/ingest/rows/readable-rows.ts';

const row = { symbol: 'AAPL', date: 20_777, asOf: 1_795_000_000_000 };

describe('rows of a response', () => {
  it('are counted if some can be read', () => {
    const rows = [{ row }, { reason: 'symbol is missing' }, { row: { ...row, symbol: 'a b' } }];
    expect(readableRowCount('earnings-calendar', rows, 'Vendor’s dates')).toBe(1);
    expect(readableRowCount('earnings-calendar', [], 'Vendor’s dates')).toBe(0);
  });

  it('have another format if none can be parsed or pass the checks', () => {
    expect(() =>
      readableRowCount('earnings-calendar', [{ reason: 'symbol is missing' }], 'Vendor’s dates'),
    ).toThrow('the answer of Vendor’s dates cannot be read: symbol is missing, and none of 1 rows');
    const rows = [{ row: { ...row, date: null } }, { row: { ...row, date: null } }];
    expect(() => readableRowCount('earnings-calendar', rows, 'Vendor’s dates')).toThrow(
      'date is missing, and none of 2 rows is good',
    );
  });
});

describe('segments of a run', () => {
  async function* segmentsOf(...some: [dataset: string, accepted: number, reasons: object][]) {
    for (const [dataset, accepted, reasons] of some) {
      const rejectedByReason = new Map(Object.entries(reasons));
      yield { dataset, accepted, rejectedByReason } as FetchedRows;
    }
  }

  it('pass if each dataset has a good row somewhere', async () => {
    const segments = segmentsOf(['news', 0, { odd: 3 }], ['news', 1, {}], ['shares', 0, {}]);
    expect(await Array.fromAsync(requireReadable('Vendor', segments))).toHaveLength(3);
  });

  it('all come before the run fails for a dataset without any', async () => {
    const taken: string[] = [];
    const walk = async () => {
      const segments = segmentsOf(['insider', 0, { a: 1, b: 2 }], ['news', 5, { a: 1 }]);
      for await (const { dataset } of requireReadable('Vendor', segments)) taken.push(dataset);
    };
    await expect(walk()).rejects.toMatchObject({
      name: 'MalformedInputError',
      message: "the answer of Vendor's insider cannot be read: b, and none of 3 rows is good",
    });
    expect(taken).toEqual(['insider', 'news']);
  });
});
