/** Explanations of figures, made from published rows. */

import { expect, it } from 'vitest';
import { explanation } from '../../../../src/api/routes/fundamentals/explain.ts';
import { servedRow } from '../../../../src/api/routes/fundamentals/rows.ts';
import type { Split } from '../../../../src/base/bars.ts';
import { statementDatasets } from '../../../../src/base/datasets/statement.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { ListRow } from '../../../../src/store/arrow/lists/specs.ts';

const income = statementDatasets.find(({ name }) => name === 'statements')!;

const evidence = {
  revenue: { verdict: 'stated', lines: [['us-gaap:Revenues', 'Net sales', 100]] },
  costOfRevenue: { verdict: null, reason: 'several costs' },
  netIncome: { verdict: 'summed', accession: 'older', lines: [['us-gaap:A', null, 4]] },
};
const columns = {
  ...{ filedAt: '2025-10-31T10:01:26.000Z', fiscalYear: 2025, fiscalQuarter: null },
  ...{ currency: 'USD', form: '10-K', accession: 'own', evidence: JSON.stringify(evidence) },
};

const DAY_MS = 86_400_000;

/** A row of a period, filed a month after it. */
function rowOf(date: string, kind: string, figures: object, stored: object = columns): ListRow {
  const timestampMs = dayFromDate(date) * DAY_MS;
  const json = JSON.stringify({ date, period: kind, ...figures });
  const head = { timestampMs, id: '', knownMs: timestampMs + 30 * DAY_MS, kind };
  return { ...head, json, stored: JSON.stringify(stored) };
}

const year = rowOf('2025-09-30', 'annual', { revenue: 100, netIncome: 4 });
const explained = (row: ListRow, rows: ListRow[] = []) =>
  explanation(row, income, () => rows, servedRow(row, income, []));

it('have the lines, the verdict and the filing of each figure', () => {
  const { figures, ...filing } = explained(year);
  const { currency, form, accession, fiscalYear } = columns;
  expect(filing).toMatchObject({ currency, form, accession, fiscalYear });
  expect(figures.revenue).toEqual({
    verdict: 'stated',
    reason: null,
    accession: 'own',
    lines: [{ concept: 'us-gaap:Revenues', label: 'Net sales', value: 100 }],
  });
  expect(figures.netIncome).toMatchObject({ verdict: 'summed', accession: 'older' });
});

it('say why a figure is unknown, or has no lines', () => {
  const { figures } = explained(year);
  expect(figures.costOfRevenue).toMatchObject({ verdict: null, reason: 'several costs' });
  const NOT_SHOWN = 'the statement has no line of it, and its notes have none in a known concept';
  expect(figures.eps.reason).toBe(NOT_SHOWN);
  const reasonBy = (lines: unknown[]) => {
    const stored = JSON.stringify({ revenue: { verdict: 'stated', lines } });
    return explained(rowOf('2025-09-30', 'quarterly', { revenue: 1 }, { evidence: stored })).figures
      .eps.reason;
  };
  expect([
    reasonBy([['us-gaap:Revenues', null, 100]]),
    reasonBy([['nine months to 2025-09-30', null, 1]]),
  ]).toEqual([
    'the input has no line of it in a known concept',
    'no filing gives it for the quarter, and no difference of longer periods does',
  ]);
});

it('of twelve months are those of the year that ends with them', () => {
  const { figures, accession } = explained({ ...year, kind: 'ttm' }, [year]);
  expect(accession).toBe('own');
  expect(figures.revenue).toMatchObject({ verdict: 'stated', accession: 'own' });
});

it('of twelve months are their quarters, or their halves', () => {
  const ends = ['2024-12-31', '2025-03-31', '2025-06-30', '2025-09-30'];
  const quarters = ends.map((date, i) =>
    rowOf(date, 'quarterly', {
      ...{ revenue: 10 + i, eps: i === 0 ? 20 : 1, epsDiluted: null, netIncomeToCommon: 2 },
      ...(i > 0 && { netIncome: 2 }),
    }),
  );
  const months = rowOf('2025-09-30', 'ttm', {
    ...{ revenue: 46, netIncome: null, eps: 5, epsDiluted: 4 },
  });
  const split = { exDay: dayFromDate('2025-03-01'), numerator: 10, denominator: 1 };
  const rows = () => [months, ...quarters];
  const { figures } = explanation(months, income, rows, {}, [split]);
  expect(figures.revenue).toMatchObject({ verdict: 'summed', reason: null });
  expect(
    figures.revenue.lines.map(({ concept, value }: { concept: string; value: number }) => [
      concept,
      value,
    ]),
  ).toEqual(ends.map((date, i) => [`quarter to ${date}`, 10 + i]));
  expect(figures.netIncome).toMatchObject({
    verdict: null,
    reason: 'unknown in the quarter to 2024-12-31',
  });
  // The first quarter was filed before a split, and none gives diluted earnings per share.
  expect(figures.eps).toMatchObject({ verdict: 'summed', reason: null });
  expect(figures.eps.lines.map(({ value }: { value: number }) => value)).toEqual([2, 1, 1, 1]);
  expect(figures.eps.lines[0].concept).toMatch(/^quarter to 2024-12-31, divided by the new shares/);
  expect(figures.epsDiluted).toMatchObject({
    verdict: 'proved',
    lines: [
      { concept: 'income to common shares', value: 8 },
      { concept: 'mean of weighted shares', value: 2 },
    ],
  });
  const halves = [ends[1], ends[3]].map((date) => rowOf(date, 'semiannual', { revenue: 23 }));
  const ofHalves = explained(months, [months, ...halves]).figures.revenue;
  expect(ofHalves).toMatchObject({ verdict: 'summed' });
  expect(ofHalves.lines[0].concept).toBe('six months to 2025-03-31');
});

