/** What holds of every dataset of the sandbox. */

import { describe, expect, it } from 'vitest';
import { type DatasetRow, rowDatasets } from '../../src/base/datasets/datasets.ts';
import { sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { rowFault } from '../../src/ingest/rows/check-row.ts';
import { SANDBOX_DATASETS, sandboxRows } from '../../src/sandbox/rows.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const fromDay = dayFromDate('2021-01-04');
const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay, toDay });
const stocks = universe.filter(({ type }) => type === 'stock').map(({ symbol }) => symbol);
const datasetOf = (name: string) => rowDatasets.find((one) => one.name === name)!;

/** Rows of the days from the start to a date; of those after a moment where one is given. */
function rowsOf(
  one: (typeof SANDBOX_DATASETS)[number],
  date: string,
  storedThroughMs?: number,
): DatasetRow[] {
  const day = dayFromDate(date);
  const market = sandboxUniverse({ fromDay, toDay: day });
  const days = { historyFromDay: fromDay, toDay: day, storedThroughMs };
  return [...sandboxRows(one, market, days)].flatMap((unchecked) =>
    'row' in unchecked ? [unchecked.row] : [],
  );
}

const whole = new Map(SANDBOX_DATASETS.map((one) => [one.dataset, rowsOf(one, '2026-11-20')]));

function keyOf({ key }: (typeof rowDatasets)[number], row: DatasetRow): string {
  const values = key.map((part) =>
    [part]
      .flat()
      .map((name) => row[name])
      .find((v) => v !== null),
  );
  return JSON.stringify(values);
}

describe('sandbox rows', () => {
  it('exist of every dataset of rows', () => {
    const names = SANDBOX_DATASETS.map(({ dataset }) => dataset).sort();
    expect(names).toEqual(rowDatasets.map(({ name }) => name).sort());
  });

  it.each(SANDBOX_DATASETS)('of $dataset are of every stock and of no fund', (one) => {
    const rows = whole.get(one.dataset)!;
    const seen = rows.flatMap(({ symbol, symbols }) => [symbol ?? symbols].flat());
    expect([...new Set(seen)].sort()).toEqual([...stocks].sort());
  });

  it.each(SANDBOX_DATASETS)('of $dataset pass its checks, each key once', (one) => {
    const dataset = datasetOf(one.dataset);
    const rows = whole.get(one.dataset)!;
    expect(rows.map((row) => rowFault(dataset, row)).filter(Boolean)).toEqual([]);
    expect(new Set(rows.map((row) => keyOf(dataset, row))).size).toBe(rows.length);
  });

  it.each(SANDBOX_DATASETS)('of $dataset became known by the close of the last session', (one) => {
    const { time } = datasetOf(one.dataset);
    const rows = whole.get(one.dataset)!;
    const late = rows.filter((row) => Number(row[time]) > sessionCloseMs(toDay));
    expect(late).toEqual([]);
  });

  // Of a list that is replaced whole only the newest is made.
  it.each(SANDBOX_DATASETS.filter(({ dataset }) => dataset !== 'expirations'))(
    'of $dataset are the same whether days are asked at once or one after the other',
    (one) => {
      const dataset = datasetOf(one.dataset);
      const rows = (texts: readonly DatasetRow[]) =>
        new Map(texts.map((row) => [keyOf(dataset, row), JSON.stringify(row)]));
      const steps = ['2026-09-16', '2026-09-17', '2026-09-18', '2026-10-23', '2026-11-20'];
      let storedThroughMs = sessionCloseMs(dayFromDate('2026-09-15'));
      const stepped = new Map<string, string>();
      for (const date of steps) {
        for (const [key, row] of rows(rowsOf(one, date, storedThroughMs))) stepped.set(key, row);
        storedThroughMs = sessionCloseMs(dayFromDate(date));
      }
      const atOnce = rows(rowsOf(one, '2026-11-20', sessionCloseMs(dayFromDate('2026-09-15'))));
      expect(stepped.size).toBeGreaterThan(40);
      expect([...stepped].sort()).toEqual([...atOnce].sort());
      // Nor are they others where all days are asked from the start.
      const fromStart = rows(whole.get(one.dataset)!);
      expect([...atOnce].filter(([key, row]) => fromStart.get(key) !== row)).toEqual([]);
    },
  );

  it('say that they are synthetic wherever they name somebody', () => {
    // The title of an insider is a role.
    const named = ['insiderName', 'firm', 'analystName', 'companyName', 'source'];
    for (const [dataset, rows] of whole) {
      for (const row of rows) {
        for (const name of dataset === 'news' ? [...named, 'title'] : named) {
          if (row[name] && !String(row[name]).includes('(synthetic)')) expect.fail(`${row[name]}`);
        }
      }
    }
  });

  // A security that came after the first days of the sandbox.
  it('are of a new company from its first day on', () => {
    const [young] = universe
      .filter(({ type, firstDay }) => type === 'stock' && firstDay > fromDay)
      .sort((a, b) => b.firstDay - a.firstDay);
    for (const one of SANDBOX_DATASETS) {
      const market = sandboxUniverse({ fromDay, toDay: young.firstDay });
      const listed = market.filter(({ symbol }) => symbol === young.symbol);
      const days = { historyFromDay: fromDay, toDay: young.firstDay, storedThroughMs: undefined };
      const rows = [...sandboxRows(one, listed, days)];
      expect([one.dataset, rows.length > 0]).toEqual([one.dataset, true]);
    }
  });
});
