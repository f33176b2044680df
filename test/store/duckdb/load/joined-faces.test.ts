/** Rows of one filing from its statement and from company facts, which readers get as one. */

import { describe, expect, it } from 'vitest';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { balanceSheet } from '../../../../src/base/datasets/filings.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { joinedFaces } from '../../../../src/store/duckdb/rows/joined-faces.ts';

const EMPTY = Object.fromEntries(balanceSheet.columns.map(({ name }) => [name, null]));

function row(filed: string, values: DatasetRow, date = '2024-09-28'): DatasetRow {
  const filedAt = Date.parse(filed);
  const head = { symbol: 'TST', date: dayFromDate(date), period: 'annual', currency: 'USD' };
  return { ...EMPTY, ...head, filedAt, accession: filed, ...values };
}

const face = (filed: string, values: DatasetRow, date?: string) =>
  row(filed, { ...values, readFrom: 'face' }, date);

const evidence = (figures: object) => JSON.stringify(figures);
const STATED = { verdict: 'stated' };

const shown = (rows: readonly DatasetRow[], ...fields: string[]) =>
  joinedFaces(balanceSheet, rows).map((one) => fields.map((field) => one[field]).join(' '));

describe('rows of statements and of company facts', () => {
  it('are the same rows if no statement is among them', () => {
    const rows = [row('2024-11-01', { cash: 1 })];
    expect(joinedFaces(balanceSheet, rows)).toBe(rows);
  });

  it('are one row, with the figures of the statement, the day of the facts and the earlier moment', () => {
    const facts = row('2024-11-01', { cash: 5, totalDebt: 70, netDebt: 65, totalAssets: 900 });
    const shows = { cash: 4, totalDebt: null, totalAssets: 900 };
    const reason = { verdict: null, reason: 'its lines do not add up' };
    const own = face(
      '2024-10-31T22:05',
      {
        ...shows,
        evidence: evidence({ cash: STATED, totalDebt: reason }),
        accession: '2024-11-01',
      },
      '2024-09-30',
    );
    for (const rows of [
      [own, facts],
      [facts, own],
    ]) {
      expect(shown(rows, 'date', 'cash', 'totalDebt', 'netDebt', 'totalAssets')).toEqual([
        `${dayFromDate('2024-09-28')} 4   900`,
      ]);
      expect(joinedFaces(balanceSheet, rows)[0]).toMatchObject({
        filedAt: Date.parse('2024-10-31T22:05'),
        readFrom: null,
        evidence: evidence({ cash: STATED, totalDebt: reason }),
      });
    }
  });

  it('have the figures of facts where the statement shows none', () => {
    const own = face('2024-10-31', { cash: 4, evidence: evidence({ cash: STATED }) });
    const facts = row('2024-10-31', { cash: 5, totalDebt: 70 });
    expect(shown([own, facts], 'cash', 'totalDebt', 'netDebt')).toEqual(['4 70 66']);
  });

  it('keep a figure of the statement until a later filing changes it', () => {
    const own = face('2024-10-31', { cash: 4, evidence: evidence({ cash: STATED }) });
    const facts = row('2024-10-31', { cash: 5, totalAssets: 900 });
    const later = row('2025-10-31', { cash: 5, totalAssets: 950 });
    const restated = row('2025-12-31', { cash: 3, totalAssets: 950 });
    expect(shown([own, facts, later, restated], 'cash', 'totalAssets')).toEqual([
      '4 900',
      '4 950',
      '3 950',
    ]);
  });

  it('stay apart by period, and figures of one currency are not carried into another', () => {
    const own = face('2024-10-31', { cash: 4, evidence: evidence({ cash: STATED }) });
    const year = row('2025-10-31', { cash: 9 }, '2025-09-27');
    const euros = row('2025-10-31', { totalAssets: 7, currency: 'EUR' });
    expect(shown([own, year, euros], 'date', 'cash', 'totalAssets')).toEqual([
      `${dayFromDate('2024-09-28')} 4 `,
      `${dayFromDate('2024-09-28')}  7`,
      `${dayFromDate('2025-09-27')} 9 `,
    ]);
  });
});