it('see no quarter that was filed later', () => {
  const later = { ...year, knownMs: year.knownMs! + DAY_MS };
  const before = { ...year, kind: 'ttm', stored: '{}' };
  expect(explained(before, [later]).figures.revenue.lines).toEqual([]);
});

it('rows have their filing, and figures per share on the split basis of today', () => {
  const row = rowOf('2025-09-30', 'annual', { revenue: 100, eps: 6, epsDiluted: null });
  const split = { exDay: dayFromDate('2025-12-01'), numerator: 3, denominator: 1 };
  expect(servedRow(row, income, [split])).toMatchObject({
    eps: 6,
    epsAdjusted: 2,
    epsDilutedAdjusted: null,
    filedAt: columns.filedAt,
    fiscalYear: 2025,
    currency: 'USD',
    form: '10-K',
  });
  const before = { ...split, exDay: dayFromDate('2025-10-01') };
  expect(servedRow(row, income, [before]).epsAdjusted).toBe(6);
  // A later version that repeats earnings per share of before the split.
  const stored = JSON.stringify({ ...columns, perShareAt: '2025-09-20T00:00:00Z' });
  expect(servedRow({ ...row, stored }, income, [before]).epsAdjusted).toBe(2);
  const adjusted = (splits: Split[]) =>
    explanation(row, income, () => [], servedRow(row, income, splits)).figures.epsAdjusted;
  expect(adjusted([before])).toMatchObject({ verdict: 'summed', lines: [{ value: 6 }] });
  expect(adjusted([split])).toMatchObject({
    verdict: 'proved',
    lines: [{ value: 6 }, { concept: 'divided by the new shares of one', value: 3 }],
  });
  const unknown = { ...split, numerator: Number.NaN };
  expect(servedRow(row, income, [unknown]).epsAdjusted).toBeNull();
  expect(adjusted([unknown])).toMatchObject({
    verdict: null,
    reason: expect.stringContaining('differ as after a split'),
    lines: [{ value: 6 }],
  });
});

it('name what a derived figure is made of, or which of it is unknown', () => {
  const sheet = statementDatasets.find(({ name }) => name === 'balance-sheet')!;
  const of = (figures: object) =>
    explanation(rowOf('2025-09-30', 'annual', figures), sheet, () => [], {}).figures;
  expect(of({ totalDebt: 5, cash: 2, netDebt: 3 }).netDebt).toMatchObject({
    verdict: 'difference',
    lines: [
      { concept: 'totalDebt', value: 5 },
      { concept: 'cash', value: 2 },
    ],
  });
  expect(of({ cash: 2 }).netDebt).toMatchObject({ verdict: null, reason: 'unknown: totalDebt' });
  expect(of({ totalAssets: 9, totalEquity: 4 }).unexplainedAssets.reason).toBe(
    'unknown: totalLiabilities',
  );
});

it('do not show the lines of a figure that was taken out', () => {
  const { costOfRevenue } = evidence;
  const stored = { ...columns, evidence: JSON.stringify({ revenue: evidence.revenue }) };
  const row = rowOf('2025-09-30', 'annual', { revenue: null }, stored);
  expect(explained(row).figures.revenue).toMatchObject({
    ...{ verdict: null, lines: [], reason: 'other figures of the row contradict it' },
  });
  const known = { ...columns, evidence: JSON.stringify({ costOfRevenue }) };
  const filled = rowOf('2025-09-30', 'annual', { costOfRevenue: 3 }, known);
  expect(explained(filled).figures.costOfRevenue.reason).toBe(
    'the source of the figure names no lines',
  );
});

it('have a reason for each null and none beside a verdict', () => {
  for (const dataset of statementDatasets) {
    const { figures } = explanation(rowOf('2025-09-30', 'annual', {}, {}), dataset, () => [], {});
    for (const { verdict, reason } of Object.values(figures) as {
      verdict: null;
      reason: string;
    }[]) {
      expect(verdict).toBeNull();
      expect(reason).toMatch(/\w/);
    }
  }
});

it('name the part of another statement that a figure holds, and not as unknown beside another', () => {
  const figuresOf = (figures: object) => {
    const row = rowOf('2025-09-30', 'annual', figures);
    return explained({ ...row, stored: '{}' }).figures.ebitda;
  };
  expect(figuresOf({ ebit: 140.1, ebitda: 150.3 })).toEqual({
    verdict: 'summed',
    reason: null,
    accession: null,
    lines: [
      { concept: 'ebit', label: null, value: 140.1 },
      { concept: 'depreciationAmortization', label: null, value: 10.2 },
    ],
  });
  expect(figuresOf({ ebit: null, ebitda: null })).toMatchObject({ reason: 'unknown: ebit' });
  expect(figuresOf({ ebit: 140, ebitda: null })).toMatchObject({
    reason: 'unknown: depreciationAmortization',
  });
});
