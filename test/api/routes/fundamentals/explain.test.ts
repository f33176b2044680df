/** Explanations of figures, made from published rows. */

import { expect, it } from 'vitest';
import { explainedText } from '../../../../src/api/routes/fundamentals/explain.ts';
import { statementDatasets } from '../../../../src/base/datasets/statement.ts';

const income = statementDatasets.find(({ name }) => name === 'statements')!;

const evidence = {
  revenue: { verdict: 'stated', lines: [['us-gaap:Revenues', 'Net sales', 100]] },
  costOfRevenue: { verdict: null, reason: 'several costs' },
  netIncome: { verdict: 'summed', accession: 'older', lines: [['us-gaap:A', null, 4]] },
};
const stored = {
  ...{ filedAt: '2025-10-31T10:01:26.000Z', fiscalYear: 2025, fiscalQuarter: null },
  ...{ currency: 'USD', form: '10-K', accession: 'own', evidence: JSON.stringify(evidence) },
};
const row = { timestampMs: 0, id: '', knownMs: 0, kind: 'annual' };
const json = JSON.stringify({ date: '2025-09-27', period: 'annual', revenue: 100 });
const explained = (columns: object, kind = 'annual') =>
  JSON.parse(explainedText({ ...row, kind, json, stored: JSON.stringify(columns) }, income));

it('have the lines, the verdict and the filing of each figure', () => {
  const { revenue, explained: facts } = explained(stored);
  expect(revenue).toBe(100);
  expect(facts).toMatchObject({
    currency: 'USD',
    form: '10-K',
    accession: 'own',
    fiscalYear: 2025,
  });
  expect(facts.figures.revenue).toEqual({
    verdict: 'stated',
    reason: null,
    accession: 'own',
    lines: [{ concept: 'us-gaap:Revenues', label: 'Net sales', value: 100 }],
  });
  expect(facts.figures.netIncome).toMatchObject({ verdict: 'summed', accession: 'older' });
});

it('say why a figure is unknown, or has no lines', () => {
  const { figures } = explained(stored).explained;
  expect(figures.costOfRevenue).toMatchObject({ verdict: null, reason: 'several costs' });
  expect(figures.eps.reason).toBe('the input has no lines of it');
  expect(explained({}, 'ttm').explained.figures.revenue.reason).toBe(
    'twelve months are a year, or the sum of their quarters',
  );
});
