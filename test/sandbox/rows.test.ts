/** Promises that the records of every dataset keep. */

import { describe, expect, it } from 'vitest';
import type { Dataset, DatasetRow } from '../../src/base/datasets/dataset.ts';
import { rowDatasets } from '../../src/base/datasets/datasets.ts';
import { sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { SANDBOX_DATASETS } from '../../src/sandbox/rows.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { scaled } from '../faults/scale.ts';
import { FROM_DAY, recordsOf, TO_DAY } from './market.ts';

const STOCKS = scaled(80, 200);
const universe = sandboxUniverse({ fromDay: FROM_DAY, toDay: TO_DAY, stocks: STOCKS });
const stocks = universe.filter(({ type }) => type === 'stock').map(({ symbol }) => symbol);
const NAMES = SANDBOX_DATASETS.map(({ dataset }) => ({ name: dataset.name, dataset }));

/** Records of the companies from the start to a date, or of those after a moment. */
const rowsOf = (dataset: Dataset, date: string, afterMs?: number): DatasetRow[] =>
  recordsOf(dataset, { toDay: dayFromDate(date), afterMs, stocks: STOCKS });

const whole = new Map(NAMES.map(({ dataset }) => [dataset, rowsOf(dataset, '2026-11-20')]));

function keyOf({ key }: Dataset, row: DatasetRow): string {
  const values = key.map((part) =>
    [part]
      .flat()
      .map((name) => row[name])
      .find((v) => v !== null),
  );
  return JSON.stringify(values);
}

describe('records of the sandbox', () => {
  it('exist of every dataset', () => {
    // Members and own columns come from files of users alone.
    const known = rowDatasets.filter(({ name }) => name !== 'members' && name !== 'values');
    expect(NAMES.map(({ name }) => name).sort()).toEqual(known.map(({ name }) => name).sort());
  });

  // A company that was listed some weeks ago has not reported yet.
  it.each(NAMES)('cover every stock and no fund: $name', ({ dataset }) => {
    const seen = whole.get(dataset)!.flatMap(({ symbol, symbols }) => [symbol ?? symbols].flat());
    const names = new Set(seen.map(String));
    expect([...names].filter((name) => !stocks.includes(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(stocks.length * 0.98);
  });

  it.each(NAMES)('have each key once, and are known by the last close: $name', ({ dataset }) => {
    const rows = whole.get(dataset)!;
    expect(new Set(rows.map((row) => keyOf(dataset, row))).size).toBe(rows.length);
    const closeMs = sessionCloseMs(TO_DAY);
    expect(rows.filter((row) => Number(row[dataset.time]) > closeMs)).toEqual([]);
  });

  // Only the newest list of expirations is made.
  it.each(NAMES.filter(({ name }) => name !== 'expirations'))(
    'are the same whether days are requested at once or one after the other: $name',
    ({ dataset }) => {
      const after = (date: string) => sessionCloseMs(dayFromDate(date));
      const steps = ['2026-09-15', '2026-09-16', '2026-09-17', '2026-10-23', '2026-11-20'];
      const textsOf = (rows: readonly DatasetRow[]) =>
        rows.map((row) => JSON.stringify(row)).sort();
      const stepped = steps.slice(1).flatMap((date, i) => rowsOf(dataset, date, after(steps[i])));
      const atOnce = rowsOf(dataset, '2026-11-20', after('2026-09-15'));
      expect(atOnce.length).toBeGreaterThan(40);
      expect(textsOf(stepped)).toEqual(textsOf(atOnce));
      const fromStart = new Set(textsOf(whole.get(dataset)!));
      expect(textsOf(atOnce).filter((text) => !fromStart.has(text))).toEqual([]);
    },
  );

  it('are marked as synthetic wherever they name a person or company', () => {
    const named = ['insiderName', 'firm', 'analystName', 'companyName', 'source'];
    for (const [dataset, rows] of whole) {
      for (const row of rows) {
        for (const name of dataset.name === 'news' ? [...named, 'title'] : named) {
          if (row[name] && !String(row[name]).includes('(synthetic)')) expect.fail(`${row[name]}`);
        }
      }
    }
  });
});
